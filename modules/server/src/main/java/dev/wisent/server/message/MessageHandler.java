package dev.wisent.server.message;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.dispatch.CommandDispatcher;
import dev.wisent.server.dispatch.ErrorReply;
import dev.wisent.server.memory.OperationMemory;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import dev.wisent.wire.OpQuery;
import dev.wisent.wire.ReplyBuffer;
import dev.wisent.wire.WireException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Turns the messages of one connection into commands, and their results into replies. Messages come
 * one at a time, in order.
 */
public final class MessageHandler {
  private static final int MALFORMED_LOG_ID = 22988;

  private final ClientConnection client;
  private final CommandDispatcher dispatcher;
  private final ServerMetrics metrics;
  private final Log log;
  private final AtomicInteger requestIds;
  private final OperationMemory memory;
  private final ReplyBuffer reply;
  private final LoginLimits limits;

  /** Where finished replies go. */
  public interface Sink {
    void send(byte[] bytes, int length);

    boolean isOpen();
  }

  public MessageHandler(
      ClientConnection client,
      CommandDispatcher dispatcher,
      ServerMetrics metrics,
      Log log,
      AtomicInteger requestIds,
      LoginLimits limits) {
    this.limits = limits;
    this.client = client;
    this.dispatcher = dispatcher;
    this.metrics = metrics;
    this.log = log;
    this.requestIds = requestIds;
    this.memory = client.memory();
    this.reply = new ReplyBuffer(memory::reply);
  }

  /** The memory that a message takes while it is handled, by its length and first bytes. */
  static long bytesNeeded(byte[] start, int length) {
    return MessageHeader.opCode(start) == MessageHeader.OP_COMPRESSED
        ? (long) length + CompressedMessage.claimedSize(start, length)
        : length;
  }

  int messageBytesMax() {
    return limits.messageBytesMax(client);
  }

  /** The connection is idle: it keeps only what it cannot do without. */
  void parked() {
    release(0);
  }

  void closed() {
    release(0);
  }

  private void release(int keptBytesMax) {
    reply.trim(keptBytesMax);
    memory.end(reply.capacity());
  }

  /**
   * Handles one message, header included.
   *
   * @return false if the connection has to be closed
   */
  public boolean handle(byte[] message, int length, Sink sink) {
    metrics.request(length);
    limits.messageBegins(client);
    try {
      checkLength(length);
      return switch (MessageHeader.opCode(message)) {
        case MessageHeader.OP_MSG -> handleMessage(message, length, null, sink);
        case MessageHeader.OP_COMPRESSED -> handleCompressed(message, length, sink);
        case MessageHeader.OP_QUERY -> handleLegacyQuery(message, length, sink);
        default ->
            throw new WireException("opcode " + MessageHeader.opCode(message) + " is not served");
      };
    } catch (WireException e) {
      log.withContext(client.description())
          .info(
              MALFORMED_LOG_ID,
              "Closing connection after a malformed message",
              "remote",
              client.remoteAddress(),
              "error",
              e.getMessage());
      return false;
    } finally {
      limits.messageEnded(client);
      release(memory.keptBytesMax());
    }
  }

  private void checkLength(long length) {
    int max = limits.messageBytesMax(client);
    if (length > max) {
      throw new WireException(
          "a message of " + length + " bytes, of which " + max + " are allowed before a login");
    }
  }

  private boolean handleCompressed(byte[] message, int length, Sink sink) {
    Compressor compressor = CompressedMessage.compressorOf(message, length);
    checkLength(CompressedMessage.claimedSize(message, length));
    byte[] inner = CompressedMessage.unwrap(message, length);
    if (MessageHeader.opCode(inner) != MessageHeader.OP_MSG) {
      throw new WireException("only OP_MSG may be compressed");
    }
    return handleMessage(inner, inner.length, compressor, sink);
  }

  private boolean handleMessage(byte[] message, int length, Compressor compressor, Sink sink) {
    int responseTo = MessageHeader.requestId(message);
    OpMsg parsed;
    CommandRequest request;
    try {
      parsed = OpMsg.parse(message, length);
      request = CommandRequest.of(parsed.body(), parsed.sequences(), parsed.exhaustAllowed());
    } catch (CommandException e) {
      return refuse(message, length, e, sink);
    }
    BooleanSupplier gone = () -> !sink.isOpen();
    while (true) {
      BsonBuilder body = reply.startMessage();
      int flags = parsed.flags() & OpMsg.CHECKSUM_PRESENT;
      EarlyMessage early =
          parsed.moreToCome() ? null : new EarlyMessage(responseTo, flags, compressor, sink);
      if (!dispatcher.dispatch(request, client, gone, early, body)) {
        return false;
      }
      if (parsed.moreToCome() || early.sent) {
        return true;
      }
      boolean more = parsed.exhaustAllowed() && request.continues();
      int requestId = requestIds.incrementAndGet();
      reply.finishMessage(requestId, responseTo, more ? flags | OpMsg.MORE_TO_COME : flags);
      send(reply, compressor, sink);
      if (!more) {
        return !client.closesAfterReply();
      }
      if (!sink.isOpen()) {
        return false;
      }
      responseTo = requestId;
      request = request.next();
    }
  }

  /** A well-framed message that is no command: the client gets an error and may go on. */
  private boolean refuse(byte[] message, int length, CommandException error, Sink sink) {
    if ((OpMsg.flagsOf(message, length) & OpMsg.MORE_TO_COME) != 0) {
      return true;
    }
    ErrorReply.append(reply.startMessage(), error);
    reply.finishMessage(requestIds.incrementAndGet(), MessageHeader.requestId(message), 0);
    send(reply, null, sink);
    return true;
  }

  private boolean handleLegacyQuery(byte[] message, int length, Sink sink) {
    BsonBuilder body = reply.startLegacyReply();
    try {
      OpQuery query = OpQuery.parse(message, length);
      CommandRequest request = CommandRequest.ofLegacyQuery(unwrap(query), query.database());
      if (!query.isCommand() || !LegacyHandshake.allows(request.name())) {
        throw new CommandException(
            ErrorCode.UNSUPPORTED_OP_QUERY_COMMAND,
            "Unsupported OP_QUERY command: "
                + request.name()
                + ". The client driver may require an upgrade.");
      }
      if (!dispatcher.dispatch(request, client, () -> !sink.isOpen(), null, body)) {
        return false;
      }
    } catch (CommandException e) {
      body = reply.startLegacyReply();
      ErrorReply.append(body, e);
    }
    reply.finishLegacyReply(requestIds.incrementAndGet(), MessageHeader.requestId(message));
    send(reply, null, sink);
    return true;
  }

  /** Old clients wrap the command to say how it may be routed. */
  private static RawDocument unwrap(OpQuery query) {
    RawValue wrapped = query.query().get("$query");
    if (wrapped == null) {
      wrapped = query.query().get("query");
    }
    return wrapped != null && wrapped.isDocument() ? wrapped.asDocument() : query.query();
  }

  private void send(ReplyBuffer finished, Compressor compressor, Sink sink) {
    if (compressor != null) {
      try {
        finished.compress(compressor);
      } catch (CommandException noMemory) {
        // Clients read replies that are not compressed, too.
      }
    }
    metrics.reply(finished.length());
    sink.send(finished.bytes(), finished.length());
  }

  /** The reply to a message whose command is still at work, on the thread that does that work. */
  private final class EarlyMessage implements CommandDispatcher.EarlyReply {
    private final int responseTo;
    private final int flags;
    private final Compressor compressor;
    private final Sink sink;
    private boolean sent;

    EarlyMessage(int responseTo, int flags, Compressor compressor, Sink sink) {
      this.responseTo = responseTo;
      this.flags = flags;
      this.compressor = compressor;
      this.sink = sink;
    }

    @Override
    public void send(Consumer<BsonBuilder> body) {
      // The other buffer has what the command has written so far.
      var message = new ReplyBuffer();
      body.accept(message.startMessage());
      message.finishMessage(requestIds.incrementAndGet(), responseTo, flags);
      MessageHandler.this.send(message, compressor, sink);
      sent = true;
    }
  }
}
