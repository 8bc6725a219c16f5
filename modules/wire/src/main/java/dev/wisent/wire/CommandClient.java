package dev.wisent.wire;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Consumer;

/**
 * A connection to another node, for one command at a time: what nodes ask each other is small and
 * rare, so it blocks. After an exception the connection is of no use any more.
 */
public final class CommandClient implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private final ReplyBuffer request = new ReplyBuffer();
  private int requestId;

  private CommandClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
  }

  public static CommandClient connect(String host, int port, int timeoutMillis) throws IOException {
    var socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(host, port), timeoutMillis);
      return new CommandClient(socket);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Sends a command and returns the reply, whatever it says. */
  public RawDocument call(Consumer<BsonBuilder> command, int timeoutMillis) throws IOException {
    command.accept(request.startMessage());
    request.finishMessage(++requestId, 0, 0);
    socket.setSoTimeout(timeoutMillis);
    socket.getOutputStream().write(request.bytes(), 0, request.length());
    try {
      byte[] reply = readMessage();
      if (MessageHeader.responseTo(reply) != requestId
          || MessageHeader.opCode(reply) != MessageHeader.OP_MSG) {
        throw new IOException("not the reply to what was asked");
      }
      return OpMsg.parse(reply, reply.length).body();
    } catch (RuntimeException e) {
      throw new IOException("malformed reply: " + e.getMessage(), e);
    }
  }

  private byte[] readMessage() throws IOException {
    byte[] header = new byte[MessageHeader.BYTES];
    in.readFully(header);
    int length = LittleEndian.int32(header, 0);
    if (length < MessageHeader.BYTES || length > Limits.MESSAGE_BYTES_MAX) {
      throw new IOException("a reply of " + length + " bytes");
    }
    byte[] message = new byte[length];
    System.arraycopy(header, 0, message, 0, header.length);
    in.readFully(message, header.length, length - header.length);
    return message;
  }

  /** Ends a call that waits, too. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nobody waits for what it might still have had to say.
    }
  }
}
