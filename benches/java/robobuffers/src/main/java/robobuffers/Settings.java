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

    /**
     * QuickBuffers without `sun.misc.Unsafe`. Its sources and sinks of arrays use it too unless this is set; those of
     * other memory cannot be made then.
     */
    static final String WITHOUT_UNSAFE = "-Dquickbuf.disable_unsafe_access=true";

    /** Throws unless this process is one with `Unsafe`, or one without, as asked: no row may have the other's times. */
    static void requireUnsafe(boolean isUnsafe) {
        if (isUnsafe == Boolean.getBoolean("quickbuf.disable_unsafe_access")) {
            throw new IllegalStateException("not started " + (isUnsafe ? "without " : "with ") + WITHOUT_UNSAFE);
        }
    }

    private Settings() {}
}
