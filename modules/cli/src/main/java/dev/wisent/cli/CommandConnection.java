package dev.wisent.cli;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import dev.wisent.wire.ReplyBuffer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/** A connection to a server on this machine, for the few commands that the command line sends. */
final class CommandConnection implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MILLIS = 2_000;

  /** Initiating a set waits for its members. */
  private static final int READ_TIMEOUT_MILLIS = 60_000;

  private final Socket socket;
  private final ReplyBuffer request = new ReplyBuffer();
  private int requestId;

  private CommandConnection(Socket socket) {
    this.socket = socket;
  }

  static CommandConnection open(int port) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_TIMEOUT_MILLIS);
      return new CommandConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Sends a command and returns the reply, whatever it says. */
  BsonDocument send(String database, Consumer<BsonBuilder> command) throws IOException {
    BsonBuilder body = request.startMessage();
    command.accept(body);
    body.appendString("$db", database);
    request.finishMessage(++requestId, 0, 0);
    socket.getOutputStream().write(request.bytes(), 0, request.length());
    return readReply(new DataInputStream(socket.getInputStream())).body().toBsonDocument();
  }

  /** Sends a command and insists on {@code ok: 1}. */
  BsonDocument call(String database, Consumer<BsonBuilder> command) throws IOException {
    BsonDocument reply = send(database, command);
    if (reply.getNumber("ok").intValue() != 1) {
      throw new IOException("refused: " + reply.toJson());
    }
    return reply;
  }

  private static OpMsg readReply(DataInputStream in) throws IOException {
    byte[] header = in.readNBytes(MessageHeader.BYTES);
    if (header.length < MessageHeader.BYTES) {
      throw new IOException("connection closed");
    }
    byte[] message = new byte[MessageHeader.length(header)];
    System.arraycopy(header, 0, message, 0, header.length);
    in.readFully(message, header.length, message.length - header.length);
    return OpMsg.parse(message, message.length);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
