package dev.wisent.cluster.router.backup;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.backup.BackupTable;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostSelector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * {@code backupBegin}, {@code backupRead} and {@code backupEnd} of a router. Each names a shard, or
 * {@code config}; {@code backupBegin} chooses a member of it by the client's read preference and
 * tells its address, which the others name. Where a state of a time is wanted, the shard's primary
 * is asked to pass that time until the member has done so.
 */
public final class BackupForwarding {
  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long ASK_MILLIS_MAX = 5_000;
  private static final long MILLIS = 1_000;
  private static final int SECONDS_SHIFT = 32;

  private final ServerServices services;
  private final NodeShardCalls calls;
  private final RoutingCatalog catalog;
  private final Clock clock;

  public BackupForwarding(ServerServices services, NodeShardCalls calls, RoutingCatalog catalog) {
    this.services = services;
    this.calls = calls;
    this.catalog = catalog;
    this.clock = services.clock();
  }

  /** The rows of every node, with the commands of a router. */
  public List<CommandSpec> rows() {
    List<CommandSpec> rows = new ArrayList<>();
    for (CommandSpec row : BackupTable.all(services)) {
      Command own = row.name().equals("backupBegin") ? this::begin : this::goOn;
      rows.add(row.running(own));
    }
    return rows;
  }

  private void begin(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String shard = null;
    RawValue time = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "shard" -> shard = reader.string();
        case "atClusterTime" -> time = reader.value();
        default -> reader.unknown();
      }
    }
    OperationContext operation = context.operation();
    checkShard(shard, operation);
    var command = new BsonBuilder().appendInt32("backupBegin", 1);
    if (time != null) {
      if (time.type() != ElementType.TIMESTAMP) {
        throw ArgumentTypes.wrongType("backupBegin.atClusterTime", time.type(), "timestamp");
      }
      command.append("atClusterTime", time);
    }
    RawValue preference = request.body().get("$readPreference");
    HostSelector hosts =
        preference == null ? HostSelector.primary() : HostSelector.parse(preference.asDocument());
    ShardCall call =
        calls.start(
            operation, ShardRequest.control(shard, "admin", command.toDocument()).from(hosts));
    ShardReply answer = outcome(call, shard, time, operation);
    ShardReply.appendResult(answer.get(), reply);
    reply.appendString("member", answer.host().toString());
  }

  /** An operation that ends early ends the call, too: the shard would keep the state otherwise. */
  private ShardReply outcome(
      ShardCall call, String shard, RawValue time, OperationContext operation) {
    boolean ended = false;
    try {
      if (time != null) {
        passUntilDone(call, shard, time.asInt64(), operation);
      }
      ShardReply answer = call.await(operation);
      ended = true;
      return answer;
    } finally {
      if (!ended) {
        call.cancel();
      }
    }
  }

  private void checkShard(String shard, OperationContext operation) {
    if (shard == null) {
      throw new CommandException(
          ErrorCode.CANNOT_BACKUP,
          "through a router a backup is of one shard at a time: name it with 'shard'");
    }
    boolean known =
        shard.equals(ShardCalls.CONFIG)
            || catalog.shards(operation).stream().anyMatch(each -> each.name().equals(shard));
    if (!known) {
      throw new CommandException(ErrorCode.SHARD_NOT_FOUND, "there is no shard '" + shard + "'");
    }
  }

  /** An idle shard would not come to the time by itself, nor one whose clock is slow at once. */
  private void passUntilDone(ShardCall call, String shard, long time, OperationContext operation) {
    var done = new CountDownLatch(1);
    call.whenDone(done::countDown);
    long[] nextAsk = {clock.monotonicNanos()};
    operation.await(
        nanos -> {
          if (done.await(nanos, TimeUnit.NANOSECONDS)) {
            return true;
          }
          long now = clock.monotonicNanos();
          if (clock.wallMillis() / MILLIS >= time >>> SECONDS_SHIFT && now - nextAsk[0] >= 0) {
            nextAsk[0] = now + ASK_NANOS;
            askToPass(shard, time + 1);
          }
          return false;
        });
  }

  private void askToPass(String shard, long time) {
    OperationContext own = OperationContext.internal(clock);
    own.limitMillis(ASK_MILLIS_MAX);
    RawDocument command = new BsonBuilder().appendTimestamp("_passClusterTime", time).toDocument();
    calls.start(own, ShardRequest.control(shard, "admin", command)).whenDone(() -> {});
  }

  /** Sends a command to the member that has the state. */
  private void goOn(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var command = new BsonBuilder().append(request.name(), request.argument());
    String shard = null;
    String member = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "shard" -> shard = reader.string();
        case "member" -> member = reader.string();
        default -> command.append(reader.name(), reader.value());
      }
    }
    OperationContext operation = context.operation();
    checkShard(shard, operation);
    ShardRequest forwarded =
        ShardRequest.control(shard, "admin", command.toDocument()).at(member(shard, member));
    ShardReply.appendResult(calls.exchange(operation, forwarded).get(), reply);
  }

  /** The address of a member; a router logs in with the cluster's own key where it connects. */
  private HostAndPort member(String shard, String address) {
    String description = calls.connectionString(shard);
    List<String> members =
        Arrays.asList(description.substring(description.indexOf('/') + 1).split(","));
    if (address == null || !members.contains(address)) {
      throw new CommandException(
          ErrorCode.CANNOT_BACKUP, "'" + address + "' is no member of shard '" + shard + "'");
    }
    return HostAndPort.parse(address);
  }
}
