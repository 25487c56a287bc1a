package robobuffers;

import benchgate.flat.Bar;
import benchgate.flat.Foo;
import benchgate.flat.FooBar;
import benchgate.flat.FooBarContainer;
import benchgate.flat.Fruit;
import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;

/** The container by FlatBuffers. */
final class Flat {
    private Flat() {}

    static ByteBuffer build(FlatBufferBuilder builder) {
        builder.clear();
        int[] list = new int[3];
        for (int at = 0; at < 3; at++) {
            int name = builder.createString(Samples.NAME);
            FooBar.startFooBar(builder);
            FooBar.addName(builder, name);
            FooBar.addRating(builder, Samples.rating(at));
            FooBar.addPostfix(builder, '!' + at);
            int sibling =
                    Bar.createBar(
                            builder,
                            Samples.ID + at,
                            (short) (10000 + at),
                            (byte) ('@' + at),
                            1000000 + at,
                            123456 + at,
                            3.14159f + at,
                            10000 + at);
            FooBar.addSibling(builder, sibling);
            list[at] = FooBar.endFooBar(builder);
        }
        int location = builder.createString(Samples.LOCATION);
        int entries = FooBarContainer.createListVector(builder, list);
        FooBarContainer.startFooBarContainer(builder);
        FooBarContainer.addLocation(builder, location);
        FooBarContainer.addInitialized(builder, true);
        FooBarContainer.addFruit(builder, Fruit.Bananas);
        FooBarContainer.addList(builder, entries);
        builder.finish(FooBarContainer.endFooBarContainer(builder));
        return builder.dataBuffer();
    }

    /** What a reader keeps: accessors are used again, as the document's own bench does. */
    static final class Reader {
        private final FooBarContainer container = new FooBarContainer();
        private final FooBar each = new FooBar();
        private final Bar bar = new Bar();
        private final Foo foo = new Foo();
        private ByteBuffer last;
        private ByteBuffer text;

        /** Looks at every value, and at text as the number of its bytes: in one view, not one for each text. */
        long traverse(ByteBuffer buffer) {
            if (buffer != last) {
                last = buffer;
                text = buffer.duplicate();
            }
            FooBarContainer.getRootAsFooBarContainer(buffer, container);
            long sum = container.initialized() ? 1 : 0;
            sum += container.fruit() + container.locationInByteBuffer(text).remaining();
            for (int at = 0; at < container.listLength(); at++) {
                container.list(each, at);
                each.sibling(bar);
                bar.parent(foo);
                sum += each.nameInByteBuffer(text).remaining() + each.postfix() + (long) each.rating();
                sum += bar.time() + (long) bar.ratio() + bar.size();
                sum += foo.id() + foo.count() + foo.prefix() + foo.length();
            }
            return sum;
        }
    }
}
