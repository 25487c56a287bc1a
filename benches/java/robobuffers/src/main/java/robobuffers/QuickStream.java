package robobuffers;

import java.io.IOException;
import us.hebi.quickbuf.ProtoMessage;
import us.hebi.quickbuf.ProtoSink;
import us.hebi.quickbuf.ProtoSource;

/** A stream of messages by QuickBuffers, into one message. */
final class QuickStream implements Library {
    private final byte[] input;
    private final byte[] output;
    private final ProtoSource source;
    private final ProtoSink sink;
    private final ProtoMessage<?> message;

    /** With `sun.misc.Unsafe` it reads and writes memory, without it arrays: two kinds of process. */
    QuickStream(byte[] input, int stream, boolean isUnsafe) {
        Settings.requireUnsafe(isUnsafe);
        this.input = input;
        output = new byte[input.length];
        source = isUnsafe ? ProtoSource.newDirectSource() : ProtoSource.newArraySource();
        sink = isUnsafe ? ProtoSink.newDirectSink() : ProtoSink.newArraySink();
        message =
                switch (stream) {
                    case 3 -> benchgate.quickbuf.Car.newInstance();
                    case 4 -> benchgate.quickbuf.MarketData.newInstance();
                    case 5 -> benchgate.quickbuf.PackedDoubles.newInstance();
                    default -> benchgate.quickbuf.LogEntry.newInstance();
                };
    }

    @Override
    public int read() throws IOException {
        source.setInput(input);
        int messages = 0;
        while (!source.isAtEnd()) {
            message.clearQuick();
            message.mergeDelimitedFrom(source);
            messages++;
        }
        return messages;
    }

    @Override
    public byte[] readWrite() throws IOException {
        source.setInput(input);
        sink.setOutput(output);
        while (!source.isAtEnd()) {
            message.clearQuick();
            message.mergeDelimitedFrom(source);
            message.writeDelimitedTo(sink);
        }
        return output;
    }
}
