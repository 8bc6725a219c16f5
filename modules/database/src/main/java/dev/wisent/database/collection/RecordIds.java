package dev.wisent.database.collection;

import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives out the record ids of a collection, in ascending order and none of them twice, also after a
 * restart: who knows a record by its id, as caches and cursors do, never gets another one. What is
 * stored tells the greatest id as long as its record is there; when a record is deleted, a mark in
 * the catalog says that the ids of its block are used up. Thread-safe.
 */
public final class RecordIds {
  private static final int BLOCK_BITS = 16;

  private final AtomicLong last;
  private final AtomicLong markedBlock;

  private RecordIds(long last, long markedBlock) {
    this.last = new AtomicLong(last);
    this.markedBlock = new AtomicLong(markedBlock);
  }

  /**
   * Of a collection that is being created. There is nothing to look for, and looking for it would
   * lead over the remains of everything that was dropped before.
   */
  static RecordIds ofNew() {
    return new RecordIds(0, -1);
  }

  static RecordIds open(int ident, ReadView view) {
    long markedBlock = markedBlock(ident, view);
    long lastMarked = ((markedBlock + 1) << BLOCK_BITS) - 1;
    return new RecordIds(Math.max(lastStored(ident, view), lastMarked), markedBlock);
  }

  private static long lastStored(int ident, ReadView view) {
    try (KeyValueCursor cursor =
        view.cursor(
            Keyspace.RECORDS, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident), true)) {
      return cursor.next() ? RecordKeys.recordId(cursor.key()) : 0;
    }
  }

  /** The last block with a mark; -1 if there is none. */
  private static long markedBlock(int ident, ReadView view) {
    try (KeyValueCursor cursor =
        view.cursor(
            Keyspace.CATALOG,
            CatalogKeys.usedRecordIds(ident, 0),
            CatalogKeys.usedRecordIds(ident, Long.MAX_VALUE),
            true)) {
      return cursor.next() ? CatalogKeys.usedBlock(cursor.key()) : -1;
    }
  }

  public long next() {
    return last.incrementAndGet();
  }

  /** The block of an id, for {@link CatalogKeys#usedRecordIds}. */
  public static long block(long recordId) {
    return recordId >>> BLOCK_BITS;
  }

  /** Whether the store knows that this id is used, also when its record is deleted. */
  public boolean isMarked(long recordId) {
    return block(recordId) <= markedBlock.get();
  }

  /** A replicated entry has used this id. */
  void seen(long recordId) {
    if (recordId > last.get()) {
      last.accumulateAndGet(recordId, Math::max);
    }
  }

  /** Keeps an id for a record that is prepared. */
  public void reserve(long recordId) {
    seen(recordId);
  }

  /** A replicated entry has marked this block. */
  void markedBlock(long block) {
    markedBlock.accumulateAndGet(block, Math::max);
  }

  /** To be called when a mutation that marks this id is committed. */
  public void marked(long recordId) {
    long block = block(recordId);
    if (recordId > 0 && block > markedBlock.get()) {
      markedBlock.accumulateAndGet(block, Math::max);
    }
  }
}
