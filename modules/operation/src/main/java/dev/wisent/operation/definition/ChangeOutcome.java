package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;
import java.util.List;

/**
 * What a change of definitions has to report beside that it is done.
 *
 * @param writeConcernErrors of the shards on which the write concern was not satisfied; a node has
 *     none, as its commands wait for the write concern themselves
 */
public record ChangeOutcome(List<ShardWriteConcernError> writeConcernErrors) {
  /** The change is done, and nothing more is to be said. */
  public static final ChangeOutcome DONE = new ChangeOutcome(List.of());

  public ChangeOutcome {
    writeConcernErrors = List.copyOf(writeConcernErrors);
  }

  /**
   * A write concern that was not satisfied.
   *
   * @param shard the name of the shard
   * @param error {@code writeConcernError} as the shard replied it
   */
  public record ShardWriteConcernError(String shard, RawDocument error) {}
}
