package dev.wisent.cluster.router.statistics;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.CollectionRouting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Commands that every shard of a collection gets, and whose replies are put together. */
public final class GatheredCommands {
  /** What the router adds itself. */
  private static final Set<String> NOT_PASSED = Set.of("$db", "$clusterTime", "maxTimeMS");

  private static final Map<String, Merge> BY_NAME =
      Map.of(
          "collStats", CollStatsReply::append,
          "validate", ValidateReply::append,
          "dataSize", GatheredCommands::appendSizes,
          "planCacheClear", GatheredCommands::appendByShard,
          "planCacheSetFilter", GatheredCommands::appendByShard,
          "planCacheListFilters", GatheredCommands::appendByShard,
          "planCacheClearFilters", GatheredCommands::appendByShard);

  private final ShardCalls calls;

  /** Makes a client's reply of those of shards. */
  private interface Merge {
    void append(Gathered gathered, BsonBuilder reply);
  }

  /** A shard of a collection, and the versions that a request carries there. */
  public record Part(String shard, RawDocument versions) {}

  /**
   * What shards have answered.
   *
   * @param command the client's
   * @param routing null where the collection is not sharded
   * @param replies in the order of the names of the shards
   */
  record Gathered(
      Namespace namespace,
      RawDocument command,
      CollectionRouting routing,
      List<ShardReply> replies) {}

  public GatheredCommands(ShardCalls calls) {
    this.calls = calls;
  }

  public static boolean has(String command) {
    return BY_NAME.containsKey(command);
  }

  /**
   * @param name the command's, whatever the client calls it
   * @param body the client's request
   * @param routing null where the collection is not sharded
   */
  public void run(
      OperationContext operation,
      String name,
      RawDocument body,
      Namespace namespace,
      CollectionRouting routing,
      List<Part> parts,
      BsonBuilder reply) {
    RawDocument command = body.without(NOT_PASSED);
    RawDocument sent = name.equals("collStats") ? CollStatsReply.unscaled(command) : command;
    var requests = new ArrayList<ShardRequest>();
    for (Part part : parts) {
      RawDocument versioned =
          new BsonBuilder(sent.length() + part.versions().length())
              .appendAll(sent)
              .appendAll(part.versions())
              .toDocument();
      requests.add(ShardRequest.read(part.shard(), namespace.database(), versioned));
    }
    List<ShardReply> replies = calls.callAll(operation, requests);
    BY_NAME.get(name).append(new Gathered(namespace, command, routing, replies), reply);
  }

  private static void appendSizes(Gathered gathered, BsonBuilder reply) {
    for (String sum : List.of("size", "numObjects", "millis")) {
      long total = 0;
      for (ShardReply each : gathered.replies()) {
        total += each.get().get(sum).toLong();
      }
      reply.appendInt64(sum, total);
    }
  }

  /** What the first shard says, and what each of them says under its name. */
  private static void appendByShard(Gathered gathered, BsonBuilder reply) {
    gathered.replies().forEach(ShardReply::get);
    ShardReply.appendResult(gathered.replies().getFirst().get(), reply);
    for (ShardReply each : gathered.replies()) {
      reply.startDocument(each.request().shard());
      ShardReply.appendResult(each.get(), reply);
      reply.appendDouble("ok", 1).end();
    }
  }
}
