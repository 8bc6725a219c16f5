package dev.wisent.replication.raft;

import dev.wisent.storage.Mutation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The bytes of a log entry, all numbers big endian: a format version (1 byte), the term in which
 * the leader evaluated it (8), the cluster time of its last oplog entry or 0 (8), the number of
 * mutations (4), and for each of these the length of its batch (4) and the batch.
 */
final class EntryFormat {
  static final byte VERSION = 1;

  static final int HEADER_BYTES = 1 + Long.BYTES + Long.BYTES + Integer.BYTES;

  /** What an entry needs for each mutation besides its batch. */
  static final int MUTATION_OVERHEAD_BYTES = Integer.BYTES;

  private EntryFormat() {}

  /**
   * An entry.
   *
   * @param lastTimestamp the cluster time of its last oplog entry; 0 if it has none
   */
  record Entry(long term, long lastTimestamp, List<Mutation> mutations) {}

  /** What an entry begins with. */
  record Header(long term, long lastTimestamp) {}

  /** The bytes of an entry. The batches are not copied, and must not be changed. */
  static ByteString encode(Entry entry) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.put(VERSION).putLong(entry.term).putLong(entry.lastTimestamp);
    header.putInt(entry.mutations.size());
    ByteString bytes = UnsafeByteOperations.unsafeWrap(header.flip());
    for (Mutation mutation : entry.mutations) {
      ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).putInt(mutation.sizeBytes()).flip();
      bytes =
          bytes
              .concat(UnsafeByteOperations.unsafeWrap(length))
              .concat(UnsafeByteOperations.unsafeWrap(mutation.batch()));
    }
    return bytes;
  }

  /**
   * @throws IllegalArgumentException if these are not the bytes of an entry: it was made by a newer
   *     version, or is damaged
   */
  static Entry decode(ByteBuffer bytes) {
    Header header = header(bytes);
    int count = bytes.getInt();
    List<Mutation> mutations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      mutations.add(decodeMutation(bytes));
    }
    if (bytes.hasRemaining()) {
      throw malformed(bytes.remaining() + " bytes follow its end");
    }
    return new Entry(header.term, header.lastTimestamp, mutations);
  }

  /** Reads as far as the number of mutations, with the errors of {@link #decode}. */
  static Header header(ByteBuffer bytes) {
    if (bytes.remaining() < HEADER_BYTES) {
      throw malformed("its header is incomplete");
    }
    byte version = bytes.get();
    if (version != VERSION) {
      throw malformed("its format is " + version + ", and this version knows " + VERSION);
    }
    return new Header(bytes.getLong(), bytes.getLong());
  }

  private static Mutation decodeMutation(ByteBuffer bytes) {
    if (bytes.remaining() < Integer.BYTES) {
      throw malformed("it is cut off");
    }
    int length = bytes.getInt();
    if (length < 0 || length > bytes.remaining()) {
      throw malformed("it is cut off");
    }
    byte[] batch = new byte[length];
    bytes.get(batch);
    return Mutation.ofBatch(batch, List.of());
  }

  private static IllegalArgumentException malformed(String why) {
    return new IllegalArgumentException("Malformed log entry: " + why);
  }
}
