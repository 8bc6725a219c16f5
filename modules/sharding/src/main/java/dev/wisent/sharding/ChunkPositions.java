package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/** The chunks of a {@link RoutingTable} by their numbers, in the order of their keys. */
public final class ChunkPositions {
  private final ShardKeyPattern key;
  private final ShardIndexes indexes;
  private final List<ChunkPage> pages;
  private final BiFunction<Integer, Integer, Chunk> chunks;

  /** The number of the first chunk of each page. */
  private final int[] starts;

  private final int size;

  /** The page of the last look: those who go through all chunks find the next one at once. */
  private int recent;

  /**
   * @param chunks the chunk of a page and a number in it
   */
  ChunkPositions(
      ShardKeyPattern key,
      ShardIndexes indexes,
      List<ChunkPage> pages,
      BiFunction<Integer, Integer, Chunk> chunks) {
    this.key = key;
    this.indexes = indexes;
    this.pages = pages;
    this.chunks = chunks;
    this.starts = new int[pages.size()];
    int start = 0;
    for (int i = 0; i < starts.length; i++) {
      starts[i] = start;
      start += pages.get(i).size();
    }
    this.size = start;
  }

  public int size() {
    return size;
  }

  /** Names of shards; chunks have their places in this list. Some may have no chunk. */
  public List<String> shardNames() {
    return indexes.names();
  }

  public int shard(int chunk) {
    int page = pageOf(chunk);
    return pages.get(page).shard(chunk - starts[page]);
  }

  public boolean isJumbo(int chunk) {
    int page = pageOf(chunk);
    return pages.get(page).isJumbo(chunk - starts[page]);
  }

  public Chunk get(int chunk) {
    int page = pageOf(chunk);
    return chunks.apply(page, chunk - starts[page]);
  }

  /** The chunk that has a key; the last one for the greatest of all keys. */
  public int indexOf(RawDocument keyDocument) {
    byte[] encoded = EncodedBound.of(key.encoded(keyDocument)).key();
    int low = 0;
    int high = pages.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (pages.get(middle).compareMin(0, encoded) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return starts[low] + Math.max(0, pages.get(low).floor(encoded));
  }

  private int pageOf(int chunk) {
    int page = recent;
    if (chunk < starts[page] || chunk >= starts[page] + pages.get(page).size()) {
      int found = Arrays.binarySearch(starts, chunk);
      page = found >= 0 ? found : -found - 2;
      recent = page;
    }
    return page;
  }
}
