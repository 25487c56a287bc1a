package robobuffers;

/**
 * How every fork runs: a heap that is all there from the start, one collector on any number of CPUs, and code that waits
 * until it is compiled, so that a busy machine does not make warming up longer than a round's.
 */
final class Settings {
    static final String LEAST_HEAP = "-Xms1g";
    static final String MOST_HEAP = "-Xmx1g";
    static final String COLLECTOR = "-XX:+UseSerialGC";
    static final String COMPILER = "-Xbatch";

    private Settings() {}
}
