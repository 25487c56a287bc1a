package robobuffers;

/**
 * The five streams, by their number: two logs, made up to what the document says of its production logs, cars, market
 * data, and one message of doubles. Messages are delimited. Both languages write the same bytes.
 */
final class Stream {
    /** Bytes of the published streams: the last message ends there or before. */
    private static final long[] PUBLISHED = {87L << 20, 57L << 20, 10L << 20, 10L << 20, 64L << 20};

    /**
     * Streams are a sixteenth of the published ones, unless this says `1`. JMH hands it to the forks with
     * `-jvmArgsAppend -Dstreams.divisor=1`: a property of the first process does not reach them.
     */
    private static final int DIVISOR = Integer.getInteger("streams.divisor", 16);

    private static final String[] WORDS = {"hip", "knee", "elbow", "wrist", "gripper", "base link"};

    private Stream() {}

    static long size(int number) {
        return PUBLISHED[number - 1] / DIVISOR;
    }

    static byte[] of(int number) {
        long size = size(number);
        Wire stream = new Wire();
        if (number == 5) {
            Wire doubles = new Wire();
            doubles.doubles(1, (int) (size / 8));
            stream.delimited(doubles);
            return stream.toByteArray();
        }
        SplitMix random = new SplitMix(number);
        Wire message = new Wire();
        byte[] repeated = number == 3 ? Samples.car() : number == 4 ? Samples.market() : null;
        for (long sequence = 1; ; sequence++) {
            message.clear();
            if (repeated == null) {
                logEntry(message, random, sequence, number == 2);
                stream.delimited(message);
            } else {
                stream.varint(repeated.length);
                stream.append(repeated);
            }
            if (stream.length() >= size) {
                return stream.toByteArray();
            }
        }
    }

    /** Many scalars, of which some are set; with text and three states, or one state without. */
    private static void logEntry(Wire out, SplitMix random, long sequence, boolean hasText) {
        int set = hasText ? 60 : 75;
        out.varint(1, sequence);
        out.fixed64(2, 1_500_000_000_000_000L + sequence * 10_000);
        for (int field = 3; field <= 6; field++) {
            if (random.chance(set)) out.float64(field, random.number());
        }
        for (int field = 7; field <= 10; field++) {
            if (random.chance(set)) out.float32(field, (float) random.number());
        }
        if (random.chance(set)) out.varint(11, random.below(100_000));
        if (random.chance(set)) out.varint(12, random.next() >>> 30);
        if (random.chance(set)) out.varint(13, random.below(1000));
        if (random.chance(set)) out.varint(14, random.below(1 << 20));
        if (random.chance(set)) out.varint(15, random.below(2));
        if (random.chance(set)) out.varint(16, random.below(2));
        for (int field = 17; field <= (hasText ? 19 : 18); field++) {
            Wire state = new Wire();
            state(state, random, hasText);
            out.message(field, state);
        }
        if (hasText) {
            for (int field = 20; field <= 23; field++) {
                if (random.chance(80)) out.text(field, words(random, field == 23 ? 60 : 12));
            }
        }
        for (int field = 24; field <= 25; field++) {
            if (random.chance(set)) out.float64(field, random.number());
        }
        if (random.chance(set)) out.varint(26, random.below(100));
        if (random.chance(set)) out.varint(27, random.next() >>> 20);
    }

    private static void state(Wire out, SplitMix random, boolean hasText) {
        for (int field = 1; field <= 3; field++) {
            if (random.chance(80)) out.float64(field, random.number());
        }
        if (random.chance(50)) out.float32(4, (float) random.number());
        for (int field = 5; field <= 6; field++) {
            if (random.chance(90)) {
                Wire vector = new Wire();
                for (int axis = 1; axis <= 3; axis++) {
                    vector.float32(axis, (float) random.number());
                }
                out.message(field, vector);
            }
        }
        if (random.chance(50)) out.varint(7, random.below(256));
        if (hasText && random.chance(80)) out.text(8, words(random, 10));
    }

    private static String words(SplitMix random, int most) {
        StringBuilder words = new StringBuilder();
        int count = 1 + random.below(most);
        for (int at = 0; at < count; at++) {
            if (at > 0) words.append(' ');
            words.append(WORDS[random.below(WORDS.length)]);
        }
        return words.toString();
    }
}
