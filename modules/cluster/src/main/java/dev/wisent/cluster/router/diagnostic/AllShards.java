package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends a command to every shard. */
public final class AllShards {
  private final RoutingCatalog catalog;
  private final NodeShardCalls calls;

  public AllShards(RoutingCatalog catalog, NodeShardCalls calls) {
    this.catalog = catalog;
    this.calls = calls;
  }

  ShardCalls calls() {
    return calls;
  }

  public List<String> names(OperationContext operation) {
    return catalog.shards(operation).stream().map(ShardInfo::name).toList();
  }

  /** The config servers too, which may be one of the shards. */
  public List<String> withConfig(OperationContext operation) {
    var names = new ArrayList<>(names(operation));
    if (!names.contains(ShardCalls.CONFIG)) {
      names.add(ShardCalls.CONFIG);
    }
    return names;
  }

  /** The replies of the primaries, whatever they are. */
  public List<ShardReply> call(
      OperationContext operation, List<String> shards, String database, RawDocument command) {
    return calls.callAll(
        operation,
        shards.stream().map(shard -> ShardRequest.control(shard, database, command)).toList());
  }

  /**
   * Sends a command to all members that answer, of the shards that this router has used and of the
   * config servers.
   */
  void tellMembers(RawDocument command) {
    var unused = calls.tellMembers(command);
  }

  /** Sends a command to the members of all shards, and waits until it is done. */
  void callMembers(OperationContext operation, RawDocument command) {
    names(operation).forEach(calls::follow);
    CompletableFuture<Void> told = calls.tellMembers(command);
    operation.await(nanos -> isOver(told, nanos));
  }

  private static boolean isOver(CompletableFuture<Void> told, long nanos)
      throws InterruptedException {
    try {
      told.get(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException notYet) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /**
   * Appends {@code raw}: the reply of each, by the shard's connection string. Fails with the first
   * error.
   */
  public void appendRaw(List<ShardReply> replies, BsonBuilder out) {
    out.startDocument("raw");
    for (ShardReply each : replies) {
      out.startDocument(calls.connectionString(each.request().shard()));
      ShardReply.appendResult(each.get(), out);
      out.end();
    }
    out.end();
  }
}
