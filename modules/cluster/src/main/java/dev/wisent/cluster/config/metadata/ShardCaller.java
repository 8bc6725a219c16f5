package dev.wisent.cluster.config.metadata;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Sends commands to the primaries of shards. */
public interface ShardCaller {
  /**
   * Sends a command and returns its reply, which is a success. A command must be one that can be
   * sent twice: after an election the new primary gets it again.
   *
   * @param shard its name; ShardNotFound if there is none
   */
  default RawDocument run(
      OperationContext operation, String shard, String database, RawDocument command) {
    return run(operation, shard, database, () -> command);
  }

  /** The same for a command that is made anew each time it is sent. */
  RawDocument run(
      OperationContext operation, String shard, String database, Supplier<RawDocument> command);

  /**
   * The same for several shards at once. The first failure ends the calls to the others.
   *
   * @param commands by the names of the shards
   * @return the replies by these names
   */
  default Map<String, RawDocument> runAll(
      OperationContext operation, String database, Map<String, RawDocument> commands) {
    var replies = new LinkedHashMap<String, RawDocument>();
    commands.forEach(
        (shard, command) -> replies.put(shard, run(operation, shard, database, command)));
    return replies;
  }

  /**
   * Asks shards for something that changes nothing, all at once. Where a primary says nothing, the
   * next one is asked.
   *
   * @param shards as {@code config.shards} has them
   * @param primaryMax how long one that has no primary is waited for
   * @return the replies of those that answer soon, by their names
   */
  Map<String, RawDocument> ask(
      OperationContext operation,
      List<RawDocument> shards,
      String database,
      RawDocument command,
      Duration primaryMax);
}
