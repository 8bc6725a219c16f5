package dev.wisent.tools.migrate;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import org.bson.RawBsonDocument;

/**
 * Sums of the hashes of documents, which the order of the documents does not change. There is one
 * for each of many groups of ids, so that a difference can be found again. For one thread.
 */
final class CollectionDigest {
  static final int BUCKETS = 1_024;

  private final long[] high = new long[BUCKETS];
  private final long[] low = new long[BUCKETS];
  private final int watched;
  private final Map<DocumentKey, Long> seen = new HashMap<>();
  private final MessageDigest hash = sha256();
  private long count;

  /**
   * @param watched the group whose single documents are noted; negative for none
   */
  CollectionDigest(int watched) {
    this.watched = watched;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  void add(RawBsonDocument document) {
    DocumentKey key = DocumentKey.of(document);
    hash.update(document.getByteBuffer().asNIO());
    ByteBuffer bytes = ByteBuffer.wrap(hash.digest());
    long first = bytes.getLong();
    long second = bytes.getLong();
    int bucket = key.bucket(BUCKETS);
    high[bucket] += first;
    low[bucket] += second;
    count++;
    if (bucket == watched) {
      seen.put(key, first);
    }
  }

  /** Notes how many documents there are, where they are not read. */
  void count(long documents) {
    count = documents;
  }

  long count() {
    return count;
  }

  /** A group in which the other side has other documents; negative if there is none. */
  int difference(CollectionDigest other) {
    for (int i = 0; i < BUCKETS; i++) {
      if (high[i] != other.high[i] || low[i] != other.low[i]) {
        return i;
      }
    }
    return -1;
  }

  /** What is different about one of the documents that were noted, in words. */
  String example(CollectionDigest copy) {
    for (Map.Entry<DocumentKey, Long> each : seen.entrySet()) {
      Long there = copy.seen.get(each.getKey());
      if (there == null) {
        return "_id " + each.getKey() + " is missing";
      }
      if (!there.equals(each.getValue())) {
        return "_id " + each.getKey() + " is another document";
      }
    }
    return copy.seen.keySet().stream()
        .filter(key -> !seen.containsKey(key))
        .map(key -> "_id " + key + " is in the target only")
        .findFirst()
        .orElse("they were equal when they were read again");
  }
}
