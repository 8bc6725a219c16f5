package dev.wisent.cluster.config.balancer;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.server.command.BalancerParameters;
import java.time.ZoneId;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Puts the balancer of a config server together. */
public final class BalancerAssembly {
  private BalancerAssembly() {}

  /**
   * The balancer, whose loop is to be started.
   *
   * @param self this member's {@code host:port}
   * @param leads whether this member leads and has begun its term
   */
  public static Balancer of(
      ClusterMetadata metadata,
      Coordinators coordinators,
      ChunkMarks marks,
      ChunkMerges merges,
      GrowingEnds ends,
      BalancerParameters parameters,
      Supplier<String> self,
      BooleanSupplier leads,
      BackgroundLoops loops) {
    return of(
        metadata,
        new CoordinatedMoves(metadata, coordinators, marks, loops.scheduler()),
        merges,
        ends,
        parameters,
        self,
        leads,
        loops);
  }

  static Balancer of(
      ClusterMetadata metadata,
      ChunkMoves moves,
      ChunkMerges merges,
      GrowingEnds ends,
      BalancerParameters parameters,
      Supplier<String> self,
      BooleanSupplier leads,
      BackgroundLoops loops) {
    var failed = new FailedMoves(metadata.clock());
    var figures = new BalancerFigures();
    var reader = new LoadReader(metadata.store(), metadata.shards(), failed);
    var draining = new DrainingMoves(moves, failed, figures, metadata.log());
    var databases = new DrainedDatabases(metadata.store(), draining, parameters);
    var collections = new DrainedCollections(metadata.store(), draining);
    var merger =
        new AutoMerger(
            metadata.store(), merges, parameters, figures, metadata.clock(), metadata.log());
    var defragmenter = new Defragmenter(metadata, merges, figures);
    return new Balancer(
        new Balancer.Parts(
            metadata.store(),
            new BalancerRound(
                reader,
                moves,
                failed,
                draining,
                collections,
                databases,
                defragmenter,
                merger,
                figures,
                metadata.clock(),
                metadata.log()),
            ends,
            new ActionLog(metadata.store(), self, metadata.ids(), metadata.clock()),
            figures,
            defragmenter,
            parameters,
            leads,
            ZoneId.systemDefault(),
            metadata.log()),
        loops);
  }
}
