package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogValue;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.authentication.HelloLogin;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.connection.ConnectionLog;
import dev.wisent.server.topology.TopologyIdentity;
import dev.wisent.wire.Compressor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code hello} and {@code isMaster}: what the server is and can. With a {@code topologyVersion}
 * and {@code maxAwaitTimeMS} the answer waits for a change; where the client allows it, answers go
 * on coming by themselves.
 */
public final class HelloCommand implements Command {
  private static final List<Compressor> SERVED =
      List.of(Compressor.SNAPPY, Compressor.ZSTD, Compressor.ZLIB);

  /** Of config servers that are a replica set. */
  private static final int CONFIG_SERVER_VERSION = 2;

  private static final long STEP_MILLIS = 2000;

  private final TopologyIdentity topology;
  private final Optional<HelloMembership> membership;
  private final ClusterRole clusterRole;
  private final HelloLogin login;
  private final Log log;
  private final boolean readOnly;
  private final boolean modern;

  /**
   * @param set empty for a standalone
   * @param login what it does for logins
   * @param log where clients that introduce themselves are noted
   * @param readOnly whether nothing can ever be written. It is a standalone all the same, and calls
   *     itself writable: so does MongoDB, and some clients take any other one for a secondary
   * @param modern whether this is {@code hello}; {@code isMaster} answers with the words of its
   *     time
   */
  public HelloCommand(
      TopologyIdentity topology,
      Optional<ReplicaSet> set,
      ClusterRole clusterRole,
      HelloLogin login,
      Log log,
      boolean readOnly,
      boolean modern) {
    this.topology = topology;
    this.membership = set.map(HelloMembership::new);
    this.clusterRole = clusterRole;
    this.login = login;
    this.log = log;
    this.readOnly = readOnly;
    this.modern = modern;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument body = request.body();
    boolean introduced = ClientMetadata.remember(body, context.client());
    await(request, context);
    if (topology.isClosing()) {
      throw new CommandException(
          ErrorCode.SHUTDOWN_IN_PROGRESS, "The server is in quiesce mode and will shut down");
    }
    if (body.get("helloOk") != null) {
      reply.appendBoolean("helloOk", true);
    }
    long version = topology.counter();
    request.tellTopology(version);
    topology.append(reply, version);
    String primaryField = modern ? "isWritablePrimary" : "ismaster";
    if (membership.isPresent()) {
      membership.get().append(reply, primaryField);
    } else {
      reply.appendBoolean(primaryField, true);
    }
    if (clusterRole == ClusterRole.ROUTER) {
      reply.appendString("msg", "isdbgrid");
    }
    if (clusterRole == ClusterRole.CONFIG_SERVER) {
      reply.appendInt32("configsvr", CONFIG_SERVER_VERSION);
    }
    reply.appendInt32("maxBsonObjectSize", Limits.DOCUMENT_BYTES_MAX);
    reply.appendInt32("maxMessageSizeBytes", Limits.MESSAGE_BYTES_MAX);
    reply.appendInt32("maxWriteBatchSize", Limits.WRITE_BATCH_MAX);
    reply.appendDate("localTime", context.operation().clock().wallMillis());
    reply.appendInt32("logicalSessionTimeoutMinutes", Limits.SESSION_TIMEOUT_MINUTES);
    reply.appendInt32("connectionId", (int) context.client().id());
    reply.appendInt32("minWireVersion", ServerVersion.WIRE_VERSION_MIN);
    reply.appendInt32("maxWireVersion", ServerVersion.WIRE_VERSION_MAX);
    reply.appendBoolean("readOnly", readOnly);
    negotiateCompression(body, context.client(), reply);
    login.append(body, context, reply);
    if (introduced) {
      logClient(context.client());
    }
  }

  private void logClient(ClientConnection client) {
    // As in MongoDB, what a driver says about itself is no data of the client's.
    LogValue metadata =
        new LogValue() {
          @Override
          public void appendJson(StringBuilder out) {
            out.append(client.clientMetadata().toJson());
          }

          @Override
          public void appendRedacted(StringBuilder out) {
            appendJson(out);
          }
        };
    log.withContext(client.description())
        .info(
            ConnectionLog.CLIENT_METADATA,
            "client metadata",
            "remote",
            client.remoteAddress(),
            "client",
            client.description(),
            "negotiatedCompressors",
            client.compressors().stream().map(Compressor::protocolName).toList(),
            "doc",
            metadata);
  }

  private void await(CommandRequest request, CommandContext context) {
    RawValue version = request.body().get("topologyVersion");
    RawValue maxAwait = request.body().get("maxAwaitTimeMS");
    if (version == null && maxAwait == null) {
      return;
    }
    if (version == null || maxAwait == null) {
      throw new CommandException(
          ErrorCode.AWAITABLE_HELLO_ARGUMENTS,
          version == null
              ? "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'"
              : "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'");
    }
    String command = request.name();
    long millis = ArgumentTypes.wholeNumber(command + ".maxAwaitTimeMS", maxAwait);
    if (millis < 0) {
      throw new CommandException(
          ErrorCode.AWAITABLE_HELLO_MAX_TIME, "maxAwaitTimeMS must be a non-negative integer");
    }
    String path = command + ".topologyVersion";
    long told = request.toldTopology();
    long seen = told >= 0 ? told : seenCounter(path, ArgumentTypes.document(path, version));
    if (seen >= 0) {
      awaitChange(seen, millis, context.operation());
    }
    request.continueAfterReply();
  }

  /** In steps, so that a client that has gone is noticed. There may be thousands of waiters. */
  private void awaitChange(long seen, long millis, OperationContext operation) {
    long left = millis;
    while (left > 0 && !topology.awaitChange(seen, Math.min(left, STEP_MILLIS))) {
      left -= STEP_MILLIS;
      operation.checkNow();
    }
  }

  /** The counter of a topology version of this process; -1 for one of another process. */
  private long seenCounter(String path, RawDocument version) {
    RawValue process = version.get("processId");
    RawValue counter = version.get("counter");
    if (process == null) {
      throw ArgumentTypes.missing(path + ".processId");
    }
    if (process.type() != ElementType.OBJECT_ID) {
      throw ArgumentTypes.wrongType(path + ".processId", process.type(), "objectId");
    }
    if (counter == null) {
      throw ArgumentTypes.missing(path + ".counter");
    }
    if (counter.type() != ElementType.INT64) {
      throw ArgumentTypes.wrongType(path + ".counter", counter.type(), "long");
    }
    if (counter.asInt64() < 0) {
      throw new CommandException(
          ErrorCode.TOPOLOGY_COUNTER_NEGATIVE, "topologyVersion must have a non-negative counter");
    }
    if (!process.asObjectId().equals(topology.processId())) {
      return -1;
    }
    if (counter.asInt64() > topology.counter()) {
      throw new CommandException(
          ErrorCode.TOPOLOGY_COUNTER_AHEAD,
          "Received a topology version with counter: "
              + counter.asInt64()
              + " which is greater than the server topology version counter: "
              + topology.counter());
    }
    return counter.asInt64();
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
