package dev.wisent.sharding.balance;

import java.util.Arrays;

/** Where the chunks of one zone are, or those that are in none. */
final class ZonePlacement {
  static final int NO_CHUNK = -1;

  /** Null for what is in no zone. */
  final String zone;

  /** By shard: how many chunks; parts of chunks count as such. */
  final double[] chunks;

  /** By shard: the first chunk that can be moved, and its segment. */
  private final int[] movable;

  private final ZoneSegment[] movableIn;

  /** By shard: the first jumbo chunk, and its segment. */
  private final int[] jumbo;

  private final ZoneSegment[] jumboIn;

  /** By shard: how much is there. */
  final double[] bytes;

  /** By shard: how much should be there. */
  double[] targets;

  ZonePlacement(String zone, int shards) {
    this.zone = zone;
    this.chunks = new double[shards];
    this.bytes = new double[shards];
    this.movable = none(shards);
    this.movableIn = new ZoneSegment[shards];
    this.jumbo = none(shards);
    this.jumboIn = new ZoneSegment[shards];
  }

  private static int[] none(int shards) {
    int[] numbers = new int[shards];
    Arrays.fill(numbers, NO_CHUNK);
    return numbers;
  }

  void add(int shard, int chunk, ZoneSegment segment, double share) {
    chunks[shard] += share;
    if (movable[shard] == NO_CHUNK) {
      movable[shard] = chunk;
      movableIn[shard] = segment;
    }
  }

  void addJumbo(int shard, int chunk, ZoneSegment segment, double share) {
    chunks[shard] += share;
    if (jumbo[shard] == NO_CHUNK) {
      jumbo[shard] = chunk;
      jumboIn[shard] = segment;
    }
  }

  void addHeld(int shard, double share) {
    chunks[shard] += share;
  }

  /** A chunk on its way. */
  record Candidate(int chunk, ZoneSegment segment, boolean jumbo) {}

  /** A chunk of a shard that can be moved; null where there is none. */
  Candidate candidate(int shard, boolean withJumbo) {
    if (movable[shard] != NO_CHUNK) {
      return new Candidate(movable[shard], movableIn[shard], false);
    }
    return withJumbo && jumbo[shard] != NO_CHUNK
        ? new Candidate(jumbo[shard], jumboIn[shard], true)
        : null;
  }

  boolean hasJumbo(int shard) {
    return jumbo[shard] != NO_CHUNK;
  }

  /** By how much a shard has more than it should; negative where it has less. */
  double excess(int shard) {
    return bytes[shard] - targets[shard];
  }

  double total() {
    return Arrays.stream(bytes).sum();
  }
}
