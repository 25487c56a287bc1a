package robobuffers;

import benchgate.quickbuf.FooBarContainer;
import com.google.flatbuffers.FlatBufferBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import us.hebi.quickbuf.ProtoSink;
import us.hebi.quickbuf.ProtoSource;

/**
 * The container of FlatBuffers' own bench, by FlatBuffers in both kinds of memory and by QuickBuffers without
 * `sun.misc.Unsafe`, into one message.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgs = {
            Settings.LEAST_HEAP,
            Settings.MOST_HEAP,
            Settings.COLLECTOR,
            Settings.COMPILER,
            Settings.WITHOUT_UNSAFE
        })
public class FlatBench {
    private final FlatBufferBuilder heap = new FlatBufferBuilder(ByteBuffer.allocate(1 << 10));
    private final FlatBufferBuilder direct =
            new FlatBufferBuilder(1 << 10, new DirectFactory());
    private final ByteBuffer inHeap = Flat.build(new FlatBufferBuilder(ByteBuffer.allocate(1 << 10)));
    private final ByteBuffer inDirect = Flat.build(new FlatBufferBuilder(1 << 10, new DirectFactory()));
    private final Flat.Reader reader = new Flat.Reader();

    private final byte[] input = Samples.container();
    private final byte[] output = new byte[1 << 10];
    private final FooBarContainer container = FooBarContainer.newInstance();
    private final FooBarContainer decoded = Quick.fill(FooBarContainer.newInstance());
    private final ProtoSource source = ProtoSource.newArraySource();
    private final ProtoSink sink = ProtoSink.newArraySink();

    private static final class DirectFactory extends FlatBufferBuilder.ByteBufferFactory {
        @Override
        public ByteBuffer newByteBuffer(int capacity) {
            return ByteBuffer.allocateDirect(capacity).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        }
    }

    @Benchmark
    public Object heapEncodeFlat() {
        return Flat.build(heap);
    }

    @Benchmark
    public long heapTraverseFlat() {
        return reader.traverse(inHeap);
    }

    @Benchmark
    public Object directEncodeFlat() {
        return Flat.build(direct);
    }

    @Benchmark
    public long directTraverseFlat() {
        return reader.traverse(inDirect);
    }

    @Benchmark
    public long heapAllFlat() {
        return reader.traverse(Flat.build(heap));
    }

    @Benchmark
    public int encodeQuickbuf() throws IOException {
        Quick.fill(container).writeTo(sink.setOutput(output));
        return sink.getTotalBytesWritten();
    }

    @Benchmark
    public Object decodeQuickbuf() throws IOException {
        return container.clearQuick().mergeFrom(source.setInput(input));
    }

    @Benchmark
    public long traverseQuickbuf() {
        return Quick.traverse(decoded);
    }

    @Benchmark
    public long decodeTraverseQuickbuf() throws IOException {
        return Quick.traverse(container.clearQuick().mergeFrom(source.setInput(input)));
    }

    @Benchmark
    public long allQuickbuf() throws IOException {
        Quick.fill(container).writeTo(sink.setOutput(output));
        int size = sink.getTotalBytesWritten();
        return Quick.traverse(container.clearQuick().mergeFrom(source.setInput(output, 0, size)));
    }
}
