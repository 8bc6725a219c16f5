package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.storage.EntryBatch;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.Arrays;
import java.util.List;

/**
 * The entries of given keys of an {@code _id} index, those that are there. Each is a point read,
 * which costs less than a seek, and often nothing is read at all.
 */
final class IdPoints implements KeyValueCursor {
  private final List<byte[]> keys;
  private final boolean reverse;
  private final ReadView view;
  private final IdReader reader;
  private final byte[] value = new byte[RecordKeys.RECORD_ID_BYTES];
  private int at = -1;

  /**
   * @param keys ascending
   */
  IdPoints(List<byte[]> keys, boolean reverse, Collection collection, ReadView view) {
    this.keys = reverse ? keys.reversed() : keys;
    this.reverse = reverse;
    this.view = view;
    this.reader = new IdReader(collection);
  }

  @Override
  public boolean next() {
    while (++at < keys.size()) {
      if (reader.read(keys.get(at), view)) {
        RecordKeys.writeRecordId(value, 0, reader.recordId());
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean seek(byte[] key, int keyLength) {
    at = 0;
    while (at < keys.size() && isBefore(keys.get(at), key, keyLength)) {
      at++;
    }
    at--;
    return next();
  }

  private boolean isBefore(byte[] own, byte[] key, int keyLength) {
    int order = Arrays.compareUnsigned(own, 0, own.length, key, 0, keyLength);
    return reverse ? order > 0 : order < 0;
  }

  /** The document of the current entry. */
  RawDocument document() {
    return reader.document();
  }

  @Override
  public boolean read(EntryBatch batch) {
    throw new UnsupportedOperationException("points are looked up one by one");
  }

  @Override
  public byte[] key() {
    return keys.get(at);
  }

  @Override
  public int keyLength() {
    return keys.get(at).length;
  }

  @Override
  public byte[] value() {
    return value;
  }

  @Override
  public int valueLength() {
    return value.length;
  }

  @Override
  public byte[] copyKey() {
    return keys.get(at).clone();
  }

  @Override
  public byte[] copyValue() {
    return value.clone();
  }

  @Override
  public int readValue(byte[] dest, int destOffset) {
    System.arraycopy(value, 0, dest, destOffset, Math.min(value.length, dest.length - destOffset));
    return value.length;
  }

  @Override
  public void close() {}
}
