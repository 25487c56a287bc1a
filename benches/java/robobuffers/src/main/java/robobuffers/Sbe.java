package robobuffers;

import benchgate.protobuf.Car;
import benchgate.protobuf.MarketData;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import us.hebi.quickbuf.JsonSink;
import us.hebi.quickbuf.ProtoSink;
import us.hebi.quickbuf.ProtoSource;
import us.hebi.quickbuf.RepeatedByte;

/**
 * One message: filled in and written to an array, or read from one. Text stays bytes until somebody asks for it.
 * QuickBuffers fills one message again and again, as its own bench does; protobuf-java has only messages that are made
 * anew. QuickBuffers is without `sun.misc.Unsafe`.
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
public class Sbe {
    private final byte[] car = Samples.car();
    private final byte[] market = Samples.market();
    private final byte[] output = new byte[1 << 10];
    private final benchgate.quickbuf.Car quickCar = benchgate.quickbuf.Car.newInstance();
    private final benchgate.quickbuf.MarketData quickMarket = benchgate.quickbuf.MarketData.newInstance();
    private final ProtoSource source = ProtoSource.newArraySource();
    private final ProtoSink sink = ProtoSink.newArraySink();
    private final JsonSink json = JsonSink.newInstance().reserve(1 << 12);

    @Benchmark
    public int carEncodeQuickbuf() throws IOException {
        Quick.fill(quickCar).writeTo(sink.setOutput(output));
        return sink.getTotalBytesWritten();
    }

    @Benchmark
    public Object carDecodeQuickbuf() throws IOException {
        return quickCar.clearQuick().mergeFrom(source.setInput(car));
    }

    @Benchmark
    public int marketEncodeQuickbuf() throws IOException {
        Quick.fill(quickMarket).writeTo(sink.setOutput(output));
        return sink.getTotalBytesWritten();
    }

    @Benchmark
    public Object marketDecodeQuickbuf() throws IOException {
        return quickMarket.clearQuick().mergeFrom(source.setInput(market));
    }

    @Benchmark
    public RepeatedByte carEncodeJsonQuickbuf() throws IOException {
        return json.clear().writeMessage(Quick.fill(quickCar)).getBytes();
    }

    @Benchmark
    public RepeatedByte marketEncodeJsonQuickbuf() throws IOException {
        return json.clear().writeMessage(Quick.fill(quickMarket)).getBytes();
    }

    @Benchmark
    public int carEncodeProtobuf() throws IOException {
        return Full.write(Samples.fill(Car.newBuilder()).build(), output);
    }

    @Benchmark
    public Object carDecodeProtobuf() throws IOException {
        return Car.parseFrom(car);
    }

    @Benchmark
    public int marketEncodeProtobuf() throws IOException {
        return Full.write(Samples.fill(MarketData.newBuilder()).build(), output);
    }

    @Benchmark
    public Object marketDecodeProtobuf() throws IOException {
        return MarketData.parseFrom(market);
    }

    @Benchmark
    public Object carDecodeLite() throws IOException {
        return benchgate.lite.Car.parseFrom(car);
    }

    @Benchmark
    public Object marketDecodeLite() throws IOException {
        return benchgate.lite.MarketData.parseFrom(market);
    }
}
