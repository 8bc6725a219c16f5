package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** {@code top}: the time that the primaries of all shards have spent in each namespace. */
final class ShardTimes implements Command {
  private static final RawDocument TOP = new BsonBuilder().appendInt32("top", 1).toDocument();

  private final AllShards shards;

  private static final class Sum {
    private long micros;
    private long count;
  }

  ShardTimes(AllShards shards) {
    this.shards = shards;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Map<String, Map<String, Sum>> totals = new TreeMap<>();
    for (ShardReply each :
        shards.call(context.operation(), shards.names(context.operation()), "admin", TOP)) {
      add(each.get().get("totals"), totals);
    }
    reply.startDocument("totals").appendString("note", "all times in microseconds");
    totals.forEach((namespace, sums) -> append(namespace, sums, reply));
    reply.end();
  }

  private static void add(RawValue shard, Map<String, Map<String, Sum>> totals) {
    ElementCursor namespaces = shard.elements();
    while (namespaces.next()) {
      if (!namespaces.value().isDocument()) {
        continue;
      }
      Map<String, Sum> sums =
          totals.computeIfAbsent(namespaces.name(), key -> new LinkedHashMap<>());
      ElementCursor kinds = namespaces.value().elements();
      while (kinds.next()) {
        Sum sum = sums.computeIfAbsent(kinds.name(), key -> new Sum());
        RawDocument counted = kinds.value().asDocument();
        sum.micros += counted.get("time").toLong();
        sum.count += counted.get("count").toLong();
      }
    }
  }

  private static void append(String namespace, Map<String, Sum> sums, BsonBuilder reply) {
    reply.startDocument(namespace);
    sums.forEach(
        (kind, sum) ->
            reply
                .startDocument(kind)
                .appendInt64("time", sum.micros)
                .appendInt64("count", sum.count)
                .end());
    reply.end();
  }
}
