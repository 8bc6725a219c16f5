package dev.wisent.sharding.advice;

import dev.wisent.base.RandomSource;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.advice.KeyRanges.EncodedKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bson.types.ObjectId;

/**
 * Inserts the documents of a sample one after the other into a sharded collection. Chunks are split
 * when they are full; the new chunk goes to the shard with the fewest, and a balancer evens out the
 * rest from time to time. A chunk holds so few documents that every shard gets many chunks: it is
 * the collection when it has grown.
 */
final class Simulation {
  /** How many chunks a shard has in the end, if the key allows it. */
  static final int CHUNKS_PER_SHARD = 64;

  /** How often it is looked at where the next documents go. */
  static final int WINDOWS = 40;

  private static final int WINDOW_DOCUMENTS_MAX = 200;
  private static final int CAPACITY_MIN = 8;

  /** The part of the documents that counts as the latest. */
  private static final double RECENT = 0.1;

  /** Most of the latest documents: a few strays do not make a chunk warm. */
  private static final double MOST = 0.9;

  private static final ChunkVersion VERSION = new ChunkVersion(new ObjectId(0, 0), 1, 1, 0);

  private final ShardKeyPattern pattern;
  private final int shards;
  private final int capacity;
  private final RandomSource random = RandomSource.seeded(1);
  private final List<SimulatedChunk> chunks = new ArrayList<>();
  private final List<int[]> windows = new ArrayList<>();
  private int documents;

  private Simulation(ShardKeyPattern pattern, int shards, int documents) {
    this.pattern = pattern;
    this.shards = shards;
    this.capacity = Math.max(CAPACITY_MIN, documents / (shards * CHUNKS_PER_SHARD));
    chunks.add(new SimulatedChunk(null, 0, new ArrayList<>()));
  }

  /**
   * @param keys of documents, in the order of their insertion
   */
  static Simulation of(ShardKeyPattern pattern, List<EncodedKey> keys, int shards) {
    var simulation = new Simulation(pattern, shards, keys.size());
    if (pattern.hasHashedPrefix()) {
      simulation.presplit(keys);
    }
    simulation.insert(keys);
    return simulation;
  }

  /** An empty collection with a hashed key gets two chunks on each shard. */
  private void presplit(List<EncodedKey> keys) {
    var sorted = new ArrayList<>(keys);
    sorted.sort(EncodedKey.ORDER);
    int count = Math.min(2 * shards, sorted.size());
    for (int i = 1; i < count; i++) {
      EncodedKey bound = sorted.get((int) ((long) i * sorted.size() / count));
      if (chunks.getLast().min() == null
          || EncodedKey.ORDER.compare(bound, chunks.getLast().min()) > 0) {
        chunks.add(new SimulatedChunk(bound, i % shards, new ArrayList<>()));
      }
    }
  }

  private void insert(List<EncodedKey> keys) {
    int recentFrom = (int) (keys.size() * (1 - RECENT));
    for (EncodedKey key : keys) {
      if (documents * (long) WINDOWS / keys.size() >= windows.size()) {
        balance();
        windows.add(next(keys.subList(documents, keys.size())));
      }
      int at = chunkOf(key);
      SimulatedChunk chunk = chunks.get(at);
      chunk.add(key, documents >= recentFrom);
      documents++;
      // A chunk of one value is looked at again when it has become another time as large.
      if (chunk.documents() > capacity && (!chunk.isJumbo() || chunk.documents() % capacity == 0)) {
        split(at);
      }
    }
  }

  /** Where the next documents would go if they came at once: the shards that work at a moment. */
  private int[] next(List<EncodedKey> keys) {
    int[] inserts = new int[shards];
    int count = Math.min(keys.size(), WINDOW_DOCUMENTS_MAX);
    keys.subList(0, count).forEach(key -> inserts[chunks.get(chunkOf(key)).shard()]++);
    return inserts;
  }

  private void split(int at) {
    SimulatedChunk upper = chunks.get(at).split();
    if (upper != null) {
      chunks.add(at + 1, upper);
      int[] counts = chunksByShard();
      int least = least(counts);
      if (counts[upper.shard()] - counts[least] >= 2) {
        upper.moveTo(least);
      }
    }
  }

  private static int least(int[] counts) {
    int least = 0;
    for (int i = 1; i < counts.length; i++) {
      least = counts[i] < counts[least] ? i : least;
    }
    return least;
  }

  private int chunkOf(EncodedKey key) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (EncodedKey.ORDER.compare(chunks.get(middle).min(), key) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private void balance() {
    while (true) {
      int[] counts = chunksByShard();
      int most = 0;
      for (int i = 1; i < shards; i++) {
        most = counts[i] > counts[most] ? i : most;
      }
      int least = least(counts);
      int donor = most;
      List<SimulatedChunk> movable =
          chunks.stream().filter(chunk -> chunk.shard() == donor && !chunk.isJumbo()).toList();
      if (counts[most] - counts[least] < 2 || movable.isEmpty()) {
        return;
      }
      movable.get(random.nextInt(movable.size())).moveTo(least);
    }
  }

  int[] chunksByShard() {
    int[] counts = new int[shards];
    chunks.forEach(chunk -> counts[chunk.shard()]++);
    return counts;
  }

  List<SimulatedChunk> chunks() {
    return List.copyOf(chunks);
  }

  /** For each moment that was looked at, how many of the next documents go to each shard. */
  List<int[]> windows() {
    return List.copyOf(windows);
  }

  /**
   * The part of the inserts that the busiest shard has at a moment, from 1/shards to 1: the mean
   * over the second half of the time, when the collection has its chunks.
   */
  double busiestShare() {
    double sum = 0;
    int count = 0;
    for (int i = windows.size() / 2; i < windows.size(); i++) {
      long total = 0;
      long most = 0;
      for (int inserts : windows.get(i)) {
        total += inserts;
        most = Math.max(most, inserts);
      }
      if (total > 0) {
        sum += (double) most / total;
        count++;
      }
    }
    return count == 0 ? 1 : sum / count;
  }

  /** The part of the data, in whole chunks, that the latest documents are inserted into. */
  double warmShare() {
    var byRecent = new ArrayList<>(chunks);
    byRecent.sort(Comparator.comparingInt(SimulatedChunk::recent).reversed());
    long recent = chunks.stream().mapToLong(SimulatedChunk::recent).sum();
    long seen = 0;
    long warm = 0;
    for (SimulatedChunk chunk : byRecent) {
      if (seen >= recent * MOST) {
        break;
      }
      seen += chunk.recent();
      warm += chunk.documents();
    }
    return documents == 0 ? 0 : (double) warm / documents;
  }

  /** Where the chunks are in the end; shards have numbers. */
  RoutingTable table() {
    var result = new ArrayList<Chunk>();
    for (int i = 0; i < chunks.size(); i++) {
      RawDocument min = i == 0 ? pattern.globalMin() : chunks.get(i).min().key();
      RawDocument max =
          i + 1 == chunks.size() ? pattern.globalMax() : chunks.get(i + 1).min().key();
      result.add(
          new Chunk(
              new ChunkRange(min, max),
              Integer.toString(chunks.get(i).shard()),
              VERSION,
              chunks.get(i).isJumbo()));
    }
    return RoutingTable.of(pattern, VERSION, result);
  }
}
