package dev.wisent.replication.member;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.InterruptibleWait;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.raft.LogApplier.Applied;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import java.util.List;

/**
 * The last entry of the oplog here. It is kept in memory, because every reply and every report to
 * the primary asks for it; it follows what is applied, and is read from the store only at the
 * start, and when it is unknown otherwise what the store has.
 *
 * <p>It is never older than what a reader has seen before it asks: clients take it for the time of
 * their reads. So it knows what is about to be written, and sees by the store's sequence whether
 * that is there.
 */
final class AppliedOpTime implements ApplyObserver {
  private final ReadView storage;
  private final InterruptibleWait publication;
  private volatile State state;

  private record Last(OpTime opTime, long wallMillis) {
    static final Last NONE = new Last(OpTime.NONE, 0);
  }

  /**
   * @param settled what is certainly there, unless that is uncertain
   * @param upcoming what is being written; null if nothing is
   * @param sequence the store's, before that
   */
  private record State(Last settled, Last upcoming, long sequence, boolean sure) {
    static State of(Last last) {
      return new State(last, null, 0, true);
    }
  }

  /**
   * @param publication until the definitions of all that was applied can be found
   */
  AppliedOpTime(ReadView storage, InterruptibleWait publication) {
    this.storage = storage;
    this.publication = publication;
    this.state = State.of(read());
  }

  OpTime opTime() {
    return visible().opTime;
  }

  long wallMillis() {
    return visible().wallMillis;
  }

  /** A time of which everything can be found: what the others are told, and readers wait for. */
  OpTime published() {
    OpTime seen = settled();
    boolean published = false;
    boolean interrupted = false;
    while (!published) {
      try {
        published = publication.await(Long.MAX_VALUE);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return seen;
  }

  /** As {@link #published()}; the operation can end the wait. */
  OpTime published(OperationContext operation) {
    OpTime seen = settled();
    operation.await(publication);
    return seen;
  }

  private OpTime settled() {
    State now = state;
    Last seen = now.sure ? now.settled : readOr(now.settled);
    return seen.opTime;
  }

  private Last visible() {
    State now = state;
    if (!now.sure) {
      return readOr(now.settled);
    }
    return now.upcoming != null && isWritten(now) ? now.upcoming : now.settled;
  }

  private boolean isWritten(State writing) {
    try {
      return storage.sequence() > writing.sequence;
    } catch (StorageException e) {
      requireUnreadable(e);
      return false;
    }
  }

  @Override
  public void applying(List<Applied> mutations) {
    Last upcoming = lastOf(mutations);
    if (upcoming != null) {
      State now = state;
      Last settled = now.sure ? now.settled : read();
      state = new State(settled, upcoming, storage.sequence(), true);
    }
  }

  @Override
  public void applied() {
    State now = state;
    if (!now.sure) {
      state = State.of(read());
    } else if (now.upcoming != null) {
      state = State.of(now.upcoming);
    }
  }

  @Override
  public void unsure() {
    state = new State(state.settled, null, 0, false);
  }

  /** The last of the oplog entries; null if there is none. */
  private static Last lastOf(List<Applied> mutations) {
    for (int i = mutations.size() - 1; i >= 0; i--) {
      var changes = new BatchReader(mutations.get(i).mutation());
      int offset = -1;
      int length = 0;
      while (changes.next()) {
        if (changes.keyspace() == Keyspace.OPLOG && changes.kind() == BatchReader.Kind.PUT) {
          offset = changes.valueOffset();
          length = changes.valueLength();
        }
      }
      if (offset >= 0) {
        return last(new RawDocument(changes.bytes(), offset, length));
      }
    }
    return null;
  }

  /** While nothing can be read: every reply has a time, also one that says so. */
  private Last readOr(Last known) {
    try {
      return read();
    } catch (StorageException e) {
      requireUnreadable(e);
      return known;
    }
  }

  private static void requireUnreadable(StorageException e) {
    if (e.kind() != Kind.REPLACED && e.kind() != Kind.CLOSED) {
      throw e;
    }
  }

  /** The time of the last entry that a store has. */
  static OpTime in(ReadView storage) {
    return read(storage).opTime;
  }

  private Last read() {
    return read(storage);
  }

  private static Last read(ReadView storage) {
    try (KeyValueCursor entries = storage.cursor(Keyspace.OPLOG, null, null, true)) {
      return entries.next() ? last(RawDocument.of(entries.copyValue())) : Last.NONE;
    }
  }

  private static Last last(RawDocument entry) {
    RawValue term = entry.get("t");
    RawValue wall = entry.get("wall");
    return new Last(
        new OpTime(entry.get("ts").asInt64(), term == null ? -1 : term.asInt64()),
        wall == null ? 0 : wall.asInt64());
  }
}
