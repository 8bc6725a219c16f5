package dev.wisent.bench.target;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * A bare connection of MongoDB's protocol that can say hello: cheap enough to hold thousands, and
 * to ask every few milliseconds whether a server is up.
 */
public final class WireConnection implements AutoCloseable {
  private static final int OP_MSG = 2013;
  private static final int HEADER_BYTES = 16;

  /** Header, flag bits and the kind byte of the only section. */
  private static final int DOCUMENT_OFFSET = HEADER_BYTES + 4 + 1;

  private static final int COMMAND_NOT_FOUND = 59;
  private static final int REPLY_BYTES_MAX = 1 << 20;
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Socket socket;
  private String greeting = "hello";
  private int requestId;

  private WireConnection(Socket socket) {
    this.socket = socket;
  }

  public static WireConnection open(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(address, TIMEOUT_MILLIS);
      return new WireConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Exchanges a hello; throws unless the answer is ok. */
  public void hello() throws IOException {
    BsonDocument reply = exchange(greeting);
    if (reply.getNumber("code", new BsonInt32(0)).intValue() == COMMAND_NOT_FOUND) {
      // mongo-java-server knows the command only by its old name.
      greeting = "isMaster";
      reply = exchange(greeting);
    }
    if (reply.getNumber("ok", new BsonInt32(0)).doubleValue() != 1.0) {
      throw new IOException(greeting + " was refused: " + reply.toJson());
    }
  }

  private BsonDocument exchange(String command) throws IOException {
    socket.getOutputStream().write(encode(command, ++requestId));
    return receive();
  }

  static byte[] encode(String commandName, int requestId) {
    BsonDocument command =
        new BsonDocument(commandName, new BsonInt32(1)).append("$db", new BsonString("admin"));
    RawBsonDocument body = new RawBsonDocument(command, new BsonDocumentCodec());
    ByteBuffer bytes = body.getByteBuffer().asNIO();
    int length = DOCUMENT_OFFSET + bytes.remaining();
    ByteBuffer message = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    message.putInt(length).putInt(requestId).putInt(0).putInt(OP_MSG);
    message.putInt(0).put((byte) 0).put(bytes);
    return message.array();
  }

  private BsonDocument receive() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    int length = Integer.reverseBytes(in.readInt());
    if (length < DOCUMENT_OFFSET || length > REPLY_BYTES_MAX) {
      throw new IOException("reply of " + length + " bytes");
    }
    byte[] rest = new byte[length - 4];
    try {
      in.readFully(rest);
    } catch (EOFException e) {
      throw new IOException("connection closed inside a reply", e);
    }
    int offset = DOCUMENT_OFFSET - 4;
    return new RawBsonDocument(rest, offset, rest.length - offset);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
