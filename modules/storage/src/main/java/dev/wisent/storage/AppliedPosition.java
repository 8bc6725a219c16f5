package dev.wisent.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a replicated log is applied, as an entry of the store itself, so that it changes together
 * with what it speaks of: term and index, 8 bytes each, big endian.
 */
final class AppliedPosition {
  private static final byte[] KEY = "appliedPosition".getBytes(StandardCharsets.UTF_8);

  private AppliedPosition() {}

  /** One batch that makes all the changes and notes the position. */
  static byte[] noted(List<byte[]> batches, LogPosition position) {
    byte[] value = new byte[2 * Long.BYTES];
    ByteBuffer.wrap(value).putLong(position.term()).putLong(position.index());
    List<byte[]> all = new ArrayList<>(batches.size() + 1);
    all.addAll(batches);
    all.add(new MutationBuilder(64).put(Keyspace.SYSTEM, KEY, value).build().batch());
    return BatchFormat.join(all);
  }

  /** A batch that takes the note away. */
  static byte[] forgotten() {
    return new MutationBuilder(64).delete(Keyspace.SYSTEM, KEY).build().batch();
  }

  static LogPosition read(ReadView view) {
    return of(view.get(Keyspace.SYSTEM, KEY));
  }

  static byte[] key() {
    return KEY.clone();
  }

  /** The position in a stored value; null stands for none. */
  static LogPosition of(byte[] value) {
    if (value == null) {
      return LogPosition.START;
    }
    ByteBuffer bytes = ByteBuffer.wrap(value);
    return new LogPosition(bytes.getLong(), bytes.getLong());
  }
}
