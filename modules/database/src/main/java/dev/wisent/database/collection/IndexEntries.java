package dev.wisent.database.collection;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.query.key.KeySink;
import java.util.Arrays;

/** The entries of one document in one index. Used again and again by one thread. */
public final class IndexEntries implements KeySink {
  private byte[][] keys = new byte[4][];
  private byte[][] typeBits = new byte[4][];
  private int size;
  private long[] arrayParts;

  void reset() {
    size = 0;
    arrayParts = null;
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

  /** Whether an entry with the same key and type bits is among these. */
  public boolean contains(IndexEntries others, int i) {
    for (int j = 0; j < size; j++) {
      if (Arrays.equals(keys[j], others.keys[i])
          && Arrays.equals(typeBits[j], others.typeBits[i])) {
        return true;
      }
    }
    return false;
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
}
