package robobuffers;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.IOException;

/** A stream of messages by protobuf-java. */
final class Full implements Library {
    private final byte[] input;
    private final byte[] output;
    private final Parser<? extends MessageLite> parser;

    Full(byte[] input, int stream) {
        this.input = input;
        output = new byte[input.length];
        parser =
                switch (stream) {
                    case 3 -> benchgate.protobuf.Car.parser();
                    case 4 -> benchgate.protobuf.MarketData.parser();
                    case 5 -> benchgate.protobuf.PackedDoubles.parser();
                    default -> benchgate.protobuf.LogEntry.parser();
                };
    }

    static int write(MessageLite message, byte[] output) throws IOException {
        CodedOutputStream out = CodedOutputStream.newInstance(output);
        message.writeTo(out);
        return out.getTotalBytesWritten();
    }

    private MessageLite next(CodedInputStream in) throws IOException {
        int limit = in.pushLimit(in.readRawVarint32());
        MessageLite message = parser.parseFrom(in);
        in.popLimit(limit);
        return message;
    }

    @Override
    public int read() throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(input);
        int messages = 0;
        while (!in.isAtEnd()) {
            next(in);
            messages++;
        }
        return messages;
    }

    @Override
    public byte[] readWrite() throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(input);
        CodedOutputStream out = CodedOutputStream.newInstance(output);
        while (!in.isAtEnd()) {
            MessageLite message = next(in);
            out.writeUInt32NoTag(message.getSerializedSize());
            message.writeTo(out);
        }
        return output;
    }
}
