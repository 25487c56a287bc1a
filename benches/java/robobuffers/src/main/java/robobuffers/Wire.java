package robobuffers;

import java.util.Arrays;

/** Writes the wire format field by field: what no library's own code has a part in. */
final class Wire {
    private byte[] bytes = new byte[1 << 10];
    private int length;

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    void clear() {
        length = 0;
    }

    int length() {
        return length;
    }

    private void raw(int value) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        bytes[length++] = (byte) value;
    }

    void varint(long value) {
        while ((value & ~0x7FL) != 0) {
            raw((int) value & 0x7F | 0x80);
            value >>>= 7;
        }
        raw((int) value);
    }

    private void fixed(long value, int size) {
        for (int at = 0; at < size; at++) {
            raw((int) (value >>> 8 * at));
        }
    }

    void varint(int field, long value) {
        varint(field << 3);
        varint(value);
    }

    void fixed64(int field, long value) {
        varint(field << 3 | 1);
        fixed(value, 8);
    }

    void float64(int field, double value) {
        fixed64(field, Double.doubleToRawLongBits(value));
    }

    void float32(int field, float value) {
        varint(field << 3 | 5);
        fixed(Float.floatToRawIntBits(value), 4);
    }

    void bytes(int field, byte[] content, int size) {
        varint(field << 3 | 2);
        varint(size);
        for (int at = 0; at < size; at++) {
            raw(content[at]);
        }
    }

    void message(int field, Wire content) {
        bytes(field, content.bytes, content.length);
    }

    void text(int field, String content) {
        byte[] ascii = content.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        bytes(field, ascii, ascii.length);
    }

    void delimited(Wire content) {
        varint(content.length);
        for (int at = 0; at < content.length; at++) {
            raw(content.bytes[at]);
        }
    }

    void append(byte[] content) {
        for (byte each : content) {
            raw(each);
        }
    }

    void doubles(int field, int count) {
        varint(field << 3 | 2);
        varint(8L * count);
        for (int at = 0; at < count; at++) {
            fixed(Double.doubleToRawLongBits(at * 0.5), 8);
        }
    }
}
