package dev.wisent.database.collection;

import dev.wisent.database.index.Index;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.operation.Namespace;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.SortedEntries;
import dev.wisent.storage.StorageEngine;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Writes the entries of a unique index. Two records may have the same key until the build ends: one
 * of them has it in the index, the others wait under an ident of their own, as {@code key, record
 * id}, and the next one moves up when the holder gives the key away. The index is unique if no
 * record waits in the end.
 */
final class UniqueEntryWriter implements EntryWriter {
  private static final byte[] REMOVED = {};

  private final StorageEngine storage;
  private final Namespace namespace;
  private final Index index;
  private final int waitingIdent;
  private final BuildBatch batch;

  /** Changes of the index that are not in storage yet, by key. */
  private final Map<ByteBuffer, byte[]> pending = new HashMap<>();

  private long pendingSince;
  private boolean anyWaiting;

  UniqueEntryWriter(
      StorageEngine storage, Namespace namespace, Index index, int waitingIdent, BuildBatch batch) {
    this.storage = storage;
    this.namespace = namespace;
    this.index = index;
    this.waitingIdent = waitingIdent;
    this.batch = batch;
  }

  @Override
  public void load(SortedEntries sorted, BiConsumer<byte[], byte[]> into) {
    byte[] last = null;
    long holder = 0;
    while (sorted.next()) {
      byte[] full = sorted.key();
      int keyLength = full.length - RecordKeys.RECORD_ID_BYTES;
      long recordId = RecordKeys.recordId(full, keyLength);
      if (last == null || !Arrays.equals(full, 0, keyLength, last, 0, last.length)) {
        last = Arrays.copyOf(full, keyLength);
        holder = recordId;
        into.accept(last, IndexEntries.uniqueValue(recordId, sorted.value()));
      } else if (recordId != holder) {
        addWaiting(last, sorted.value(), recordId);
        if (batch.isLarge()) {
          batch.flush();
        }
      }
    }
  }

  @Override
  public void put(byte[] key, byte[] typeBits, long recordId) {
    byte[] held = held(key);
    if (held == null || RecordKeys.recordId(held, 0) == recordId) {
      set(key, IndexEntries.uniqueValue(recordId, typeBits));
    } else {
      addWaiting(key, typeBits, recordId);
    }
  }

  @Override
  public void remove(byte[] key, long recordId) {
    byte[] held = held(key);
    if (held == null || RecordKeys.recordId(held, 0) != recordId) {
      batch.delete(waitingKey(key, recordId));
    } else if (!moveUp(key)) {
      pending().put(ByteBuffer.wrap(key), REMOVED);
      batch.delete(key);
    }
  }

  /** What the index has under a key; null if nothing. */
  private byte[] held(byte[] key) {
    byte[] changed = pending().get(ByteBuffer.wrap(key));
    if (changed != null) {
      return changed == REMOVED ? null : changed;
    }
    return storage.get(Keyspace.INDEX, key);
  }

  private void set(byte[] key, byte[] value) {
    pending().put(ByteBuffer.wrap(key), value);
    batch.put(key, value);
  }

  private Map<ByteBuffer, byte[]> pending() {
    if (pendingSince != batch.flushes()) {
      pending.clear();
      pendingSince = batch.flushes();
    }
    return pending;
  }

  private void addWaiting(byte[] key, byte[] typeBits, long recordId) {
    anyWaiting = true;
    batch.put(waitingKey(key, recordId), typeBits);
  }

  private byte[] waitingKey(byte[] key, long recordId) {
    byte[] waiting = IndexEntries.withRecordId(key, recordId);
    RecordKeys.writeIdent(waiting, waitingIdent);
    return waiting;
  }

  /** Gives a key to the first who waits for it. */
  private boolean moveUp(byte[] key) {
    if (!anyWaiting) {
      return false;
    }
    // Who waits is looked up in storage alone: that is rare enough.
    batch.flush();
    byte[] lower = key.clone();
    RecordKeys.writeIdent(lower, waitingIdent);
    try (KeyValueCursor waiting =
        storage.cursor(Keyspace.INDEX, lower, RecordKeys.prefixUpperBound(lower), false)) {
      if (!waiting.next()) {
        return false;
      }
      long recordId = RecordKeys.recordId(waiting.key(), key.length);
      set(key, IndexEntries.uniqueValue(recordId, waiting.copyValue()));
      batch.delete(waiting.copyKey());
      return true;
    }
  }

  @Override
  public void check() {
    if (!anyWaiting) {
      return;
    }
    try (KeyValueCursor waiting =
        storage.cursor(
            Keyspace.INDEX,
            RecordKeys.lowerBound(waitingIdent),
            RecordKeys.upperBound(waitingIdent),
            false)) {
      if (waiting.next()) {
        byte[] key = Arrays.copyOf(waiting.key(), waiting.keyLength() - RecordKeys.RECORD_ID_BYTES);
        RecordKeys.writeIdent(key, index.ident());
        throw DuplicateKeys.of(namespace, index, index.keyDocument(key, waiting.copyValue()));
      }
    }
  }
}
