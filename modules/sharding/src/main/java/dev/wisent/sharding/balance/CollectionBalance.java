package dev.wisent.sharding.balance;

import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.balance.ZonePlacement.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Plans the migrations of one collection. */
final class CollectionBalance {
  /** Shards that differ by less than so many chunks are balanced. */
  static final int CHUNKS_APART = 3;

  /** A migration for the sake of balance moves at least this part of a chunk. */
  private static final int SMALLEST_PART = 4;

  private final CollectionTargets targets;
  private final CollectionLoad load;

  CollectionBalance(CollectionTargets targets) {
    this.targets = targets;
    this.load = targets.load();
  }

  Namespace namespace() {
    return load.namespace();
  }

  /** Whether there is something that moves, now or later. */
  boolean isImbalanced() {
    return imbalanceBytes() >= CHUNKS_APART * load.chunkBytes() || hasMisplaced();
  }

  private boolean hasMisplaced() {
    for (ZonePlacement zone : targets.zones()) {
      for (int shard = 0; shard < zone.chunks.length; shard++) {
        if (targets.misplacement(zone, shard) != null) {
          return true;
        }
      }
    }
    return false;
  }

  /** How far apart the fullest and the emptiest shard of a zone are at most. */
  double imbalanceBytes() {
    double most = 0;
    for (ZonePlacement zone : targets.zones()) {
      int[] members = targets.members(zone);
      double above = Arrays.stream(members).mapToDouble(zone::excess).max().orElse(0);
      double below = -Arrays.stream(members).mapToDouble(zone::excess).min().orElse(0);
      if (above > 0 && below > 0) {
        most = Math.max(most, above + below);
      }
    }
    return most;
  }

  /** Moves what is on the wrong shards for a reason. */
  void moveMisplaced(MoveReason reason, BalanceRound round) {
    for (ZonePlacement zone : targets.zones()) {
      for (int from = 0; from < zone.chunks.length; from++) {
        if (targets.misplacement(zone, from) == reason) {
          moveMisplaced(zone, from, reason, round);
        }
      }
    }
  }

  private void moveMisplaced(ZonePlacement zone, int from, MoveReason reason, BalanceRound round) {
    boolean force = reason == MoveReason.DRAINING || load.movesJumbo();
    Candidate candidate = zone.candidate(from, force);
    if (candidate == null) {
      if (zone.hasJumbo(from)) {
        stall(round, reason, "jumbo chunks of shard " + round.shard(from).name() + " stay there");
      }
      return;
    }
    if (candidate.jumbo() && reason == MoveReason.DRAINING) {
      stall(
          round,
          reason,
          "jumbo chunks of shard " + round.shard(from).name() + " are moved as a whole");
    }
    List<Integer> takers = takers(zone, round);
    if (takers.isEmpty()) {
      stall(
          round,
          reason,
          zone.zone == null
              ? "no shard can receive chunks: all others are draining, full or unreachable"
              : "no shard of the zone %s can receive chunks: none belongs to it, or all are draining, full or unreachable"
                  .formatted(zone.zone));
      return;
    }
    int to = takers.stream().filter(round::isFree).findFirst().orElse(ZonePlacement.NO_CHUNK);
    if (to >= 0 && round.isFree(from)) {
      long bytes = Math.min(load.chunkBytes(), round.shard(to).headroom());
      move(candidate, from, to, bytes, reason, round);
    }
  }

  /** The shards that can get data of a zone, those first that lack the most. */
  private List<Integer> takers(ZonePlacement zone, BalanceRound round) {
    return IntStream.of(targets.members(zone))
        .filter(shard -> round.shard(shard).reachable() && round.shard(shard).headroom() > 0)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingDouble(zone::excess)
                .thenComparingDouble(shard -> zone.chunks[shard]))
        .toList();
  }

  private void stall(BalanceRound round, MoveReason reason, String message) {
    round.stall(new Stall(load.namespace(), reason, message));
  }

  private void move(
      Candidate candidate, int from, int to, long bytes, MoveReason reason, BalanceRound round) {
    ChunkRange range = candidate.segment().part(load.chunks(), candidate.chunk());
    round.add(
        new ChunkMove(
            load.namespace(),
            range,
            round.shard(from).name(),
            round.shard(to).name(),
            load.chunkBytes(),
            bytes,
            candidate.jumbo(),
            reason),
        from,
        to);
  }

  /** Has new keys go to the shard with the least data. */
  void moveGrowingEnd(BalanceRound round) {
    if (load.growingEnd() == GrowingEnd.NONE || load.chunks().size() < 2) {
      return;
    }
    boolean high = load.growingEnd() == GrowingEnd.HIGH;
    ZoneSegment segment = high ? targets.segments().getLast() : targets.segments().getFirst();
    int chunk = high ? load.chunks().size() - 1 : 0;
    ZonePlacement zone = targets.zoneAt(segment);
    int from = load.chunks().shard(chunk);
    if (load.chunks().isJumbo(chunk) || load.held().contains(chunk) || !round.isFree(from)) {
      return;
    }
    List<Integer> takers = takers(zone, round);
    if (takers.isEmpty() || zone.excess(takers.getFirst()) >= zone.excess(from)) {
      return;
    }
    int to = takers.getFirst();
    if (round.isFree(to)) {
      long bytes = Math.min(load.chunkBytes(), round.shard(to).headroom());
      move(new Candidate(chunk, segment, false), from, to, bytes, MoveReason.GROWING_END, round);
    }
  }

  /** Moves data from shards that have more than their share to those that have less. */
  void evenOut(BalanceRound round) {
    for (ZonePlacement zone : targets.zones()) {
      var givers = new ArrayList<Integer>();
      for (int shard : targets.members(zone)) {
        if (zone.excess(shard) > 0
            && round.isFree(shard)
            && zone.candidate(shard, load.movesJumbo()) != null) {
          givers.add(shard);
        }
      }
      givers.sort(Comparator.comparingDouble(shard -> -zone.excess(shard)));
      List<Integer> takers =
          givers.isEmpty()
              ? List.of()
              : takers(zone, round).stream()
                  .filter(shard -> zone.excess(shard) < 0 && round.isFree(shard))
                  .toList();
      int pairs = Math.min(givers.size(), takers.size());
      for (int i = 0; i < pairs; i++) {
        evenOut(zone, givers.get(i), takers.get(i), round);
      }
    }
  }

  private void evenOut(ZonePlacement zone, int from, int to, BalanceRound round) {
    double above = zone.excess(from);
    double below = -zone.excess(to);
    if (above + below < (double) CHUNKS_APART * load.chunkBytes()) {
      return;
    }
    double least = (double) load.chunkBytes() / SMALLEST_PART;
    double bytes = Math.min(Math.max(above, least), Math.max(below, least));
    long limit = Math.min(load.chunkBytes(), round.shard(to).headroom());
    Candidate candidate = zone.candidate(from, load.movesJumbo());
    move(
        candidate,
        from,
        to,
        Math.max(1, Math.min((long) bytes, limit)),
        MoveReason.CHUNKS_IMBALANCE,
        round);
  }
}
