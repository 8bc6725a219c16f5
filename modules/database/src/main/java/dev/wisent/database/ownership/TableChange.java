package dev.wisent.database.ownership;

import dev.wisent.operation.Namespace;
import dev.wisent.sharding.OwnedRanges;
import java.util.function.Supplier;

/**
 * A change of the tables, with the state from just before it. Whether it takes ranges of a
 * collection away is known when it has ended. Thread-safe.
 */
final class TableChange {
  private static final long NOT_BEGUN = Long.MAX_VALUE;

  private KeptState before;
  private Supplier<ShardTables> tablesBefore;
  private volatile long generation = NOT_BEGUN; // written after the two
  private volatile ShardTables tablesAfter;

  /**
   * Says what was before the change; to be called once.
   *
   * @param state held by the caller
   * @param generationOfState that of its tables
   * @param tables reads these
   */
  void begin(KeptState state, long generationOfState, Supplier<ShardTables> tables) {
    before = state;
    tablesBefore = tables;
    generation = generationOfState;
  }

  /** Null before the change has begun, of which cursors are told afterwards. */
  KeptState before() {
    return before;
  }

  /** Whether a state with tables of this generation may be without the change. */
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
