package robobuffers;

import java.io.IOException;

/** What is done with a stream. */
interface Library {
    /** Reads all messages; how many there are. */
    int read() throws IOException;

    /** Reads each message and writes it again. */
    byte[] readWrite() throws IOException;
}
