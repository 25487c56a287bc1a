package robobuffers;

import benchgate.lite.runtime.CodedInputStream;
import benchgate.lite.runtime.CodedOutputStream;
import benchgate.lite.runtime.MessageLite;
import benchgate.lite.runtime.Parser;
import java.io.IOException;

/** A stream of messages by the lite runtime of protobuf: the same code, for its classes have other names. */
final class Lite implements Library {
    private final byte[] input;
    private final byte[] output;
    private final Parser<? extends MessageLite> parser;

    Lite(byte[] input, int stream) {
        this.input = input;
        output = new byte[input.length];
        parser =
                switch (stream) {
                    case 3 -> benchgate.lite.Car.parser();
                    case 4 -> benchgate.lite.MarketData.parser();
                    case 5 -> benchgate.lite.PackedDoubles.parser();
                    default -> benchgate.lite.LogEntry.parser();
                };
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
