package dev.wisent.sharding.balance;

import dev.wisent.operation.Namespace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Decides which ranges move in a round.
 *
 * <p>Draining shards are emptied first, then data goes to the shards of its zone, then new chunks
 * at growing ends to the shards with the least data. Last, each collection is evened out by bytes:
 * if two shards of a zone differ by three chunks or more, data goes from the one above its share to
 * the one below. Neither passes its share by more than a part of a chunk, so that no data moves
 * twice, and what moves in all is what shards have above their shares.
 *
 * <p>A collection whose metadata cannot be used is left out, and no other one with it.
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
    var planning = new Planning(cluster.shards(), busy);
    var collections = new ArrayList<CollectionBalance>();
    for (CollectionLoad load : cluster.collections()) {
      planning.attempt(
          load.namespace(),
          () ->
              collections.add(
                  new CollectionBalance(new CollectionTargets(cluster.shards(), load))));
    }
    BalanceRound round = planning.round;
    planning.each(collections, each -> each.moveMisplaced(MoveReason.DRAINING, round));
    planning.each(collections, each -> each.moveMisplaced(MoveReason.ZONE_VIOLATION, round));
    planning.each(collections, each -> each.moveGrowingEnd(round));
    List<CollectionBalance> byImbalance =
        collections.stream()
            .sorted(Comparator.comparingDouble(CollectionBalance::imbalanceBytes).reversed())
            .toList();
    planning.each(byImbalance, each -> each.evenOut(round));
    int imbalanced = (int) collections.stream().filter(CollectionBalance::isImbalanced).count();
    return new BalancePlan(round.moves(), round.stalls(), imbalanced, planning.failures);
  }

  /** A round, and the collections that are left out of it because their metadata is not usable. */
  private static final class Planning {
    private final BalanceRound round;
    private final Map<Namespace, RuntimeException> failures = new HashMap<>();

    Planning(List<ShardLoad> shards, Set<String> busy) {
      this.round = new BalanceRound(shards, busy);
    }

    void attempt(Namespace namespace, Runnable part) {
      try {
        part.run();
      } catch (RuntimeException e) {
        failures.put(namespace, e);
      }
    }

    void each(List<CollectionBalance> collections, Consumer<CollectionBalance> part) {
      for (CollectionBalance collection : collections) {
        if (!failures.containsKey(collection.namespace())) {
          attempt(collection.namespace(), () -> part.accept(collection));
        }
      }
    }
  }

  /** Why a collection is not balanced, the most urgent reason; empty where it is. */
  public static Optional<MoveReason> violation(List<ShardLoad> shards, CollectionLoad collection) {
    BalancePlan plan =
        plan(new ClusterLoad(shards, List.of(collection.growingAt(GrowingEnd.NONE))));
    if (plan.failures().containsKey(collection.namespace())) {
      throw plan.failures().get(collection.namespace());
    }
    return Stream.concat(
            plan.moves().stream().map(ChunkMove::reason), plan.stalls().stream().map(Stall::reason))
        .min(Comparator.naturalOrder());
  }
}
