package dev.wisent.database.index;

import dev.wisent.base.CommandException;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.key.KeySink;
import dev.wisent.query.path.FieldPath;
import dev.wisent.storage.RecordKeys;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The entries of one document in one index. Used again and again by one thread. */
public final class IndexEntries implements KeySink {
  /** Up to so many entries, looking at each is the fastest way to find one. */
  private static final int LINEAR_MAX = 16;

  private final WorkMeter meter;
  private byte[][] keys = new byte[4][];
  private byte[][] typeBits = new byte[4][];
  private int size;
  private long[] arrayParts;
  private Set<FieldPath> arrayPaths = Set.of();
  private Map<ByteBuffer, Integer> places;

  /**
   * @param meter lets an operation end the work on a long document
   */
  public IndexEntries(WorkMeter meter) {
    this.meter = meter;
  }

  WorkMeter meter() {
    return meter;
  }

  void reset() {
    size = 0;
    arrayParts = null;
    arrayPaths = Set.of();
    places = null;
  }

  @Override
  public void accept(IndexKeyV1.Encoder key) {
    add(key.toByteArray(), key.typeBitsToByteArray());
  }

  void add(byte[] key, byte[] bits) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, size * 2);
      typeBits = Arrays.copyOf(typeBits, size * 2);
    }
    keys[size] = key;
    typeBits[size++] = bits;
  }

  /** Which parts of the index's paths met an array: a bit set for each field; null if none did. */
  long[] arrayParts() {
    return arrayParts;
  }

  void arrayParts(long[] parts) {
    arrayParts = parts;
  }

  /** Which paths below a wildcard met an array. */
  Set<FieldPath> arrayPaths() {
    return arrayPaths;
  }

  void arrayPaths(Set<FieldPath> met) {
    arrayPaths = met;
  }

  public int size() {
    return size;
  }

  /** A key, ident included. */
  public byte[] key(int i) {
    return keys[i];
  }

  public byte[] typeBits(int i) {
    return typeBits[i];
  }

  /** The place of a key among these, whatever its type bits; -1 if it is not there. */
  public int find(byte[] key) {
    if (size > LINEAR_MAX) {
      return places().getOrDefault(ByteBuffer.wrap(key), -1);
    }
    for (int i = 0; i < size; i++) {
      if (Arrays.equals(keys[i], key)) {
        return i;
      }
    }
    return -1;
  }

  private Map<ByteBuffer, Integer> places() {
    if (places == null) {
      places = HashMap.newHashMap(size);
      for (int i = 0; i < size; i++) {
        places.put(ByteBuffer.wrap(keys[i]), i);
      }
    }
    return places;
  }

  public boolean sameAs(IndexEntries others) {
    if (size != others.size) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (!Arrays.equals(keys[i], others.keys[i])
          || !Arrays.equals(typeBits[i], others.typeBits[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes the entries of a document, none for null; false for one that cannot be indexed, which has
   * none either.
   */
  public boolean fill(Index index, RawDocument document) {
    reset();
    if (document == null) {
      return true;
    }
    try {
      index.collect(document, this);
      return true;
    } catch (CommandException e) {
      meter.check(); // It may have been the end of the operation.
      reset();
      return false;
    }
  }

  /** What a unique index stores under a key. */
  public static byte[] uniqueValue(long recordId, byte[] typeBits) {
    byte[] value = new byte[RecordKeys.RECORD_ID_BYTES + typeBits.length];
    RecordKeys.writeRecordId(value, 0, recordId);
    System.arraycopy(typeBits, 0, value, RecordKeys.RECORD_ID_BYTES, typeBits.length);
    return value;
  }

  /** The full key of an entry in an index that is not unique. */
  public static byte[] withRecordId(byte[] key, long recordId) {
    byte[] full = Arrays.copyOf(key, key.length + RecordKeys.RECORD_ID_BYTES);
    RecordKeys.writeRecordId(full, key.length, recordId);
    return full;
  }
}
