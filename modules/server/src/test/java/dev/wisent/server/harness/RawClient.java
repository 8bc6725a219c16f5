package dev.wisent.server.harness;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.bson.BsonDocument;

/** A connection that sends bytes as told. Reads give up after the usual deadline. */
public final class RawClient implements AutoCloseable {
  private static final int LEGACY_REPLY_PREFIX = MessageHeader.BYTES + 20;

  private final Socket socket = new Socket();
  private final InputStream in;
  private int requestId;

  public RawClient(int port) {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Eventually.DEADLINE_SECONDS * 1000);
      socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
      in = socket.getInputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command given as JSON, {@code $db} included, and returns its reply. */
  public BsonDocument run(String json) {
    return run(RawDocument.parse(json));
  }

  public BsonDocument run(RawDocument command) {
    send(message(0, command));
    return body(receive());
  }

  /** An OP_MSG with a body alone. */
  public byte[] message(int flags, RawDocument command) {
    byte[] message = new byte[MessageHeader.BYTES + 5 + command.length()];
    MessageHeader.write(message, message.length, ++requestId, 0, MessageHeader.OP_MSG);
    LittleEndian.putInt32(message, MessageHeader.BYTES, flags);
    System.arraycopy(
        command.bytes(), command.offset(), message, MessageHeader.BYTES + 5, command.length());
    return message;
  }

  public int lastRequestId() {
    return requestId;
  }

  public void send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@link #send}, when the server may have closed the connection meanwhile. */
  public void trySend(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException closed) {
      // What the server thinks of the bytes shows in what it answers.
    }
  }

  /** One message of the server. */
  public byte[] receive() {
    try {
      byte[] length = in.readNBytes(4);
      if (length.length < 4) {
        throw new EOFException("the server has closed the connection");
      }
      byte[] message = Arrays.copyOf(length, LittleEndian.int32(length, 0));
      int read = in.readNBytes(message, 4, message.length - 4);
      if (read < message.length - 4) {
        throw new EOFException("the server has closed the connection within a message");
      }
      return message;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The document of a reply of whatever kind. */
  public static BsonDocument body(byte[] message) {
    return switch (MessageHeader.opCode(message)) {
      case MessageHeader.OP_MSG -> OpMsg.parse(message, message.length).body().toBsonDocument();
      case MessageHeader.OP_REPLY -> RawDocument.at(message, LEGACY_REPLY_PREFIX).toBsonDocument();
      case MessageHeader.OP_COMPRESSED -> body(CompressedMessage.unwrap(message, message.length));
      default -> throw new AssertionError("opcode " + MessageHeader.opCode(message));
    };
  }

  /** Whether nothing arrives for the given time. */
  public boolean staysSilent(int millis) {
    try {
      socket.setSoTimeout(millis);
      in.read();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      readTimeout(Eventually.DEADLINE_SECONDS * 1000);
    }
  }

  private void readTimeout(int millis) {
    try {
      socket.setSoTimeout(millis);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the server closes the connection without another byte, waiting for it. */
  public boolean isClosedByServer() {
    try {
      return in.read() == -1;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
