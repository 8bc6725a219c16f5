package dev.wisent.database.collection;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.wisent.bson.RawDocument;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The newest versions of documents that were read or written one by one, in front of storage, and
 * which record has which {@code _id}. A reader sees the same with the cache as without it, whether
 * it reads the newest state or a snapshot.
 *
 * <p>How that is kept: a writer announces itself ({@link #beginWrite}) before it commits and leaves
 * ({@link #endWrite}) when the outcome is known; both change the stamp of the record's stripe.
 * While a writer is there nobody is served from here, for the new version may be visible already.
 * An entry is always the committed version, and knows since which change of the store it is: a
 * snapshot is served if it was taken at or after that change. What a reader has read is only kept
 * if nobody has written there since the state that it read.
 *
 * <p>Which record has an {@code _id} needs no such care: it cannot change while the record exists,
 * and record ids are never used again. Whoever does not find the record must look into the index.
 * Thread-safe.
 */
public final class RecordCache {
  /** What to read the newest state as of. */
  public static final long NEWEST = Long.MAX_VALUE;

  private static final int STRIPES = 1 << 14;
  private static final long WRITERS_MASK = 0xFFFF;
  private static final long VERSION_STEP = WRITERS_MASK + 1;
  private static final int DOCUMENT_BYTES_MAX = 64 << 10;
  private static final int ENTRY_OVERHEAD_BYTES = 160;
  private static final int IDS_SHARE = 8;
  private static final int READ_BEFORE_SLOTS = 1 << 18;

  private final Cache<RecordKey, Entry> records;
  private final Cache<IdKey, Long> ids;

  /** For each stripe how many writers are at work, and above that how often this has changed. */
  private final AtomicLongArray stamps = new AtomicLongArray(STRIPES);

  /** For each stripe a change of the store after which nobody has written there. */
  private final AtomicLongArray lastWrites = new AtomicLongArray(STRIPES);

  /**
   * Hashes of records that were read lately. What is read once, as by one who goes over a large
   * collection, is not worth a copy and a place. Races only cost such a copy, or the next one.
   */
  private final int[] readBefore = new int[READ_BEFORE_SLOTS];

  /** A committed version; its bytes never change. */
  private record Entry(long since, byte[] document) {}

  private record RecordKey(int ident, long recordId) {
    /** By hand: what the compiler makes is linked at run time and does not become part of find. */
    @Override
    public boolean equals(Object other) {
      return other instanceof RecordKey that && recordId == that.recordId && ident == that.ident;
    }

    @Override
    public int hashCode() {
      long mixed = (recordId + ident * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
      return (int) (mixed >>> 32);
    }
  }

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
    this.records =
        Caffeine.newBuilder()
            .maximumWeight(bytesMax - bytesMax / IDS_SHARE)
            .weigher((RecordKey key, Entry entry) -> ENTRY_OVERHEAD_BYTES + entry.document().length)
            .executor(Runnable::run)
            .build();
    this.ids =
        Caffeine.newBuilder()
            .maximumWeight(bytesMax / IDS_SHARE)
            .weigher((IdKey key, Long recordId) -> ENTRY_OVERHEAD_BYTES + key.bytes().length)
            .executor(Runnable::run)
            .build();
  }

  /**
   * A record's document; null if it is not known here.
   *
   * @param asOf the change of the store up to which the reader sees it, or {@link #NEWEST}
   */
  public RawDocument find(int ident, long recordId, long asOf) {
    var key = new RecordKey(ident, recordId);
    int stripe = stripe(key);
    long stamp = stamps.get(stripe);
    if (hasWriters(stamp)) {
      return null;
    }
    Entry entry = records.getIfPresent(key);
    // The stamp is the same: the entry was the committed version all the time.
    return entry == null || entry.since() > asOf || stamps.get(stripe) != stamp
        ? null
        : RawDocument.of(entry.document());
  }

  /**
   * Keeps what was read from storage for the second time, if nobody has written there since.
   *
   * @param asOf a change of the store that what was read surely includes
   */
  public void keep(int ident, long recordId, long asOf, RawDocument document) {
    var key = new RecordKey(ident, recordId);
    if (document.length() > DOCUMENT_BYTES_MAX || !isReadAgain(key)) {
      return;
    }
    int stripe = stripe(key);
    long stamp = stamps.get(stripe);
    if (hasWriters(stamp)) {
      return;
    }
    long since = lastWrites.get(stripe);
    if (since > asOf) {
      return;
    }
    var entry = new Entry(since, document.toByteArray());
    records.asMap().computeIfAbsent(key, absent -> stamps.get(stripe) == stamp ? entry : null);
  }

  private boolean isReadAgain(RecordKey key) {
    int hash = key.hashCode();
    int slot = hash & (READ_BEFORE_SLOTS - 1);
    boolean again = readBefore[slot] == hash;
    readBefore[slot] = hash;
    return again;
  }

  /** Announces a commit that changes or removes the document; it is not served meanwhile. */
  public void beginWrite(int ident, long recordId) {
    stamps.getAndAdd(stripe(new RecordKey(ident, recordId)), VERSION_STEP + 1);
  }

  /**
   * Ends what {@link #beginWrite} began: the document is gone, or nobody knows what became of it.
   * Every announcement is ended once, while nobody can begin to write a newer version.
   *
   * @param sequence of the store, after the commit
   */
  public void endWrite(int ident, long recordId, long sequence) {
    var key = new RecordKey(ident, recordId);
    records.invalidate(key);
    leave(key, sequence);
  }

  /** As {@link #endWrite} after a successful commit, with the version that was committed. */
  public void endWrite(int ident, long recordId, long sequence, RawDocument committed) {
    if (committed.length() > DOCUMENT_BYTES_MAX) {
      endWrite(ident, recordId, sequence);
    } else {
      var key = new RecordKey(ident, recordId);
      records.put(key, new Entry(sequence, committed.toByteArray()));
      leave(key, sequence);
    }
  }

  /**
   * As {@link #endWrite} where somebody has begun to write a newer version, who sees to the entry.
   */
  public void endOlderWrite(int ident, long recordId, long sequence) {
    leave(new RecordKey(ident, recordId), sequence);
  }

  /** After the entry is the new one or gone. */
  private void leave(RecordKey key, long sequence) {
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

  private static int stripe(RecordKey key) {
    int hash = key.hashCode();
    return (hash ^ (hash >>> 15)) & (STRIPES - 1);
  }
}
