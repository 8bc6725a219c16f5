package dev.wisent.sharding.advice;

import dev.wisent.sharding.advice.KeyRanges.EncodedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A chunk of a simulated collection, with the keys of its documents. */
final class SimulatedChunk {
  private final EncodedKey min;
  private final List<EncodedKey> keys;
  private int shard;
  private boolean jumbo;
  private int recent;

  /**
   * @param min the lower bound; null for the first chunk
   */
  SimulatedChunk(EncodedKey min, int shard, List<EncodedKey> keys) {
    this.min = min;
    this.shard = shard;
    this.keys = keys;
  }

  EncodedKey min() {
    return min;
  }

  int shard() {
    return shard;
  }

  void moveTo(int other) {
    shard = other;
  }

  int documents() {
    return keys.size();
  }

  /** Whether it is too large and has one value only. */
  boolean isJumbo() {
    return jumbo;
  }

  /** How many of the latest documents are here. */
  int recent() {
    return recent;
  }

  void add(EncodedKey key, boolean isRecent) {
    keys.add(key);
    recent += isRecent ? 1 : 0;
  }

  /** Takes the upper half of the keys into a chunk of its own; null where all are the same. */
  SimulatedChunk split() {
    keys.sort(EncodedKey.ORDER);
    int at = keys.size() / 2;
    byte[] first = keys.getFirst().bytes();
    byte[] middle = keys.get(at).bytes();
    while (at > 0 && Arrays.equals(keys.get(at - 1).bytes(), middle)) {
      at--;
    }
    if (at == 0) {
      while (at < keys.size() && Arrays.equals(keys.get(at).bytes(), first)) {
        at++;
      }
    }
    jumbo = at == keys.size();
    if (jumbo) {
      return null;
    }
    List<EncodedKey> upper = keys.subList(at, keys.size());
    var right = new SimulatedChunk(upper.getFirst(), shard, new ArrayList<>(upper));
    // About as many of the latest documents as of all.
    right.recent = (int) ((long) recent * upper.size() / keys.size());
    recent -= right.recent;
    upper.clear();
    return right;
  }
}
