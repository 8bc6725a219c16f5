package dev.wisent.database.collection;

import dev.wisent.bson.RawDocument;
import dev.wisent.storage.CommitFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Versions of documents in flight in a replicated log: submitted, but not applied. The next writer
 * of such a record starts from that version and does not wait until it is applied, so a document
 * that many clients change is as fast as others. The later change follows in the same log: it is
 * never applied without the one that it was made from.
 *
 * <p>The newest version of a record is here until it is applied. Only writers that hold the latch
 * of the record look or add; readers never see what is not applied. Thread-safe.
 */
public final class InFlightVersions {
  private final ConcurrentHashMap<Key, Version> newest = new ConcurrentHashMap<>();

  private record Key(int ident, long recordId) {}

  /** What a record will be; compared by identity. */
  public static final class Version {
    private final RawDocument document;
    private final CommitFuture commit;

    /**
     * @param document null if it is deleted
     * @param commit an operation that answers a client with this version waits for it
     */
    public Version(RawDocument document, CommitFuture commit) {
      this.document = document;
      this.commit = commit;
    }

    public RawDocument document() {
      return document;
    }

    public CommitFuture commit() {
      return commit;
    }
  }

  /** The newest version of a record that is not applied; null if there is none. */
  public Version find(int ident, long recordId) {
    return newest.get(new Key(ident, recordId));
  }

  /** Adds a version that has been submitted. */
  public void submitted(int ident, long recordId, Version version) {
    newest.put(new Key(ident, recordId), version);
  }

  /**
   * Removes a version that is applied, or will never be.
   *
   * @param ifNewest runs while no newer one can be added
   * @param ifOlder runs where there is, or was, a newer one
   */
  public void ended(
      int ident, long recordId, Version version, Runnable ifNewest, Runnable ifOlder) {
    newest.compute(
        new Key(ident, recordId),
        (key, current) -> {
          if (current != version) {
            ifOlder.run();
            return current;
          }
          ifNewest.run();
          return null;
        });
  }

  /** How many records have versions that are not applied. */
  public int size() {
    return newest.size();
  }
}
