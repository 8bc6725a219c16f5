package dev.wisent.cluster.shard;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stored blocks, by which coordinators keep writes out of collections and databases. Blocks of
 * one coordinator and name have rising numbers. The end of a block is stored as well, so that a
 * request to begin it that comes late is refused: no other request would end it. A block may have a
 * bound, after which this shard ends it by itself.
 */
final class WriteBlockTable {
  /** What no block has as its number. */
  private static final long FOR_GOOD = Long.MAX_VALUE;

  private static final String NUMBER = "number";
  private static final String BOUND = "boundMillis";

  private final Operations documents;
  private final TableRows rows;
  private final RowExpiry expiry;
  private final Ownership ownership;
  private final WriteGate gate;
  private final Clock clock;

  /** Held while a row is read and changed. */
  private final ReentrantLock changing = new ReentrantLock();

  /** When each block with a bound was seen first, by its row; of the thread that ends them. */
  private Map<RawDocument, Long> seen = Map.of();

  WriteBlockTable(Operations documents, Ownership ownership, WriteGate gate, Clock clock) {
    this.documents = documents;
    this.rows = new TableRows(documents);
    this.ownership = ownership;
    this.gate = gate;
    this.clock = clock;
    this.expiry = new RowExpiry(rows, Ownership.ENDED_BLOCKS, clock);
  }

  /**
   * A block of a coordinator.
   *
   * @param name of a collection or database
   * @param id of the coordinator: another one may block the same
   * @param number of the block, from what {@link #end} has told; zero for the first one
   */
  record Block(String name, RawValue id, long number) {
    RawDocument key() {
      return new BsonBuilder()
          .startDocument("_id")
          .appendString("ns", name)
          .append("id", id)
          .end()
          .toDocument();
    }
  }

  /**
   * Keeps writes out; returns when none is under way. The same block may be begun again, with other
   * arguments, until it has ended.
   *
   * @param reads whether routers may not read either
   * @param boundMillis when this shard ends it by itself; zero for never
   */
  void begin(OperationContext operation, Block block, boolean reads, long boundMillis) {
    operation.acquire(changing);
    try {
      requireNotEnded(operation, block);
      var row = new BsonBuilder().appendAll(block.key()).appendInt64(NUMBER, block.number());
      if (reads) {
        row.appendBoolean("reads", true);
      }
      if (boundMillis > 0) {
        row.appendInt64(BOUND, boundMillis);
      }
      rows.replace(operation, Ownership.BLOCKS, row.toDocument());
    } finally {
      changing.unlock();
    }
    ownership.blocks().awaitEmpty(block.name(), operation, gate);
  }

  private void requireNotEnded(OperationContext operation, Block block) {
    long next = next(operation, block.key());
    if (block.number() < next || next == FOR_GOOD) {
      throw ended(block.name());
    }
  }

  /** The lowest number that a block may have. */
  private long next(OperationContext operation, RawDocument key) {
    RawDocument ended = rows.find(operation, Ownership.ENDED_BLOCKS, key);
    return ended == null ? 0 : DocumentFields.number(ended, NUMBER);
  }

  private static CommandException ended(String name) {
    return new CommandException(
        ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
        "The block of writes to %s has ended already".formatted(name));
  }

  /**
   * Ends the blocks of a coordinator, those included that were asked for and have not come yet.
   *
   * @param again whether another one may follow
   * @return the number of that
   */
  long end(OperationContext operation, String name, RawValue id, boolean again) {
    RawDocument key = new Block(name, id, 0).key();
    operation.acquire(changing);
    try {
      long before = next(operation, key);
      if (again && before == FOR_GOOD) {
        throw ended(name);
      }
      long next = again ? before + 1 : FOR_GOOD;
      endAt(operation, key, next);
      return next;
    } finally {
      changing.unlock();
      ownership.changed();
    }
  }

  /** The note comes first: what is repeated after a crash between the two ends the same block. */
  private void endAt(OperationContext operation, RawDocument key, long next) {
    var note = new BsonBuilder().appendAll(key).appendInt64(NUMBER, next);
    rows.replace(operation, Ownership.ENDED_BLOCKS, expiry.stamp(note).toDocument());
    rows.delete(operation, Ownership.BLOCKS, key);
    expiry.purge(operation);
  }

  /** Ends the blocks whose bound has passed since this primary has seen them first. */
  void endOverdue(OperationContext operation) {
    var now = new HashMap<RawDocument, Long>();
    if (ownership.isInUse() && !ownership.tables().blocked().isEmpty()) {
      for (RawDocument row : bounded(operation)) {
        long since = seen.getOrDefault(row, clock.monotonicNanos());
        long bound = TimeUnit.MILLISECONDS.toNanos(DocumentFields.number(row, BOUND));
        if (clock.monotonicNanos() - since >= bound) {
          endOverdue(operation, row);
        } else {
          now.put(row, since);
        }
      }
    }
    seen = now;
  }

  private void endOverdue(OperationContext operation, RawDocument row) {
    RawDocument key = DocumentFields.byId(row.get("_id"));
    operation.acquire(changing);
    try {
      // It may have been begun without a bound meanwhile.
      if (row.equals(rows.find(operation, Ownership.BLOCKS, key))) {
        endAt(operation, key, DocumentFields.number(row, NUMBER) + 1);
      }
    } finally {
      changing.unlock();
      ownership.changed();
    }
  }

  private List<RawDocument> bounded(OperationContext operation) {
    var found = new ArrayList<RawDocument>();
    RawDocument filter = RawDocument.parse("{" + BOUND + ": {$exists: true}}");
    try (ResultCursor stored =
        documents.find(operation, FindRequest.of(Ownership.BLOCKS, filter))) {
      for (RawDocument row; (row = stored.peek()) != null; stored.take()) {
        found.add(RawDocument.of(row.toByteArray()));
      }
    }
    return found;
  }
}
