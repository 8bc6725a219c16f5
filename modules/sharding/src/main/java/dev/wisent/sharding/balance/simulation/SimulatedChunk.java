package dev.wisent.sharding.balance.simulation;

import java.util.BitSet;

/** A range of keys from a lower bound to that of the next chunk. */
public final class SimulatedChunk {
  /** The least of all keys. */
  public static final long LEAST = Long.MIN_VALUE;

  final long min;
  final boolean jumbo;
  long bytes;
  int shard;

  /** The shards that it has left; null for none. */
  private BitSet left;

  public SimulatedChunk(long min, long bytes, int shard, boolean jumbo) {
    this.min = min;
    this.bytes = bytes;
    this.shard = shard;
    this.jumbo = jumbo;
  }

  public SimulatedChunk(long min, long bytes, int shard) {
    this(min, bytes, shard, false);
  }

  /** The part from a key on, with so many bytes. */
  SimulatedChunk cut(long from, long cutBytes) {
    var part = new SimulatedChunk(from, cutBytes, shard, jumbo);
    part.left = left == null ? null : (BitSet) left.clone();
    bytes -= cutBytes;
    return part;
  }

  /** Moves the chunk; true where it has been on that shard before. */
  boolean moveTo(int to) {
    boolean back = left != null && left.get(to);
    if (left == null) {
      left = new BitSet();
    }
    left.set(shard);
    shard = to;
    return back;
  }

  public long min() {
    return min;
  }

  public long bytes() {
    return bytes;
  }

  public int shard() {
    return shard;
  }
}
