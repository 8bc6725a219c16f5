package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Prints what a table of a million chunks costs: its memory, the times to make it, to change some
 * of its chunks, and to look up a key. What is asserted holds on any machine.
 */
@Tag("faults")
class RoutingTableScaleTest {
  private static final int CHUNKS = Integer.getInteger("wisent.chunks", 1_000_000);
  private static final int SHARDS = 100;
  private static final int LOOKUPS = 2_000_000;
  private static final ChunkVersion FIRST = new ChunkVersion(new ObjectId(), 1, 1, 0);

  private final ShardKeyPattern key = ShardKeyPattern.of(RawDocument.parse("{user: 1, n: 1}"));
  private final Random random = new Random(1);

  @Test
  void aMillionChunks() {
    long before = usedBytes();
    RoutingTable table = build();
    long bytes = usedBytes() - before;
    System.out.printf("chunks %,d: %,d bytes, %d each%n", CHUNKS, bytes, bytes / CHUNKS);
    assertThat(table.chunkCount()).isEqualTo(CHUNKS);
    assertThat(bytes / CHUNKS).as("bytes of a chunk").isLessThan(100);
    lookUp(table);
    for (int changes : new int[] {1, 10, 1_000, 50_000}) {
      table = change(table, changes);
    }
    assertThat(table.chunkCount()).isEqualTo(CHUNKS);
  }

  private RoutingTable build() {
    RoutingTable table = null;
    for (int round = 0; round < 3; round++) {
      List<Chunk> chunks = chunks();
      long start = cpuNanos();
      table = RoutingTable.of(key, FIRST, chunks);
      print("build", start);
    }
    return table;
  }

  private List<Chunk> chunks() {
    var chunks = new ArrayList<Chunk>(CHUNKS);
    RawDocument min = key.globalMin();
    for (int i = 1; i <= CHUNKS; i++) {
      RawDocument max = i == CHUNKS ? key.globalMax() : bound(i);
      var version = new ChunkVersion(FIRST.epoch(), 1, 1, i);
      chunks.add(new Chunk(new ChunkRange(min, max), "shard" + i % SHARDS, version, false));
      min = max;
    }
    return chunks;
  }

  private static RawDocument bound(int i) {
    return RawDocument.parse("{user: 'user%09d', n: %d}".formatted(i, i));
  }

  private void lookUp(RoutingTable table) {
    var keys = new byte[65_536][];
    var owners = new String[keys.length];
    for (int i = 0; i < keys.length; i++) {
      int chunk = 1 + random.nextInt(CHUNKS - 1);
      keys[i] = key.encode(RawDocument.parse("{user: 'user%09d', n: %d}".formatted(chunk, chunk)));
      owners[i] = "shard" + (chunk + 1) % SHARDS;
    }
    for (int round = 0; round < 3; round++) {
      int right = 0;
      long start = cpuNanos();
      for (int i = 0; i < LOOKUPS; i++) {
        int at = i & (keys.length - 1);
        right += table.shardOf(keys[at]).equals(owners[at]) ? 1 : 0;
      }
      long nanos = cpuNanos() - start;
      System.out.printf("lookup: %d ns%n", nanos / LOOKUPS);
      assertThat(right).isEqualTo(LOOKUPS);
    }
  }

  /** Moves some chunks to another shard. */
  private RoutingTable change(RoutingTable table, int changes) {
    RoutingTable changed = table;
    for (int round = 0; round < 3; round++) {
      var moved = new ArrayList<Chunk>(changes);
      int major = changed.version().major() + 1;
      for (int i = 0; i < changes; i++) {
        int at = 1 + random.nextInt(CHUNKS - 2);
        var version = new ChunkVersion(FIRST.epoch(), 1, major, i);
        moved.add(new Chunk(new ChunkRange(bound(at), bound(at + 1)), "new", version, false));
      }
      long start = cpuNanos();
      changed = changed.updated(moved);
      print("update of %,d".formatted(changes), start);
      Chunk last = moved.getLast();
      assertThat(changed.chunkOf(key.encode(last.range().min()))).isEqualTo(last);
    }
    return changed;
  }

  private static void print(String what, long startNanos) {
    long micros = TimeUnit.NANOSECONDS.toMicros(cpuNanos() - startNanos);
    System.out.printf("%s: %,d us%n", what, micros);
  }

  /** Of this thread, so that a busy machine does not count. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long usedBytes() {
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
