package dev.wisent.sharding.balance.simulation;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.sharding.balance.GrowingEnd;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A cluster that grows for months under the balancer. It has a collection with a hashed key, which
 * grows everywhere, one whose growth is at some keys, and one with a key that only grows. After a
 * third of the time shards are added, after two thirds one is drained.
 */
public final class GrowthSimulation {
  private static final long MEGABYTE = 1 << 20;
  private static final long CHUNK_BYTES = 128 * MEGABYTE;
  private static final int STEPS_A_DAY = 4;

  /** A migration of one chunk takes about so long. */
  private static final int SECONDS_A_ROUND = 30;

  private static final int ROUNDS_A_STEP =
      (int) TimeUnit.DAYS.toSeconds(1) / STEPS_A_DAY / SECONDS_A_ROUND;

  private final Settings settings;
  private final RandomSource random;
  private final Clock clock;
  private final SimulatedCollection even;
  private final SimulatedCollection uneven;
  private final SimulatedCollection ascending;
  private final SimulatedCluster cluster;
  private long grownBytes;
  private long planNanosMax;

  /**
   * @param chunks at the begin
   * @param dailyGrowth part of the data that is added each day
   */
  public record Settings(int shards, int chunks, int days, double dailyGrowth, long seed) {
    public Settings {
      if (shards < 2 || chunks < shards || days < 1 || dailyGrowth < 0) {
        throw new IllegalArgumentException(
            "at least two shards, a chunk for each of them, and a day");
      }
    }
  }

  /**
   * What a day has left.
   *
   * @param chunksApart by how many chunks the fullest and the emptiest shard of a collection differ
   *     at most
   * @param movedBytes since the begin
   * @param grownBytes since the begin
   * @param movesBack since the begin: chunks that went back to a shard that they had left
   * @param planMillisMax the longest time that the policy took for a round
   */
  public record Day(
      int day,
      int shards,
      long chunks,
      long bytes,
      double chunksApart,
      long movedBytes,
      long grownBytes,
      long moves,
      long movesBack,
      long planMillisMax) {}

  public GrowthSimulation(Settings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    this.random = RandomSource.seeded(settings.seed);
    int many = settings.chunks * 8 / 10;
    int some = Math.max(settings.shards, settings.chunks / 10);
    this.even = collection("sim.hashed", many);
    this.uneven = collection("sim.ranged", some);
    this.ascending = collection("sim.ascending", settings.shards);
    var shards = new ArrayList<ShardLoad>();
    for (int i = 0; i < settings.shards; i++) {
      shards.add(ShardLoad.of("shard" + i, 0));
    }
    this.cluster = new SimulatedCluster(shards, List.of(even, uneven, ascending));
  }

  private SimulatedCollection collection(String name, int chunks) {
    var list = new ArrayList<SimulatedChunk>();
    long width = Long.MAX_VALUE / chunks;
    for (int i = 0; i < chunks; i++) {
      long min = i == 0 ? SimulatedChunk.LEAST : i * width;
      long bytes = CHUNK_BYTES / 2 + random.nextLong(CHUNK_BYTES / 2);
      list.add(new SimulatedChunk(min, bytes, (int) ((long) i * settings.shards / chunks)));
    }
    return new SimulatedCollection(name, CHUNK_BYTES, settings.shards, list);
  }

  /** Runs to the end; each day is told. */
  public void run(Consumer<Day> days) {
    for (int day = 1; day <= settings.days; day++) {
      change(day);
      for (int step = 0; step < STEPS_A_DAY; step++) {
        grow();
        balance();
      }
      days.accept(today(day));
    }
  }

  private void change(int day) {
    if (day == settings.days / 3 + 1) {
      int more = Math.max(1, settings.shards / 100);
      for (int i = 0; i < more; i++) {
        cluster.addShard(ShardLoad.of("shard" + cluster.shardCount(), 0));
      }
    }
    if (day == settings.days * 2 / 3 + 1) {
      cluster.change("shard0", ShardLoad::inDraining);
    }
  }

  private void grow() {
    double part = settings.dailyGrowth / STEPS_A_DAY;
    growEverywhere(part);
    growSomewhere(part);
    growAtTheEnd((long) (part * bytes(ascending)));
  }

  private void growEverywhere(double part) {
    for (SimulatedChunk chunk : even.chunks()) {
      add(even, chunk, (long) (chunk.bytes * part * 2 * random.nextDouble()));
    }
    split(even);
  }

  /** A tenth of the keys, others in each step, get all that is new. */
  private void growSomewhere(double part) {
    int chunks = uneven.size();
    int from = random.nextInt(chunks);
    for (int i = 0; i < Math.max(1, chunks / 10); i++) {
      SimulatedChunk chunk = uneven.chunks().get((from + i) % chunks);
      add(uneven, chunk, (long) (10 * part * chunk.bytes));
    }
    split(uneven);
  }

  private void growAtTheEnd(long bytes) {
    for (long left = bytes; left > 0; ) {
      SimulatedChunk top = ascending.chunks().getLast();
      long now = Math.min(left, CHUNK_BYTES);
      add(ascending, top, now);
      left -= now;
      if (top.bytes > CHUNK_BYTES) {
        long end = top.min + Math.max(1, (Long.MAX_VALUE - top.min) / 1_000_000);
        ascending.chunks().add(new SimulatedChunk(end, 0, top.shard));
        ascending.growingEnd(GrowingEnd.HIGH);
        cluster.round(ascending);
        ascending.growingEnd(GrowingEnd.NONE);
      }
    }
  }

  private void add(SimulatedCollection collection, SimulatedChunk chunk, long bytes) {
    collection.add(chunk, bytes);
    grownBytes += bytes;
  }

  private static void split(SimulatedCollection collection) {
    collection.replaceAll(
        chunks -> {
          var after = new ArrayList<SimulatedChunk>(chunks.size());
          for (int i = 0; i < chunks.size(); i++) {
            SimulatedChunk chunk = chunks.get(i);
            after.add(chunk);
            long max = i + 1 < chunks.size() ? chunks.get(i + 1).min : Long.MAX_VALUE;
            long middle = chunk.min / 2 + max / 2;
            if (chunk.bytes > CHUNK_BYTES && middle > chunk.min && middle < max) {
              after.add(chunk.cut(middle, chunk.bytes / 2));
            }
          }
          return after;
        });
  }

  private void balance() {
    for (int round = 0; round < ROUNDS_A_STEP; round++) {
      long begin = clock.monotonicNanos();
      boolean done = cluster.round().moves().isEmpty();
      planNanosMax = Math.max(planNanosMax, clock.monotonicNanos() - begin);
      if (done) {
        return;
      }
    }
  }

  private Day today(int day) {
    int shards = 0;
    for (int i = 0; i < cluster.shardCount(); i++) {
      shards += cluster.shard(i).draining() && cluster.bytes(i) == 0 ? 0 : 1;
    }
    return new Day(
        day,
        shards,
        (long) even.size() + uneven.size() + ascending.size(),
        bytes(even) + bytes(uneven) + bytes(ascending),
        apart(),
        cluster.movedBytes(),
        grownBytes,
        cluster.moves(),
        cluster.movesBack(),
        TimeUnit.NANOSECONDS.toMillis(planNanosMax));
  }

  private double apart() {
    double most = 0;
    for (SimulatedCollection each : cluster.collections()) {
      long max = 0;
      long min = Long.MAX_VALUE;
      for (int i = 0; i < cluster.shardCount(); i++) {
        if (!cluster.shard(i).draining()) {
          max = Math.max(max, each.bytes(i));
          min = Math.min(min, each.bytes(i));
        }
      }
      most = Math.max(most, (double) (max - min) / CHUNK_BYTES);
    }
    return most;
  }

  private long bytes(SimulatedCollection collection) {
    long sum = 0;
    for (int i = 0; i < cluster.shardCount(); i++) {
      sum += collection.bytes(i);
    }
    return sum;
  }
}
