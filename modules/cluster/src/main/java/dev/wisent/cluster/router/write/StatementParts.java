package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.cluster.router.write.StatementRest.EarlierRanges;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RangeDifference;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bson.types.ObjectId;

/**
 * A statement for several shards, of which one at least was asked. What a shard has executed it for
 * are the ranges that it had then. Where ranges have moved meanwhile, the others are asked for the
 * rest (rule H8): so no document is changed twice, and none is left out. Where the collection has
 * got another key, the rest are the documents whose old keys are in none of these ranges.
 */
final class StatementParts {
  private final List<Executed> executed = new ArrayList<>(2);
  private final List<CommandException> errors = new ArrayList<>(0);
  private Set<String> asked = Set.of();
  private final Set<String> answered = new TreeSet<>();

  /**
   * A shard has executed the statement for the ranges that it has in a table.
   *
   * @param table null where the collection was not sharded
   */
  private record Executed(String shard, RoutingTable table) {}

  /**
   * What is left for shards, by their names.
   *
   * @param routing null where the collection is not sharded
   */
  Map<String, StatementRest> rest(Set<String> shards, CollectionRouting routing) {
    var rest = new LinkedHashMap<String, StatementRest>();
    List<EarlierRanges> earlier = earlier(routing);
    if (earlier.stream().anyMatch(each -> each.ranges().isEmpty())) {
      return rest;
    }
    boolean moved =
        routing != null && executed.stream().anyMatch(each -> isOlder(each.table, routing.table()));
    for (String shard : new TreeSet<>(shards)) {
      List<ChunkRange> left = moved ? left(shard, routing) : null;
      boolean done = moved ? left != null && left.isEmpty() : hasExecuted(shard, routing);
      if (!done) {
        rest.put(shard, new StatementRest(left, earlier));
      }
    }
    return rest;
  }

  /** What was left in each sharding of the collection that is no more. */
  private List<EarlierRanges> earlier(CollectionRouting routing) {
    var done = new LinkedHashMap<ObjectId, List<Executed>>();
    for (Executed each : executed) {
      if (each.table != null && !isSame(each.table, routing)) {
        done.computeIfAbsent(each.table.version().epoch(), epoch -> new ArrayList<>()).add(each);
      }
    }
    var earlier = new ArrayList<EarlierRanges>();
    for (List<Executed> parts : done.values()) {
      ShardKeyPattern key = parts.getFirst().table.key();
      List<ChunkRange> left = List.of(new ChunkRange(key.globalMin(), key.globalMax()));
      for (Executed each : parts) {
        left = new RangeDifference(key).of(left, each.table.rangesOf(each.shard));
      }
      earlier.add(new EarlierRanges(key.pattern(), left));
    }
    return earlier;
  }

  private static boolean isSame(RoutingTable then, CollectionRouting routing) {
    return routing != null && then.version().isSameCollection(routing.table().version());
  }

  private static boolean isOlder(RoutingTable then, RoutingTable now) {
    return then != null
        && then != now
        && then.version().isSameCollection(now.version())
        && !then.version().equals(now.version());
  }

  private boolean hasExecuted(String shard, CollectionRouting routing) {
    return executed.stream()
        .filter(each -> each.table == null || isSame(each.table, routing))
        .anyMatch(each -> each.shard.equals(shard));
  }

  /** Null where nothing of it is done. */
  private List<ChunkRange> left(String shard, CollectionRouting routing) {
    List<ChunkRange> all = routing.table().rangesOf(shard);
    var difference = new RangeDifference(routing.key());
    List<ChunkRange> left = all;
    for (Executed each : executed) {
      if (each.table != null && isSame(each.table, routing)) {
        left = difference.of(left, each.table.rangesOf(each.shard));
      }
    }
    return left.equals(all) ? null : left;
  }

  void ask(Set<String> shards) {
    asked = Set.copyOf(shards);
    answered.clear();
  }

  void executed(String shard, CollectionRouting routing) {
    answered.add(shard);
    executed.add(new Executed(shard, routing == null ? null : routing.table()));
  }

  void failed(CommandException error) {
    errors.add(error);
  }

  List<CommandException> errors() {
    return errors;
  }

  /** Whether all that were asked in this round have executed it. */
  boolean isDone() {
    return answered.containsAll(asked);
  }
}
