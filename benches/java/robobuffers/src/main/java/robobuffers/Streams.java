package robobuffers;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The five streams, by QuickBuffers and by protobuf-java. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {
            Settings.LEAST_HEAP,
            Settings.MOST_HEAP,
            Settings.COLLECTOR,
            Settings.COMPILER,
            Settings.WITHOUT_UNSAFE
        })
public class Streams {
    @Param({"1", "2", "3", "4", "5"})
    public int stream;

    @Param({"quickbuf", "protobuf"})
    public String library;

    private Library running;

    @Setup
    public void setup() {
        running = of(library, stream);
    }

    static Library of(String library, int stream) {
        byte[] input = Stream.of(stream);
        return switch (library) {
            case "quickbuf" -> new QuickStream(input, stream, false);
            case "quickbuf-unsafe" -> new QuickStream(input, stream, true);
            case "protobuf" -> new Full(input, stream);
            case "lite" -> new Lite(input, stream);
            default -> throw new IllegalArgumentException(library);
        };
    }

    @Benchmark
    public int read() throws IOException {
        return running.read();
    }

    @Benchmark
    public byte[] readWrite() throws IOException {
        return running.readWrite();
    }
}
