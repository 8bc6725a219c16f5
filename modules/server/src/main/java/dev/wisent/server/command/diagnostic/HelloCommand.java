package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.TopologyIdentity;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.wire.Compressor;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code hello} and {@code isMaster}: what the server is and can. With a {@code topologyVersion} and
 * {@code maxAwaitTimeMS} the answer waits for a change; where the client allows it, answers go on
 * coming by themselves.
 */
public final class HelloCommand implements Command {
  private static final int METADATA_BYTES_MAX = 1024;
  private static final List<Compressor> SERVED =
      List.of(Compressor.SNAPPY, Compressor.ZSTD, Compressor.ZLIB);

  private final TopologyIdentity topology;
  private final boolean modern;

  /**
   * @param modern whether this is {@code hello}; {@code isMaster} answers with the words of its time
   */
  public HelloCommand(TopologyIdentity topology, boolean modern) {
    this.topology = topology;
    this.modern = modern;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument body = request.body();
    rememberClient(body, context.client());
    await(request);
    if (topology.isClosing()) {
      throw new CommandException(
          ErrorCode.SHUTDOWN_IN_PROGRESS, "The server is in quiesce mode and will shut down");
    }
    if (body.get("helloOk") != null) {
      reply.appendBoolean("helloOk", true);
    }
    reply.appendBoolean(modern ? "isWritablePrimary" : "ismaster", true);
    topology.append(reply);
    reply.appendInt32("maxBsonObjectSize", Limits.DOCUMENT_BYTES_MAX);
    reply.appendInt32("maxMessageSizeBytes", Limits.MESSAGE_BYTES_MAX);
    reply.appendInt32("maxWriteBatchSize", Limits.WRITE_BATCH_MAX);
    reply.appendDate("localTime", context.operation().clock().wallMillis());
    reply.appendInt32("logicalSessionTimeoutMinutes", Limits.SESSION_TIMEOUT_MINUTES);
    reply.appendInt32("connectionId", (int) context.client().id());
    reply.appendInt32("minWireVersion", ServerVersion.WIRE_VERSION_MIN);
    reply.appendInt32("maxWireVersion", ServerVersion.WIRE_VERSION_MAX);
    reply.appendBoolean("readOnly", false);
    negotiateCompression(body, context.client(), reply);
  }

  private static void rememberClient(RawDocument body, ClientConnection client) {
    RawValue metadata = body.get("client");
    if (metadata == null) {
      return;
    }
    if (!metadata.isDocument()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "The client metadata document must be a document, but got "
              + dev.wisent.bson.ElementType.alias(metadata.type()));
    }
    if (metadata.length() > METADATA_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.CLIENT_METADATA_DOCUMENT_TOO_LARGE,
          "The client metadata document must be less then or equal to " + METADATA_BYTES_MAX
              + " bytes");
    }
    if (client.clientMetadata() != null) {
      throw new CommandException(
          ErrorCode.CLIENT_METADATA_CANNOT_BE_MUTATED,
          "The client metadata document may only be sent in the first hello");
    }
    client.clientMetadata(metadata.asDocument());
  }

  private void await(CommandRequest request) {
    RawValue version = request.body().get("topologyVersion");
    RawValue maxAwait = request.body().get("maxAwaitTimeMS");
    if (version == null && maxAwait == null) {
      return;
    }
    if (version == null || maxAwait == null || !version.isDocument() || !maxAwait.isNumber()) {
      throw new CommandException(
          ErrorCode.AWAITABLE_HELLO_ARGUMENTS,
          "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'");
    }
    long millis = maxAwait.toLong();
    if (millis < 0) {
      throw new CommandException(
          ErrorCode.AWAITABLE_HELLO_MAX_TIME, "maxAwaitTimeMS must be a non-negative integer");
    }
    RawValue process = version.asDocument().get("processId");
    RawValue counter = version.asDocument().get("counter");
    boolean current =
        process != null
            && counter != null
            && counter.isNumber()
            && process.type() == dev.wisent.bson.ElementType.OBJECT_ID
            && process.asObjectId().equals(topology.processId())
            && counter.toLong() == topology.counter();
    if (current) {
      topology.awaitChange(counter.toLong(), millis);
    }
    request.continueAfterReply();
  }

  private static void negotiateCompression(
      RawDocument body, ClientConnection client, BsonBuilder reply) {
    RawValue offered = body.get("compression");
    if (offered == null || !offered.isArray()) {
      return;
    }
    var both = new ArrayList<Compressor>();
    ElementCursor names = offered.elements();
    while (names.next()) {
      if (names.value().isString()) {
        Compressor.byName(names.value().asString()).filter(SERVED::contains).ifPresent(both::add);
      }
    }
    client.compressors(both);
    reply.startArray("compression");
    for (int i = 0; i < both.size(); i++) {
      reply.appendString(Integer.toString(i), both.get(i).protocolName());
    }
    reply.end();
  }
}
