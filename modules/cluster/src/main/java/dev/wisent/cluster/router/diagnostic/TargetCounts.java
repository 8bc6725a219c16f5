package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** How many shards commands went to, for {@code serverStatus}. Thread-safe. */
public final class TargetCounts {
  private static final List<String> COMMANDS =
      List.of("aggregate", "delete", "find", "insert", "update");

  private final Map<String, Counts> counts = new TreeMap<>();

  private static final class Counts {
    private final LongAdder unsharded = new LongAdder();
    private final LongAdder oneShard = new LongAdder();
    private final LongAdder manyShards = new LongAdder();
    private final LongAdder allShards = new LongAdder();
  }

  public TargetCounts() {
    COMMANDS.forEach(command -> counts.put(command, new Counts()));
  }

  public void unsharded(String command) {
    Counts of = counts.get(command);
    if (of != null) {
      of.unsharded.increment();
    }
  }

  /**
   * @param targeted how many shards it went to
   * @param owners how many shards have chunks of the collection
   */
  public void sharded(String command, int targeted, int owners) {
    Counts of = counts.get(command);
    if (of == null || targeted == 0) {
      return;
    }
    if (targeted == 1) {
      of.oneShard.increment();
    } else {
      (targeted >= owners ? of.allShards : of.manyShards).increment();
    }
  }

  void append(BsonBuilder out) {
    counts.forEach(
        (command, of) ->
            out.startDocument(command)
                .appendInt64("allShards", of.allShards.sum())
                .appendInt64("manyShards", of.manyShards.sum())
                .appendInt64("oneShard", of.oneShard.sum())
                .appendInt64("unsharded", of.unsharded.sum())
                .end());
  }
}
