package dev.wisent.operation.diagnostic;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sizes and uses of a collection.
 *
 * @param orphans those of the documents that this node does not own as a shard
 * @param storageBytes approximate size of the records on disk
 * @param capped the limits of a capped collection; null for any other
 * @param indexBytes approximate size on disk of each index, by name, the one on {@code _id} first
 * @param scans how often the whole collection was read
 * @param scansNonTailable those of them that did not wait for more at the end
 */
public record CollectionFigures(
    long documents,
    long dataBytes,
    long orphans,
    long storageBytes,
    Capped capped,
    Map<String, Long> indexBytes,
    long scans,
    long scansNonTailable) {
  /** How much a capped collection may hold; a maximum of 0 documents means no such limit. */
  public record Capped(long bytesMax, long documentsMax) {}

  public CollectionFigures {
    indexBytes = Collections.unmodifiableMap(new LinkedHashMap<>(indexBytes));
  }

  public long indexBytesTotal() {
    return indexBytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
