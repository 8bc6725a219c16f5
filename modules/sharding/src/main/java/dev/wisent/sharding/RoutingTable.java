package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The chunks of a collection, sorted by their encoded lower bounds. Each chunk ends where the next
 * one begins; there is no gap. Chunks are kept in pages, so that an update makes new pages where
 * chunks have changed and shares all others.
 */
public final class RoutingTable {
  /** In the place of a time: the chunks are asked for as they are now. */
  public static final long NEWEST = -1;

  private final ShardKeyPattern key;
  private final ShardIndexes indexes;
  private final List<ChunkPage> pages;

  /** The lower bounds of the pages' first chunks. */
  private final SortedBounds pageMins;

  /** The end of the last chunk. */
  private final EncodedBound end;

  /** Of no chunk: it has the epoch and the timestamp. */
  private final ChunkVersion none;

  private final long newest;
  private final long[] newestOfShard;
  private final int chunkCount;
  private final int shardCount;

  private RoutingTable(
      ShardKeyPattern key, ChunkVersion none, ShardIndexes indexes, List<ChunkPage> pages) {
    this.key = key;
    this.none = none;
    this.indexes = indexes;
    this.pages = pages;
    this.pageMins = new SortedBounds(pages.stream().map(page -> page.min(0)).toList());
    this.end = EncodedBound.of(key.encoded(key.globalMax()));
    this.newestOfShard = new long[indexes.size()];
    pages.forEach(page -> page.raise(newestOfShard));
    this.newest = Arrays.stream(newestOfShard).max().orElse(0);
    this.chunkCount = pages.stream().mapToInt(ChunkPage::size).sum();
    this.shardCount = (int) Arrays.stream(newestOfShard).filter(version -> version != 0).count();
  }

  /**
   * A table of these chunks, which may come in any order. Of chunks that overlap the newest count.
   * Fails with ConflictingOperationInProgress where they leave a gap.
   *
   * @param collection any version of the collection: its epoch and timestamp count
   */
  public static RoutingTable of(
      ShardKeyPattern key, ChunkVersion collection, Collection<Chunk> chunks) {
    var builder = RoutingTableBuilder.of(key, collection);
    chunks.forEach(builder::add);
    return builder.build();
  }

  static RoutingTable of(
      ShardKeyPattern key, ChunkVersion none, ShardIndexes indexes, List<EncodedChunk> chunks) {
    List<EncodedChunk> sorted = EncodedChunk.newest(chunks);
    EncodedChunk.requireContiguous(
        sorted,
        EncodedBound.of(key.encoded(key.globalMin())),
        EncodedBound.of(key.encoded(key.globalMax())));
    var pages = new ArrayList<ChunkPage>();
    PageMerge.paginate(sorted, pages);
    return new RoutingTable(key, none, indexes, List.copyOf(pages));
  }

  /**
   * The table after changes: each changed chunk takes the place of all chunks that it overlaps.
   * Fails with ConflictingOperationInProgress where that leaves a gap, because some change is
   * missing; then all chunks have to be read again.
   */
  public RoutingTable updated(Collection<Chunk> changed) {
    RoutingTableBuilder builder = changes();
    changed.forEach(builder::add);
    return builder.build();
  }

  /** Takes the chunks that have changed since this table. */
  public RoutingTableBuilder changes() {
    return RoutingTableBuilder.since(this, indexes);
  }

  /**
   * @param all this table's shards, and those of the changed chunks
   */
  RoutingTable updated(ShardIndexes all, List<EncodedChunk> changed) {
    List<EncodedChunk> sorted = EncodedChunk.newest(changed);
    return new RoutingTable(key, none, all, new PageMerge(pages, end).merged(sorted));
  }

  public ShardKeyPattern key() {
    return key;
  }

  /** The newest version of all chunks. */
  public ChunkVersion version() {
    return version(newest);
  }

  /**
   * The oldest of the newest versions of the shards: all that has changed since, splits too, is
   * newer.
   */
  public ChunkVersion oldestOfShards() {
    return version(Arrays.stream(newestOfShard).filter(each -> each != 0).min().orElse(0));
  }

  /**
   * The table after a range has gone to another shard, which the config servers do not know yet.
   * Null where this table is not the one before that.
   */
  public RoutingTable after(RangeMove move) {
    ChunkVersion version = move.version();
    if (!version.isSameCollection(none) || version.major() != version().major() + 1) {
      return null;
    }
    int page = pageOf(key.encode(move.range().min()));
    int at = Math.max(pages.get(page).floor(key.encode(move.range().min())), 0);
    Chunk chunk = chunk(page, at);
    if (!chunk.shard().equals(move.from())
        || Arrays.compareUnsigned(key.encode(move.range().max()), key.encode(chunk.range().max()))
            > 0) {
      return null;
    }
    ChunkVersion next = new ChunkVersion(version.epoch(), version.timestamp(), version.major(), 0);
    RoutingTableBuilder changed = changes();
    ChunkPlaces before = pages.get(page).places(at);
    changed.add(
        new Chunk(move.range(), move.to(), next, false),
        ChunkPlaces.moved(
            before, changed.indexOf(move.from()), changed.indexOf(move.to()), version.timestamp()));
    List<ChunkRange> rests = rests(chunk.range(), move.range());
    for (ChunkRange rest : rests) {
      next = next.nextMinor();
      changed.add(new Chunk(rest, move.from(), next, false), before);
    }
    if (rests.isEmpty()) {
      addOther(move.from(), chunk, next.nextMinor(), changed);
    }
    return changed.build();
  }

  private static List<ChunkRange> rests(ChunkRange chunk, ChunkRange moved) {
    var rests = new ArrayList<ChunkRange>(2);
    if (!chunk.min().equals(moved.min())) {
      rests.add(new ChunkRange(chunk.min(), moved.min()));
    }
    if (!chunk.max().equals(moved.max())) {
      rests.add(new ChunkRange(moved.max(), chunk.max()));
    }
    return rests;
  }

  /** Gives the version to another chunk of a shard, if it has one. */
  private void addOther(
      String shard, Chunk chunk, ChunkVersion version, RoutingTableBuilder changed) {
    int index = indexes.of(shard);
    for (int at = 0; at < pages.size(); at++) {
      ChunkPage page = pages.get(at);
      for (int i = 0; page.hasChunksOf(index) && i < page.size(); i++) {
        if (page.shard(i) == index && !chunk(at, i).range().equals(chunk.range())) {
          Chunk other = chunk(at, i);
          changed.add(
              new Chunk(other.range(), other.shard(), version, other.jumbo()), page.places(i));
          return;
        }
      }
    }
  }

  /** The newest version of a shard's chunks; 0|0 of the same epoch where it has none. */
  public ChunkVersion versionOf(String shard) {
    int index = indexes.of(shard);
    return index < 0 ? none : version(newestOfShard[index]);
  }

  private ChunkVersion version(long combined) {
    return ChunkVersion.of(none.epoch(), none.timestamp(), combined);
  }

  /** The shard whose chunk has an encoded key. */
  public String shardOf(byte[] encodedKey) {
    ChunkPage page = pages.get(pageOf(encodedKey));
    return indexes.name(page.shard(Math.max(page.floor(encodedKey), 0)));
  }

  /** The chunk that has an encoded key. */
  public Chunk chunkOf(byte[] encodedKey) {
    int page = pageOf(encodedKey);
    return chunk(page, Math.max(pages.get(page).floor(encodedKey), 0));
  }

  /** The chunk with exactly these bounds; null if there is none. */
  public Chunk chunkWithBounds(RawDocument min, RawDocument max) {
    EncodedBound from = EncodedBound.of(key.encoded(min));
    int page = pageOf(from.key());
    int chunk = pages.get(page).floor(from.key());
    boolean same =
        chunk >= 0
            && pages.get(page).min(chunk).equals(from)
            && max(page, chunk).equals(EncodedBound.of(key.encoded(max)));
    return same ? chunk(page, chunk) : null;
  }

  /** The last page whose first chunk does not begin above the key, or the first page. */
  private int pageOf(byte[] encodedKey) {
    return Math.max(pageMins.floor(encodedKey), 0);
  }

  private Chunk chunk(int page, int i) {
    ChunkPage chunks = pages.get(page);
    return new Chunk(
        new ChunkRange(decoded(chunks.min(i)), decoded(max(page, i))),
        indexes.name(chunks.shard(i)),
        version(chunks.version(i)),
        chunks.isJumbo(i));
  }

  private EncodedBound max(int page, int i) {
    if (i + 1 < pages.get(page).size()) {
      return pages.get(page).min(i + 1);
    }
    return page + 1 < pages.size() ? pages.get(page + 1).min(0) : end;
  }

  private RawDocument decoded(EncodedBound bound) {
    return key.decode(bound.bytes(), bound.start(), bound.keyEnd(), bound.end());
  }

  /** How many shards have chunks. */
  public int shardCount() {
    return shardCount;
  }

  /**
   * Whether all chunks have been where they are since a time, which is not before that of the
   * collection.
   */
  public boolean isSameSince(long time) {
    return time == NEWEST || pages.stream().allMatch(page -> page.isSame(time));
  }

  /** The shards that may have had chunks at a time. */
  public Set<String> shards(long time) {
    if (isSameSince(time)) {
      return shards();
    }
    var found = new BitSet();
    addShardsBetween(new byte[0], null, time, found);
    return names(found);
  }

  /** The shards that may have had an encoded key at a time. */
  Set<String> shardsOf(byte[] encodedKey, long time) {
    ChunkPage page = pages.get(pageOf(encodedKey));
    var found = new BitSet();
    page.addAt(Math.max(page.floor(encodedKey), 0), time, found);
    return names(found);
  }

  /** The shards that have chunks. */
  public Set<String> shards() {
    var shards = new LinkedHashSet<String>();
    for (int i = 0; i < newestOfShard.length; i++) {
      if (newestOfShard[i] != 0) {
        shards.add(indexes.name(i));
      }
    }
    return shards;
  }

  /**
   * The shards that have chunks with keys from one to another.
   *
   * @param low encoded, or the beginning of encoded keys; inclusive
   * @param high likewise, exclusive; null for all keys from the lower bound on
   */
  public Set<String> shardsBetween(byte[] low, byte[] high) {
    var found = new BitSet();
    addShardsBetween(low, high, NEWEST, found);
    return names(found);
  }

  /**
   * Adds the indexes of the shards to a set, whose names {@link #names} has.
   *
   * @param time at which they may have had keys
   */
  void addShardsBetween(byte[] low, byte[] high, long time, BitSet found) {
    int first = pageOf(low);
    for (int at = first; at < pages.size(); at++) {
      ChunkPage page = pages.get(at);
      if (at > first && high != null && page.compareMin(0, high) >= 0) {
        return;
      }
      boolean whole =
          at > first
              && (high == null
                  || (at + 1 < pages.size() && pages.get(at + 1).compareMin(0, high) < 0));
      if (whole && page.isSame(time)) {
        Arrays.stream(page.shards()).forEach(found::set);
      } else {
        addShards(page, at == first ? Math.max(page.floor(low), 0) : 0, high, time, found);
      }
    }
  }

  private static void addShards(ChunkPage page, int from, byte[] high, long time, BitSet found) {
    page.addAt(from, time, found);
    for (int i = from + 1; i < page.size(); i++) {
      if (high != null && page.compareMin(i, high) >= 0) {
        return;
      }
      page.addAt(i, time, found);
    }
  }

  Set<String> names(BitSet shards) {
    var names = new LinkedHashSet<String>();
    shards.stream().mapToObj(indexes::name).forEach(names::add);
    return names;
  }

  /** The ranges that a shard has, ascending; adjacent ones as one. */
  public List<ChunkRange> rangesOf(String shard) {
    int index = indexes.of(shard);
    var ranges = new ArrayList<ChunkRange>();
    EncodedBound from = null;
    for (int at = 0; at < pages.size(); at++) {
      ChunkPage page = pages.get(at);
      if (from == null && !page.hasChunksOf(index)) {
        continue;
      }
      for (int i = 0; i < page.size(); i++) {
        boolean has = page.shard(i) == index;
        if (has && from == null) {
          from = page.min(i);
        } else if (!has && from != null) {
          ranges.add(new ChunkRange(decoded(from), decoded(page.min(i))));
          from = null;
        }
      }
    }
    if (from != null) {
      ranges.add(new ChunkRange(decoded(from), decoded(end)));
    }
    return ranges;
  }

  /** All chunks, ascending. */
  public void forEach(Consumer<Chunk> action) {
    for (int at = 0; at < pages.size(); at++) {
      for (int i = 0; i < pages.get(at).size(); i++) {
        action.accept(chunk(at, i));
      }
    }
  }

  /** The chunks by their numbers; for one thread. */
  public ChunkPositions positions() {
    return new ChunkPositions(key, indexes, pages, this::chunk);
  }

  public int chunkCount() {
    return chunkCount;
  }
}
