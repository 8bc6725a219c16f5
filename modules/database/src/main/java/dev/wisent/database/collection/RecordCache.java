package dev.wisent.database.collection;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.wisent.bson.RawDocument;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The newest versions of documents that were read or written by their {@code _id}, in front of
 * storage. An entry is always the committed version: a reader of the newest state sees the same
 * with the cache as without it. Snapshots do not look here.
 *
 * <p>How that is kept: a writer announces itself ({@link #beginWrite}) before it commits and leaves
 * ({@link #endWrite}) when the outcome is known; both change the stamp of the key's stripe. While a
 * writer is there nobody is served from here, for the new version may be visible already. A reader
 * takes the stamp before it reads storage, and what it read is only kept if no writer was or came
 * there. Thread-safe.
 */
public final class RecordCache {
  private static final int STRIPES = 1 << 14;
  private static final long WRITERS_MASK = 0xFFFF;
  private static final long VERSION_STEP = WRITERS_MASK + 1;
  private static final int DOCUMENT_BYTES_MAX = 64 << 10;
  private static final int ENTRY_OVERHEAD_BYTES = 160;

  private final Cache<Key, Entry> entries;

  /** For each stripe how many writers are at work, and above that how often this has changed. */
  private final AtomicLongArray stamps = new AtomicLongArray(STRIPES);

  /** A document with the record it is stored in. The bytes never change. */
  public record Entry(long recordId, byte[] document) {
    public RawDocument toDocument() {
      return RawDocument.of(document);
    }
  }

  /** An encoded {@code _id} with the ident of its index in front. */
  private record Key(byte[] bytes, int hash) {
    static Key of(byte[] idKey) {
      return new Key(idKey, Arrays.hashCode(idKey));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && hash == that.hash && Arrays.equals(bytes, that.bytes);
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
    this.entries =
        Caffeine.newBuilder()
            .maximumWeight(bytesMax)
            .weigher(RecordCache::weight)
            .executor(Runnable::run)
            .build();
  }

  private static int weight(Key key, Entry entry) {
    return ENTRY_OVERHEAD_BYTES + key.bytes().length + entry.document().length;
  }

  /** The document with this {@code _id}; null if it is not known here. */
  public Entry find(byte[] idKey) {
    Key key = Key.of(idKey);
    Entry entry = entries.getIfPresent(key);
    // In this order: a writer that comes after the look at the stamp has not committed yet.
    return entry == null || hasWriters(stamps.get(stripe(key.hash()))) ? null : entry;
  }

  /** To be taken before storage is read, and given back to {@link #keep}. */
  public long stamp(byte[] idKey) {
    return stamps.get(stripe(Arrays.hashCode(idKey)));
  }

  /**
   * Keeps what was read from storage after {@code stamp} was taken, if nobody has written there.
   */
  public void keep(byte[] idKey, long stamp, long recordId, RawDocument document) {
    if (hasWriters(stamp) || document.length() > DOCUMENT_BYTES_MAX) {
      return;
    }
    Key key = Key.of(idKey);
    // Only the first reader pays for the copy: with the entry there, nobody comes here.
    var entry = new Entry(recordId, document.toByteArray());
    entries
        .asMap()
        .computeIfAbsent(key, absent -> stamps.get(stripe(absent.hash())) == stamp ? entry : null);
  }

  /** Announces a commit that changes or removes the document; it is not served meanwhile. */
  public void beginWrite(byte[] idKey) {
    stamps.getAndAdd(stripe(Arrays.hashCode(idKey)), VERSION_STEP + 1);
  }

  /**
   * Ends what {@link #beginWrite} began: the document is gone, or nobody knows what became of it.
   * Every announcement is ended once, while the writer still holds the latch of the record.
   */
  public void endWrite(byte[] idKey) {
    entries.invalidate(Key.of(idKey));
    leave(idKey);
  }

  /** As {@link #endWrite} after a successful commit, with the version that was committed. */
  public void endWrite(byte[] idKey, long recordId, RawDocument committed) {
    if (committed.length() > DOCUMENT_BYTES_MAX) {
      endWrite(idKey);
    } else {
      entries.put(Key.of(idKey), new Entry(recordId, committed.toByteArray()));
      leave(idKey);
    }
  }

  /** After the entry is the new one or gone. */
  private void leave(byte[] idKey) {
    stamps.getAndAdd(stripe(Arrays.hashCode(idKey)), VERSION_STEP - 1);
  }

  private static boolean hasWriters(long stamp) {
    return (stamp & WRITERS_MASK) != 0;
  }

  private static int stripe(int hash) {
    return (hash ^ (hash >>> 15)) & (STRIPES - 1);
  }
}
