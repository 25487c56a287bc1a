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

/** Cars and market data, by QuickBuffers with `sun.misc.Unsafe` and by the lite runtime of protobuf. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {Settings.LEAST_HEAP, Settings.MOST_HEAP, Settings.COLLECTOR, Settings.COMPILER})
public class OtherStreams {
    @Param({"3", "4"})
    public int stream;

    @Param({"quickbuf-unsafe", "lite"})
    public String library;

    private Library running;

    @Setup
    public void setup() {
        running = Streams.of(library, stream);
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
