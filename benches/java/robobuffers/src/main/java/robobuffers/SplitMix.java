package robobuffers;

/** The generator of random numbers that the streams of both languages are made with: SplitMix64. */
final class SplitMix {
    private long state;

    SplitMix(long seed) {
        state = seed;
    }

    long next() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    int below(int bound) {
        return (int) ((next() >>> 33) % bound);
    }

    boolean chance(int percent) {
        return below(100) < percent;
    }

    double number() {
        return (double) (next() >>> 40) / 1e3;
    }
}
