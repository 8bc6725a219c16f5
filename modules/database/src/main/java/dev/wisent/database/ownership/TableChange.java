package dev.wisent.database.ownership;

import dev.wisent.operation.Namespace;
import dev.wisent.sharding.OwnedRanges;
import java.util.function.Supplier;

/**
 * A change of the tables, with the state from just before it. Whether it takes ranges of a
 * collection away is known when it has ended. Thread-safe.
 */
final class TableChange {
  private final KeptState before;
  private final long generation;
  private final Supplier<ShardTables> tablesBefore;
  private volatile ShardTables tablesAfter;
  private volatile boolean ended;

  /**
   * @param before held by the caller
   * @param generation of the tables in that state
   * @param tablesBefore reads these
   */
  TableChange(KeptState before, long generation, Supplier<ShardTables> tablesBefore) {
    this.before = before;
    this.generation = generation;
    this.tablesBefore = tablesBefore;
  }

  KeptState before() {
    return before;
  }

  /** Whether a state with tables of this generation does not have the change. */
  boolean isAfter(long generationOfState) {
    return generationOfState <= generation;
  }

  /**
   * Ends the change.
   *
   * @param tables as they are now; null where they cannot be read
   */
  void end(ShardTables tables) {
    tablesAfter = tables;
    ended = true;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Whether this shard may own less of a collection than before; for a change that has ended. */
  boolean takesFrom(Namespace namespace) {
    ShardTables after = tablesAfter;
    if (after == null) {
      return true;
    }
    OwnedRanges owned = tablesBefore.get().collection(namespace);
    return owned != null && !owned.isWithin(after.collection(namespace));
  }
}
