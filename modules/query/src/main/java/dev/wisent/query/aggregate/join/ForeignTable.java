package dev.wisent.query.aggregate.join;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.aggregate.DocumentStream;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathWalk;
import dev.wisent.query.sort.DocumentLog;
import dev.wisent.query.sort.SortSpace;
import java.util.Arrays;
import java.util.List;

/**
 * Documents of another collection, found by the hashes of their values at a path. The documents go
 * to a file when the memory does not suffice; the hashes stay.
 */
final class ForeignTable {
  private static final int NULL_HASH = 0x2545F491;
  private static final int NONE = -1;

  /** Two ints and a long, half of the table more while it grows, and the buckets. */
  private static final long ENTRY_BYTES = 32;

  private final FieldPath path;
  private final Collation collation;
  private final SortSpace space;
  private final DocumentLog log;
  private int[] buckets = new int[64];
  private int[] hashes = new int[64];
  private int[] following = new int[64];
  private long[] positions = new long[64];
  private int size;
  private boolean spilled;

  /**
   * @param collation null for the simple one
   */
  ForeignTable(FieldPath path, Collation collation, SortSpace space) {
    this.path = path;
    this.collation = collation;
    this.space = space;
    this.log = new DocumentLog(space);
    Arrays.fill(buckets, NONE);
  }

  /** Takes a document; false if there is no room for it, and the table is good for nothing. */
  boolean add(RawDocument document) {
    long position = log.add(document);
    PathWalk.find(
        path,
        RawValue.ofDocument(document),
        0,
        true,
        value -> {
          put(hash(value), position);
          return false;
        });
    return memoryBytes() <= space.bytesMax() || makeRoom();
  }

  private boolean makeRoom() {
    if (!space.hasFiles()) {
      return false;
    }
    log.spill();
    spilled = true;
    return memoryBytes() <= space.bytesMax();
  }

  long memoryBytes() {
    return log.memoryBytes() + buckets.length * ENTRY_BYTES;
  }

  boolean isSpilled() {
    return spilled;
  }

  private void put(int hash, long position) {
    if (size > 0 && positions[size - 1] == position && hashes[size - 1] == hash) {
      return;
    }
    if (size == buckets.length) {
      grow();
    }
    int bucket = bucket(hash);
    hashes[size] = hash;
    positions[size] = position;
    following[size] = buckets[bucket];
    buckets[bucket] = size++;
  }

  private int bucket(int hash) {
    int mixed = hash * 0x9E3779B9;
    return (mixed ^ mixed >>> 16) & (buckets.length - 1);
  }

  private void grow() {
    int capacity = size * 2;
    hashes = Arrays.copyOf(hashes, capacity);
    positions = Arrays.copyOf(positions, capacity);
    following = new int[capacity];
    buckets = new int[capacity];
    Arrays.fill(buckets, NONE);
    for (int i = 0; i < size; i++) {
      int bucket = bucket(hashes[i]);
      following[i] = buckets[bucket];
      buckets[bucket] = i;
    }
  }

  private int hash(RawValue value) {
    return value == null || value.type() == ElementType.NULL
        ? NULL_HASH
        : ValueOrder.hash(Collation.key(collation, value));
  }

  /**
   * The documents that a filter lets through, in the order in which they came.
   *
   * @param values all values that documents must have one of to pass the filter
   */
  DocumentStream matches(List<RawValue> values, MatchExpression filter) {
    long[] candidates = candidates(values);
    return new DocumentStream() {
      private int next;

      @Override
      public RawDocument next() {
        while (next < candidates.length) {
          RawDocument document = log.read(candidates[next++]);
          if (filter.matches(document)) {
            return document;
          }
        }
        return null;
      }
    };
  }

  private long[] candidates(List<RawValue> values) {
    long[] found = new long[4];
    int count = 0;
    for (RawValue value : values) {
      int hash = hash(value);
      for (int i = buckets[bucket(hash)]; i != NONE; i = following[i]) {
        if (hashes[i] == hash) {
          if (count == found.length) {
            found = Arrays.copyOf(found, count * 2);
          }
          found[count++] = positions[i];
        }
      }
    }
    Arrays.sort(found, 0, count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (distinct == 0 || found[distinct - 1] != found[i]) {
        found[distinct++] = found[i];
      }
    }
    return Arrays.copyOf(found, distinct);
  }

  void close() {
    log.close();
  }
}
