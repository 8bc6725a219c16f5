package dev.wisent.replication.member;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.OpTime;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import java.util.function.LongSupplier;

/**
 * The last entry of the oplog here; read again only when something was written meanwhile. It is
 * never older than what a reader has seen before he asks: clients take it for the time of their
 * reads.
 */
final class AppliedOpTime {
  private final ReadView storage;
  private final LongSupplier applications;
  private final Runnable publication;
  private volatile Last last = new Last(-1, -1, OpTime.NONE, 0);

  private record Last(long application, long sequence, OpTime opTime, long wallMillis) {}

  /**
   * @param applications grows when something is applied; after it can be read, which is too late to
   *     go by it alone, but also when other contents take the place of the present ones
   * @param publication returns when the definitions of all that was applied can be found
   */
  AppliedOpTime(ReadView storage, LongSupplier applications, Runnable publication) {
    this.storage = storage;
    this.applications = applications;
    this.publication = publication;
  }

  OpTime opTime() {
    return current().opTime;
  }

  /** A time of which everything can be found: what the others are told, and readers wait for. */
  OpTime published() {
    OpTime seen = opTime();
    publication.run();
    return seen;
  }

  long wallMillis() {
    return current().wallMillis;
  }

  private Last current() {
    Last known = last;
    try {
      long now = applications.getAsLong();
      long sequence = storage.sequence();
      if (known.application == now && known.sequence == sequence) {
        return known;
      }
      Last read = read(now, sequence);
      last = read;
      return read;
    } catch (StorageException e) {
      if (e.kind() != Kind.REPLACED && e.kind() != Kind.CLOSED) {
        throw e;
      }
      // Nothing can be read at the moment; but every reply has a time, also one that says so.
      return known;
    }
  }

  private Last read(long application, long sequence) {
    try (KeyValueCursor entries = storage.cursor(Keyspace.OPLOG, null, null, true)) {
      if (!entries.next()) {
        return new Last(application, sequence, OpTime.NONE, 0);
      }
      RawDocument entry = RawDocument.of(entries.copyValue());
      RawValue term = entry.get("t");
      RawValue wall = entry.get("wall");
      return new Last(
          application,
          sequence,
          new OpTime(entry.get("ts").asInt64(), term == null ? -1 : term.asInt64()),
          wall == null ? 0 : wall.asInt64());
    }
  }
}
