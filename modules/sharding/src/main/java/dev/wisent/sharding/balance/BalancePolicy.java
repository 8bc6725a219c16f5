package dev.wisent.sharding.balance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides which ranges move in a round.
 *
 * <p>Draining shards are emptied first, then data goes to the shards of its zone, then new chunks
 * at growing ends to the shards with the least data. Last, each collection is evened out by bytes:
 * if two shards of a zone differ by three chunks or more, data goes from the one above its share to
 * the one below. Neither passes its share by more than a part of a chunk, so that no data moves
 * twice, and what moves in all is what shards have above their shares.
 */
public final class BalancePolicy {
  private BalancePolicy() {}

  public static BalancePlan plan(ClusterLoad cluster) {
    return plan(cluster, Set.of());
  }

  /**
   * The same while migrations are under way.
   *
   * @param busy the names of the shards that take part in them
   */
  public static BalancePlan plan(ClusterLoad cluster, Set<String> busy) {
    var collections = new ArrayList<CollectionBalance>();
    for (CollectionLoad load : cluster.collections()) {
      collections.add(new CollectionBalance(new CollectionTargets(cluster.shards(), load)));
    }
    return plan(cluster.shards(), collections, busy);
  }

  private static BalancePlan plan(
      List<ShardLoad> shards, List<CollectionBalance> collections, Set<String> busy) {
    var round = new BalanceRound(shards, busy);
    for (CollectionBalance collection : collections) {
      collection.moveMisplaced(MoveReason.DRAINING, round);
    }
    for (CollectionBalance collection : collections) {
      collection.moveMisplaced(MoveReason.ZONE_VIOLATION, round);
    }
    for (CollectionBalance collection : collections) {
      collection.moveGrowingEnd(round);
    }
    collections.stream()
        .sorted(Comparator.comparingDouble(CollectionBalance::imbalanceBytes).reversed())
        .forEach(collection -> collection.evenOut(round));
    int imbalanced = (int) collections.stream().filter(CollectionBalance::isImbalanced).count();
    return new BalancePlan(round.moves(), round.stalls(), imbalanced);
  }

  /** Why a collection is not balanced, the most urgent reason; empty where it is. */
  public static Optional<MoveReason> violation(List<ShardLoad> shards, CollectionLoad collection) {
    BalancePlan plan =
        plan(new ClusterLoad(shards, List.of(collection.growingAt(GrowingEnd.NONE))));
    return Stream.concat(
            plan.moves().stream().map(ChunkMove::reason), plan.stalls().stream().map(Stall::reason))
        .min(Comparator.naturalOrder());
  }
}
