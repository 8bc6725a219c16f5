package dev.wisent.wire.client;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import dev.wisent.wire.ReplyBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One connection to another node. It blocks; one thread at a time uses it. No virtual thread does,
 * for a socket that one has used needs three system calls to wait for a reply from then on. Any
 * thread may close it, which ends a wait. After an exception it is of no use any more.
 */
final class NodeConnection {
  private static final int KEPT_BUFFER_BYTES = 64 * 1024;

  /** A reply that is not larger is read at once. */
  private static final int INPUT_BYTES = 8 * 1024;

  /** The JDK copies through a direct buffer as long as the request, and keeps it per thread. */
  private static final int TRANSFER_BYTES_MAX = 64 * 1024;

  private final NodeClientOptions options;
  private final SocketChannel channel;
  private final ReplyBuffer buffer = new ReplyBuffer();
  private Socket socket;
  private InputStream in;
  private OutputStream out;
  private Compressor compressor;

  /** What is read and belongs to no message yet is {@code input[inputStart..inputEnd)}. */
  private final byte[] input = new byte[INPUT_BYTES];

  private int inputStart;
  private int inputEnd;
  private int lastRequestId;

  /** Of the message that was read last; 0 before the first reply to a request. */
  private int lastReplyId;

  /** When its last call ended; guarded by the lock of its pool. */
  long idleSinceNanos;

  /** Of the pool, when the connection was made: {@code dropConnections} begins a new one. */
  final long generation;

  private NodeConnection(SocketChannel channel, NodeClientOptions options, long generation) {
    this.channel = channel;
    this.options = options;
    this.generation = generation;
  }

  /** A reply and whether the other node sends another one by itself. */
  record Reply(RawDocument body, boolean moreToCome) {}

  /** Not connected yet, but can be closed already. */
  static NodeConnection open(NodeClientOptions options, long generation) throws IOException {
    return new NodeConnection(SocketChannel.open(), options, generation);
  }

  /** Connects and shakes hands. The caller closes the connection if that takes too long. */
  void connect(HostAndPort host) throws IOException {
    Socket plain = channel.socket();
    plain.setTcpNoDelay(true);
    plain.connect(
        new InetSocketAddress(host.plainHost(), host.port()),
        Math.toIntExact(options.connectTimeout().toMillis()));
    socket = options.security().secure(plain, host);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    greet();
    options.authentication().authenticate(host, this::exchangeBare);
  }

  private void greet() throws IOException {
    var hello = new BsonBuilder();
    hello.appendInt32("hello", 1).appendBoolean("helloOk", true).appendString("$db", "admin");
    hello.startDocument("client");
    hello.startDocument("driver");
    hello.appendString("name", "wisent " + options.name()).appendString("version", "1").end();
    hello.startDocument("os").appendString("type", "Java").end();
    hello.end();
    if (!options.compressors().isEmpty()) {
      hello.startArray("compression");
      for (int i = 0; i < options.compressors().size(); i++) {
        hello.append(i, RawValue.ofString(options.compressors().get(i).protocolName()));
      }
      hello.end();
    }
    RawDocument reply = exchangeBare(hello.toDocument());
    if (!CommandReplies.isOk(reply)) {
      throw new IOException("the handshake was refused: " + reply.toJson());
    }
    compressor = agreed(reply).orElse(null);
  }

  /** The first compressor that this node offers and the other one has. */
  private Optional<Compressor> agreed(RawDocument reply) {
    RawValue list = reply.get("compression");
    if (list == null || !list.isArray()) {
      return Optional.empty();
    }
    ElementCursor names = list.elements();
    while (names.next()) {
      Optional<Compressor> known =
          names.value().isString() ? Compressor.byName(names.value().asString()) : Optional.empty();
      if (known.isPresent() && options.compressors().contains(known.get())) {
        return known;
      }
    }
    return Optional.empty();
  }

  /** Without compression and gossip, as it has to be before the connection is set up. */
  private RawDocument exchangeBare(RawDocument command) throws IOException {
    buffer.startMessage().appendAll(command);
    buffer.finishMessage(++lastRequestId, 0, 0);
    write();
    return read(lastRequestId, lastRequestId).body();
  }

  /** Sends a request; {@link #receive} returns its reply. */
  void send(NodeRequest request) throws IOException {
    send(request, 0);
  }

  RawDocument receive() throws IOException {
    Reply reply = read(lastRequestId, lastRequestId);
    if (reply.moreToCome()) {
      throw new ReplyException("more replies than were asked for");
    }
    return reply.body();
  }

  /** Sends a request and hands on its replies, until the last one. */
  void stream(NodeRequest request, Consumer<RawDocument> replies) throws IOException {
    send(request, OpMsg.EXHAUST_ALLOWED);
    int requestId = lastRequestId;
    Reply reply;
    do {
      // A reply that comes by itself answers the one before.
      reply = read(requestId, lastReplyId == 0 ? requestId : lastReplyId);
      replies.accept(reply.body());
    } while (reply.moreToCome());
  }

  private void send(NodeRequest request, int flags) throws IOException {
    BsonBuilder body = buffer.startMessage();
    body.appendAll(request.command());
    if (request.database() != null) {
      body.appendString("$db", request.database());
    }
    if (request.command().get("$clusterTime") == null) {
      options.gossip().appendTo(body);
    }
    buffer.finishRequest(++lastRequestId, flags, request.sequences());
    if (buffer.length() > Limits.MESSAGE_BYTES_MAX) {
      throw new RequestException("a request of " + buffer.length() + " bytes");
    }
    if (compressor != null) {
      buffer.compress(compressor);
    }
    lastReplyId = 0;
    write();
  }

  private void write() throws IOException {
    int at = 0;
    while (at < buffer.length()) {
      int length = Math.min(buffer.length() - at, TRANSFER_BYTES_MAX);
      out.write(buffer.bytes(), at, length);
      at += length;
    }
    out.flush();
    buffer.trim(KEPT_BUFFER_BYTES);
  }

  private Reply read(int responseTo, int orResponseTo) throws IOException {
    byte[] message = readMessage();
    int answered = MessageHeader.responseTo(message);
    if (answered != responseTo && answered != orResponseTo) {
      throw new ReplyException("a reply to message " + answered + ", not to " + responseTo);
    }
    lastReplyId = MessageHeader.requestId(message);
    try {
      if (MessageHeader.opCode(message) == MessageHeader.OP_COMPRESSED) {
        message = CompressedMessage.unwrap(message, message.length);
      }
      if (MessageHeader.opCode(message) != MessageHeader.OP_MSG) {
        throw new ReplyException("a reply with opcode " + MessageHeader.opCode(message));
      }
      OpMsg reply = OpMsg.parse(message, message.length);
      RawValue time = reply.body().get("$clusterTime");
      if (time != null && time.isDocument()) {
        options.gossip().received(time.asDocument());
      }
      return new Reply(reply.body(), reply.moreToCome());
    } catch (RuntimeException e) {
      throw new ReplyException("a malformed reply: " + e.getMessage());
    }
  }

  private byte[] readMessage() throws IOException {
    while (inputEnd - inputStart < MessageHeader.BYTES) {
      fill();
    }
    int length = LittleEndian.int32(input, inputStart);
    if (length < MessageHeader.BYTES || length > Limits.MESSAGE_BYTES_MAX) {
      throw new ReplyException("a reply of " + length + " bytes");
    }
    byte[] message = new byte[length];
    int at = Math.min(length, inputEnd - inputStart);
    System.arraycopy(input, inputStart, message, 0, at);
    inputStart += at;
    while (at < length) {
      at += readSome(message, at);
    }
    return message;
  }

  private void fill() throws IOException {
    System.arraycopy(input, inputStart, input, 0, inputEnd - inputStart);
    inputEnd -= inputStart;
    inputStart = 0;
    inputEnd += readSome(input, inputEnd);
  }

  private int readSome(byte[] target, int at) throws IOException {
    int read = in.read(target, at, Math.min(target.length - at, TRANSFER_BYTES_MAX));
    if (read < 0) {
      throw new EOFException("the connection has ended");
    }
    return read;
  }

  /**
   * Whether an idle connection has ended, or holds bytes that no call asked for. So a call on it
   * does not fail because the other node was restarted meanwhile.
   */
  boolean isStale() {
    if (inputStart < inputEnd) {
      return true;
    }
    try {
      // What was decrypted already is not in the channel any more.
      if (socket != channel.socket() && in.available() > 0) {
        return true;
      }
      channel.configureBlocking(false);
      int read = channel.read(ByteBuffer.allocate(1));
      channel.configureBlocking(true);
      return read != 0;
    } catch (IOException e) {
      return true;
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The connection is of no use in any case.
    }
  }

  /** The other node breaks the protocol. */
  static final class ReplyException extends IOException {
    private static final long serialVersionUID = 1;

    ReplyException(String message) {
      super(message);
    }
  }

  /** The request cannot be sent to any node. */
  static final class RequestException extends IOException {
    private static final long serialVersionUID = 1;

    RequestException(String message) {
      super(message);
    }
  }
}
