package dev.wisent.database.write;

import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.CounterDelta;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.storage.MutationBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * By how much the commit of a transaction changes the counters of collections. Orphans are counted
 * by what the shard owned when a collection was changed first; where it owns something else later,
 * that is a conflict. For one thread at a time.
 */
final class TransactionCounters {
  private final Ownership ownership;
  private final List<CounterDelta> counters = new ArrayList<>();

  /** At the first change; null where the collection was not sharded. */
  private final Map<Collection, OwnedRanges> ownedOf = new HashMap<>();

  TransactionCounters(Ownership ownership) {
    this.ownership = ownership;
  }

  /** The counters of a collection, which are changed with the others. */
  CounterDelta of(Collection collection) {
    var added = new CounterDelta(collection);
    counters.add(added);
    return added;
  }

  /**
   * A collection is changed.
   *
   * @param owned what the shard owns of it; null where it is not sharded
   */
  void changed(Collection collection, OwnedRanges owned) {
    if (ownedOf.containsKey(collection)) {
      requireSame(ownedOf.get(collection), owned);
    } else {
      ownedOf.put(collection, owned);
    }
  }

  /** Fails where the shard owns something else than when the changes were made. */
  void checkOwned() {
    ownedOf.forEach(
        (collection, owned) -> requireSame(owned, ownership.owned(collection.namespace())));
  }

  private static void requireSame(OwnedRanges before, OwnedRanges now) {
    if (before == null ? now != null : !before.isSameAs(now)) {
      throw Conflicts.writeConflict();
    }
  }

  /** Adds the changes to the mutation of the commit. */
  void write(MutationBuilder mutation) {
    counters.forEach(each -> each.write(mutation));
  }

  void committed() {
    counters.forEach(CounterDelta::committed);
  }

  /** Ends what was not committed. */
  void reset() {
    counters.forEach(CounterDelta::reset);
  }
}
