package dev.wisent.sharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;

/**
 * A range of shard keys.
 *
 * @param min inclusive
 * @param max exclusive, unless it is the greatest of all keys
 */
public record ChunkRange(RawDocument min, RawDocument max) {
  /** From the {@code min} and {@code max} of a document. */
  public static ChunkRange of(RawDocument document) {
    return new ChunkRange(document.get("min").asDocument(), document.get("max").asDocument());
  }

  public void append(BsonBuilder out) {
    out.appendDocument("min", min);
    out.appendDocument("max", max);
  }

  /** As MongoDB prints it in messages. */
  @Override
  public String toString() {
    return "[" + ValueText.of(min) + ", " + ValueText.of(max) + ")";
  }
}
