package robobuffers;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/** What each library reads of the messages, as text: that of every library of both languages is one file. */
public final class Values {
    private final StringBuilder text = new StringBuilder();

    /** Compares the values of each library with a file; with `--write` before it, writes it. */
    public static void main(String[] arguments) throws Exception {
        String[] libraries = {"protobuf", "quickbuf", "lite"};
        Path file = Path.of(arguments[arguments.length - 1]);
        for (String library : libraries) {
            String found = of(library);
            if (arguments[0].equals("--write")) {
                Files.writeString(file, found);
            }
            String expected = Files.readString(file);
            if (!found.equals(expected)) {
                Files.writeString(Path.of("values." + library), found);
                System.err.println("error: `" + library + "` reads other values than " + file.getFileName());
                System.exit(1);
            }
        }
    }

    private static String of(String library) throws Exception {
        Values values = new Values();
        values.message(library, "Car", Samples.car(), benchgate.protobuf.Car.getDescriptor());
        values.message(library, "MarketData", Samples.market(), benchgate.protobuf.MarketData.getDescriptor());
        values.message(
                library, "FooBarContainer", Samples.container(), benchgate.protobuf.FooBarContainer.getDescriptor());
        for (int stream = 1; stream <= 5; stream++) {
            values.stream(library, stream);
        }
        return values.text.toString();
    }

    private void message(String library, String name, byte[] bytes, Descriptor type) throws Exception {
        text.append(name).append(' ').append(HexFormat.of().formatHex(bytes)).append('\n');
        fields("  ", parsed(library, name, bytes), type);
    }

    private static Object parsed(String library, String name, byte[] bytes) throws Exception {
        Class<?> type = Class.forName("benchgate." + library + "." + name);
        return type.getMethod("parseFrom", byte[].class).invoke(null, (Object) bytes);
    }

    /** Bytes, messages and digest of a stream, and the values of the first entry of a log. */
    private void stream(String library, int number) throws Exception {
        byte[] bytes = Stream.of(number);
        Library stream = Streams.of(library, number);
        int messages = stream.read();
        if (!java.util.Arrays.equals(stream.readWrite(), bytes)) {
            throw new IOException("stream " + number + " is not written as it was read");
        }
        String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        text.append("stream ").append(number).append(": ").append(messages).append(" messages, ");
        text.append(bytes.length).append(" bytes, ").append(digest).append('\n');
        if (number <= 2) {
            CodedInputStream in = CodedInputStream.newInstance(bytes);
            byte[] first = in.readRawBytes(in.readRawVarint32());
            fields("  ", parsed(library, "LogEntry", first), benchgate.protobuf.LogEntry.getDescriptor());
        }
    }

    private void fields(String indent, Object message, Descriptor type) throws Exception {
        for (FieldDescriptor field : type.getFields()) {
            String name = camel(field.getName());
            if (field.isRepeated()) {
                for (Object each : list(message, name)) {
                    value(indent, field, each);
                }
            } else if ((Boolean) get(message, "has" + name)) {
                value(indent, field, get(message, "get" + name));
            }
        }
    }

    private void value(String indent, FieldDescriptor field, Object value) throws Exception {
        text.append(indent).append(field.getName());
        if (field.getJavaType() == JavaType.MESSAGE) {
            text.append('\n');
            fields(indent + "  ", value, field.getMessageType());
            return;
        }
        text.append(": ").append(shown(field, value)).append('\n');
    }

    /** Floating point numbers as their bits, for no two languages print them alike; Java has no unsigned numbers. */
    private static String shown(FieldDescriptor field, Object value) throws Exception {
        if (value instanceof Float number) {
            return Integer.toHexString(Float.floatToRawIntBits(number));
        }
        if (value instanceof Double number) {
            return Long.toHexString(Double.doubleToRawLongBits(number));
        }
        boolean isUnsigned =
                switch (field.getType()) {
                    case UINT64, FIXED64, UINT32, FIXED32 -> true;
                    default -> false;
                };
        if (isUnsigned && value instanceof Long number) {
            return Long.toUnsignedString(number);
        }
        if (isUnsigned && value instanceof Integer number) {
            return Integer.toUnsignedString(number);
        }
        if (value instanceof Enum<?>) {
            return String.valueOf(get(value, "getNumber"));
        }
        return value.toString();
    }

    private static Object get(Object from, String method) throws Exception {
        Method getter = from.getClass().getMethod(method);
        // Some are of a class that is not public.
        getter.setAccessible(true);
        return getter.invoke(from);
    }

    private static List<?> list(Object message, String name) throws Exception {
        if (!(message instanceof us.hebi.quickbuf.ProtoMessage<?>)) {
            return (List<?>) get(message, "get" + name + "List");
        }
        Object repeated = get(message, "get" + name);
        int length = (Integer) get(repeated, "length");
        java.util.ArrayList<Object> list = new java.util.ArrayList<>();
        Method at = repeated.getClass().getMethod("get", int.class);
        at.setAccessible(true);
        for (int index = 0; index < length; index++) {
            list.add(at.invoke(repeated, index));
        }
        return list;
    }

    private static String camel(String name) {
        StringBuilder camel = new StringBuilder();
        for (String word : name.split("_")) {
            camel.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return camel.toString();
    }
}
