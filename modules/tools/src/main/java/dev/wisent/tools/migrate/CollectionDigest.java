package dev.wisent.tools.migrate;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.BitSet;
import org.bson.RawBsonDocument;

/**
 * Sums of the hashes of documents, which the order of the documents does not change. There is one
 * for each of many groups of ids, so that a difference can be found again. For one thread.
 */
final class CollectionDigest {
  static final int BUCKETS = 1_024;

  private final long[] high = new long[BUCKETS];
  private final long[] low = new long[BUCKETS];
  private final MessageDigest hash = sha256();

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** The hash of one document. */
  static byte[] hash(RawBsonDocument document) {
    MessageDigest hash = sha256();
    hash.update(document.getByteBuffer().asNIO());
    return hash.digest();
  }

  void add(RawBsonDocument document) {
    hash.update(document.getByteBuffer().asNIO());
    ByteBuffer bytes = ByteBuffer.wrap(hash.digest());
    int bucket = DocumentKey.of(document).bucket(BUCKETS);
    high[bucket] += bytes.getLong();
    low[bucket] += bytes.getLong();
  }

  /** The groups in which the other side has other documents. */
  BitSet differences(CollectionDigest other) {
    var different = new BitSet(BUCKETS);
    for (int i = 0; i < BUCKETS; i++) {
      different.set(i, high[i] != other.high[i] || low[i] != other.low[i]);
    }
    return different;
  }
}
