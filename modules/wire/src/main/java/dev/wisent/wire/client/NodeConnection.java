package dev.wisent.wire.client;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import dev.wisent.wire.ReplyBuffer;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One connection to another node. It blocks, on virtual threads; one thread at a time uses it. Any
 * thread may close it, which ends a wait. After an exception it is of no use any more.
 */
final class NodeConnection {
  private static final int KEPT_BUFFER_BYTES = 64 * 1024;

  private final NodeClientOptions options;
  private final SocketChannel channel;
  private final ReplyBuffer buffer = new ReplyBuffer();
  private Socket socket;
  private DataInputStream in;
  private OutputStream out;
  private Compressor compressor;
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
    in = new DataInputStream(socket.getInputStream());
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

  /** Sends a request and returns its reply. */
  RawDocument exchange(NodeRequest request) throws IOException {
    send(request, 0);
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
    out.write(buffer.bytes(), 0, buffer.length());
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
    byte[] header = new byte[MessageHeader.BYTES];
    in.readFully(header);
    int length = MessageHeader.length(header);
    if (length < MessageHeader.BYTES || length > Limits.MESSAGE_BYTES_MAX) {
      throw new ReplyException("a reply of " + length + " bytes");
    }
    byte[] message = new byte[length];
    System.arraycopy(header, 0, message, 0, header.length);
    in.readFully(message, header.length, length - header.length);
    return message;
  }

  /**
   * Whether an idle connection has ended, or holds bytes that no call asked for. So a call on it
   * does not fail because the other node was restarted meanwhile.
   */
  boolean isStale() {
    try {
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
