package dev.wisent.cluster.config.metadata;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;

/** Sends commands to the primaries of shards. */
@FunctionalInterface
public interface ShardCaller {
  /**
   * Sends a command and returns its reply, which is a success. A command must be one that can be
   * sent twice: after an election the new primary gets it again.
   *
   * @param shard its name; ShardNotFound if there is none
   */
  RawDocument run(OperationContext operation, String shard, String database, RawDocument command);
}
