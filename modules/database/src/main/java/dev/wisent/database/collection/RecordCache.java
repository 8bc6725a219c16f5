package dev.wisent.database.collection;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.wisent.bson.RawDocument;
import dev.wisent.storage.ReadView;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The newest versions of documents that were read or written one by one, in front of storage, and
 * which record has which {@code _id}. A reader sees the same with the cache as without it, whether
 * it reads the newest state or a snapshot.
 *
 * <p>How that is kept: a writer announces itself ({@link #beginWrite}) before it commits and leaves
 * ({@link #endWrite}) when the outcome is known; both change the stamp of the record's stripe.
 * While a writer is there no reader is served from here, for the new version may be visible
 * already. An entry is always the committed version, and knows since which change of the store it
 * is: a snapshot is served if it was taken at or after that change. What a reader has read is only
 * kept if there was no write since the state that it read.
 *
 * <p>Which record has an {@code _id} needs no such care: it cannot change while the record exists,
 * and record ids are never used again. A reader that does not find the record must look into the
 * index. Thread-safe.
 */
public final class RecordCache {
  /** What to read the newest state as of. */
  public static final long NEWEST = ReadView.NEWEST;

  private static final int STRIPES = 1 << 14;
  private static final long WRITERS_MASK = 0xFFFF;
  private static final long VERSION_STEP = WRITERS_MASK + 1;
  private static final int DOCUMENT_BYTES_MAX = 64 << 10;
  private static final int ID_OVERHEAD_BYTES = 160;
  private static final int IDENT_BITS = 23;
  private static final int RECORD_ID_BITS = 40;
  private static final int IDS_SHARE = 8;
  private static final int READ_BEFORE_SLOTS = 1 << 18;
  private static final long NODE_BYTES_MAX = 256L << 20;

  private final RecordTable records;
  private final Cache<IdKey, Long> ids;

  /** For each stripe how many writers are at work, and above that how often this has changed. */
  private final AtomicLongArray stamps = new AtomicLongArray(STRIPES);

  /** For each stripe a change of the store after which there was no write. */
  private final AtomicLongArray lastWrites = new AtomicLongArray(STRIPES);

  /**
   * Hashes of records that were read lately. What is read once, as by one who goes over a large
   * collection, is not worth a copy and a place. Races only cost such a copy, or the next one.
   */
  private final int[] readBefore = new int[READ_BEFORE_SLOTS];

  /** An encoded {@code _id} with the ident of its index in front. */
  private record IdKey(byte[] bytes, int hash) {
    static IdKey of(byte[] idKey) {
      return new IdKey(idKey, Arrays.hashCode(idKey));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof IdKey that && hash == that.hash && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * @param bytesMax how much memory the entries may take, roughly
   */
  public RecordCache(long bytesMax) {
    this.records = new RecordTable(bytesMax - bytesMax / IDS_SHARE);
    this.ids =
        Caffeine.newBuilder()
            .maximumWeight(bytesMax / IDS_SHARE)
            .weigher((IdKey key, Long recordId) -> ID_OVERHEAD_BYTES + key.bytes().length)
            .executor(Runnable::run)
            .build();
  }

  /** A part of the heap that leaves room for the largest messages and sorts. */
  public static long bytesOfNode() {
    return Math.min(NODE_BYTES_MAX, Runtime.getRuntime().maxMemory() / 8);
  }

  /**
   * A record's document; null if it is not known here.
   *
   * @param asOf the change of the store up to which the reader sees it, or {@link #NEWEST}
   */
  public RawDocument find(int ident, long recordId, long asOf) {
    long key = key(ident, recordId);
    int stripe = stripe(key);
    long stamp = stamps.get(stripe);
    if (hasWriters(stamp)) {
      return null;
    }
    byte[] document = records.find(key, asOf);
    // The stamp is the same: the entry was the committed version all the time.
    return document == null || stamps.get(stripe) != stamp ? null : RawDocument.of(document);
  }

  /**
   * Keeps what was read from storage for the second time, if there was no write since.
   *
   * @param asOf a change of the store that the state has in which it was read, and no later one
   */
  public void keep(int ident, long recordId, long asOf, RawDocument document) {
    keep(ident, recordId, asOf, null, document);
  }

  /**
   * The same for what was read in the newest state.
   *
   * @param asOf a change of the store from before it was read
   * @param newest the newest state; null for one that does not change
   */
  public void keep(int ident, long recordId, long asOf, ReadView newest, RawDocument document) {
    long key = key(ident, recordId);
    boolean fits = document.length() <= DOCUMENT_BYTES_MAX && key != RecordTable.NONE;
    if (!fits || !isReadAgain(key)) {
      return;
    }
    int stripe = stripe(key);
    long stamp = stamps.get(stripe);
    if (hasWriters(stamp) || lastWrites.get(stripe) > asOf) {
      return;
    }
    // Inserts are not announced: it may be there only since it was read.
    long since = newest == null ? asOf : newest.sequence();
    records.add(key, since, document.toByteArray(), () -> stamps.get(stripe) == stamp);
  }

  /**
   * Whether a record that exists since before a change of the store is certainly as it was then,
   * and no write of it is under way. The caller has latched it. False tells nothing.
   */
  public boolean isUnchangedSince(int ident, long recordId, long sequence) {
    int stripe = stripe(key(ident, recordId));
    long stamp = stamps.get(stripe);
    return !hasWriters(stamp) && lastWrites.get(stripe) <= sequence && stamps.get(stripe) == stamp;
  }

  /** A number for a record; none for those beyond what any collection can get to. */
  private static long key(int ident, long recordId) {
    boolean fits = recordId >>> RECORD_ID_BITS == 0 && ident >>> IDENT_BITS == 0;
    return fits ? (long) ident << RECORD_ID_BITS | recordId : RecordTable.NONE;
  }

  private boolean isReadAgain(long key) {
    int hash = hash(key);
    int slot = hash & (READ_BEFORE_SLOTS - 1);
    boolean again = readBefore[slot] == hash;
    readBefore[slot] = hash;
    return again;
  }

  /** Announces a commit that changes or removes the document; it is not served meanwhile. */
  public void beginWrite(int ident, long recordId) {
    stamps.getAndAdd(stripe(key(ident, recordId)), VERSION_STEP + 1);
  }

  /**
   * Ends what {@link #beginWrite} began: the document is gone, or the outcome is unknown. Every
   * announcement is ended once, while no writer can begin to write a newer version.
   *
   * @param sequence of the store, after the commit
   */
  public void endWrite(int ident, long recordId, long sequence) {
    long key = key(ident, recordId);
    records.remove(key);
    leave(key, sequence);
  }

  /** As {@link #endWrite} after a successful commit, with the version that was committed. */
  public void endWrite(int ident, long recordId, long sequence, RawDocument committed) {
    long key = key(ident, recordId);
    if (committed.length() > DOCUMENT_BYTES_MAX || key == RecordTable.NONE) {
      endWrite(ident, recordId, sequence);
    } else {
      records.put(key, sequence, committed.toByteArray());
      leave(key, sequence);
    }
  }

  /** As {@link #endWrite} where another writer has begun a newer version, and sees to the entry. */
  public void endOlderWrite(int ident, long recordId, long sequence) {
    leave(key(ident, recordId), sequence);
  }

  /** After the entry is the new one or gone. */
  private void leave(long key, long sequence) {
    int stripe = stripe(key);
    lastWrites.accumulateAndGet(stripe, sequence, Math::max);
    stamps.getAndAdd(stripe, VERSION_STEP - 1);
  }

  /** The record that has or had this {@code _id}; -1 if it is not known here. */
  public long findId(byte[] idKey) {
    Long recordId = ids.getIfPresent(IdKey.of(idKey));
    return recordId == null ? -1 : recordId;
  }

  public void keepId(byte[] idKey, long recordId) {
    ids.put(IdKey.of(idKey), recordId);
  }

  private static boolean hasWriters(long stamp) {
    return (stamp & WRITERS_MASK) != 0;
  }

  private static int hash(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L * 0xBF58476D1CE4E5B9L;
    return (int) (mixed >>> 32);
  }

  private static int stripe(long key) {
    int hash = hash(key);
    return (hash ^ (hash >>> 15)) & (STRIPES - 1);
  }
}
