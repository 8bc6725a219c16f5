package dev.wisent.cluster.shard.resharding;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;

/** What one recipient is told at once. */
final class ReshardBatch {
  private final List<RawDocument> documents = new ArrayList<>();
  private final List<RawDocument> gone = new ArrayList<>();
  private long bytes;

  void add(RawDocument document) {
    documents.add(document);
    bytes += document.length();
  }

  /** Tells to delete a document first. */
  void addGone(RawDocument id) {
    gone.add(id);
  }

  List<RawDocument> documents() {
    return List.copyOf(documents);
  }

  /** Filters for the {@code _id} of documents. */
  List<RawDocument> gone() {
    return List.copyOf(gone);
  }

  long bytes() {
    return bytes;
  }

  boolean isFull(int documentsMax, long bytesMax) {
    return documents.size() >= documentsMax || bytes >= bytesMax;
  }

  boolean isEmpty() {
    return documents.isEmpty() && gone.isEmpty();
  }

  void clear() {
    documents.clear();
    gone.clear();
    bytes = 0;
  }
}
