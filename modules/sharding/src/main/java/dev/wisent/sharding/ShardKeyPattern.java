package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;

/** The fields of a shard key, at most one of them hashed. */
public final class ShardKeyPattern {
  private final RawDocument pattern;

  private ShardKeyPattern(RawDocument pattern) {
    this.pattern = pattern;
  }

  /** Checks the pattern as {@code shardCollection} does. */
  public static ShardKeyPattern of(RawDocument pattern) {
    return new ShardKeyPattern(pattern);
  }

  public RawDocument pattern() {
    return pattern;
  }

  /** The key of a document: a missing field is null, a hashed one its hash; fails for arrays. */
  public RawDocument keyOf(RawDocument document) {
    throw new UnsupportedOperationException();
  }

  /** The bytes of a key or of a bound of a chunk, which sort as keys do. */
  public byte[] encode(RawDocument key) {
    throw new UnsupportedOperationException();
  }
}
