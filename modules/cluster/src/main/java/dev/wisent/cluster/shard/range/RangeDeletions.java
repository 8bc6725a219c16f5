package dev.wisent.cluster.shard.range;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Waits for the deletion of ranges on the primary of this shard. A task that is waited for is
 * carried out without delay: cursors that need its documents have a state of their own. The end of
 * the operation, and that of leadership, ends the wait. Thread-safe.
 */
public final class RangeDeletions {
  private static final long LOOK_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(20);

  private final RangeDeleter deleter;
  private final ReplicaSet set;
  private final Pause pause = new Pause();

  public RangeDeletions(RangeDeleter deleter, ReplicaSet set) {
    this.deleter = deleter;
    this.set = set;
  }

  /**
   * Waits until nothing of a range is to be deleted, as before its documents come back: to be
   * called before {@code config.migrationRecipients} says that they do. Tasks of migrations that
   * are not settled are waited for, too.
   *
   * @param key the shard key of the collection
   */
  public void awaitClean(
      UUID collection, ShardKeyPattern key, ChunkRange range, OperationContext operation) {
    await(operation, task -> task.collection().equals(collection) && task.overlaps(range, key));
  }

  /** Waits for the end of the task of a migration, if there is one. */
  public void awaitEnd(UUID migration, OperationContext operation) {
    RawValue id = RawValue.ofUuid(migration);
    await(operation, task -> task.id().equals(id));
  }

  /** Waits for all tasks of a collection. */
  public void awaitAll(UUID collection, OperationContext operation) {
    await(operation, task -> task.collection().equals(collection));
  }

  private void await(OperationContext operation, Predicate<RangeDeletionTask> which) {
    operation.await(
        timeoutNanos -> {
          set.checkWritable();
          List<RangeDeletionTask> left = deleter.store().all().stream().filter(which).toList();
          if (left.isEmpty()) {
            return true;
          }
          checkEnabled();
          deleter.hurry(left);
          pause.await(Math.min(timeoutNanos, LOOK_NANOS_MAX));
          return false;
        });
  }

  private void checkEnabled() {
    if (deleter.settings().disabled()) {
      throw new CommandException(
          ErrorCode.RESUMABLE_RANGE_DELETER_DISABLED,
          "Not waiting for range deletion tasks because the disableResumableRangeDeleter server"
              + " parameter is set to true");
    }
  }
}
