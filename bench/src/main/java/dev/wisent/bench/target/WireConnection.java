package dev.wisent.bench.target;

import dev.wisent.bench.access.Login;
import dev.wisent.bench.access.ScramClient;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
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
    return open(address, Optional.empty());
  }

  static WireConnection open(InetSocketAddress address, Optional<SSLContext> encryption)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(address, TIMEOUT_MILLIS);
      return new WireConnection(
          encryption.isEmpty() ? socket : encrypted(socket, encryption.get(), address));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket encrypted(Socket socket, SSLContext context, InetSocketAddress address)
      throws IOException {
    var secured =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(socket, address.getHostString(), address.getPort(), true);
    secured.startHandshake();
    return secured;
  }

  /** Exchanges a hello; throws unless the answer is ok. */
  public void hello() throws IOException {
    BsonDocument reply = exchange(greeting);
    if (reply.getNumber("code", new BsonInt32(0)).intValue() == COMMAND_NOT_FOUND) {
      // mongo-java-server knows the command only by its old name.
      greeting = "isMaster";
      reply = exchange(greeting);
    }
    checkOk(greeting, reply);
  }

  /** Exchanges a ping; throws unless the answer is ok. */
  public void ping() throws IOException {
    checkOk("ping", exchange("ping"));
  }

  /** Says hello and logs in with two messages, as drivers do. */
  public void login(Login login) throws IOException {
    var scram = new ScramClient(login);
    var begin =
        new BsonDocument("saslStart", new BsonInt32(1))
            .append("mechanism", new BsonString("SCRAM-SHA-256"))
            .append("payload", new BsonBinary(scram.first()))
            .append("db", new BsonString(login.database()))
            .append("options", new BsonDocument("skipEmptyExchange", BsonBoolean.TRUE));
    BsonDocument hello =
        exchange(
            new BsonDocument("hello", new BsonInt32(1)).append("speculativeAuthenticate", begin),
            "admin");
    checkOk("hello", hello);
    BsonDocument started = hello.getDocument("speculativeAuthenticate", new BsonDocument());
    if (started.isEmpty()) {
      throw new IOException("hello began no login: " + hello.toJson());
    }
    var proof =
        new BsonDocument("saslContinue", new BsonInt32(1))
            .append("conversationId", started.get("conversationId"))
            .append("payload", new BsonBinary(scram.prove(started.getBinary("payload").getData())));
    BsonDocument ended = exchange(proof, login.database());
    checkOk("saslContinue", ended);
    scram.verify(ended.getBinary("payload").getData());
  }

  private static void checkOk(String command, BsonDocument reply) throws IOException {
    if (reply.getNumber("ok", new BsonInt32(0)).doubleValue() != 1.0) {
      throw new IOException(command + " was refused: " + reply.toJson());
    }
  }

  private BsonDocument exchange(String command) throws IOException {
    return exchange(new BsonDocument(command, new BsonInt32(1)), "admin");
  }

  private BsonDocument exchange(BsonDocument command, String database) throws IOException {
    command.append("$db", new BsonString(database));
    socket.getOutputStream().write(encode(command, ++requestId));
    return receive();
  }

  static byte[] encode(BsonDocument command, int requestId) {
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
