package dev.wisent.database.oplog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.PreImage;
import java.util.List;

/**
 * Makes the oplog entries of a transaction: one {@code applyOps} with all its operations, or, if
 * they are too large for one document, several that are chained by {@code prevOpTime}. All but the
 * last say {@code partialTxn}; the last says how many operations there are.
 */
public final class TransactionEntries {
  /** As in MongoDB: an entry is a document that clients read. */
  private static final int ENTRY_BYTES_MAX = 16 << 20;

  private static final int OPERATION_OVERHEAD_BYTES = 12;

  private final RawDocument session;
  private final long number;
  private final int entryBytesMax;

  /** Where an entry is in the oplog. */
  public record EntryTime(long timestamp, long term) {}

  /**
   * What an entry of its own would have.
   *
   * @param image the document before the change; null if that is not kept
   */
  public record Operation(byte[] entry, PreImage image) {
    /** That of a mutation with one change. */
    public static Operation of(Mutation change) {
      List<PreImage> images = change.preImages();
      return new Operation(
          change.oplogEntries().getFirst(), images.isEmpty() ? null : images.getFirst());
    }

    public int sizeBytes() {
      return entry.length + (image == null ? 0 : image.document().length);
    }
  }

  public TransactionEntries(SessionId session, long number) {
    this(session, number, ENTRY_BYTES_MAX);
  }

  TransactionEntries(SessionId session, long number, int entryBytesMax) {
    this.session = session.document();
    this.number = number;
    this.entryBytesMax = entryBytesMax;
  }

  /** Adds the entries to the mutation of the commit, and the images that go with them. */
  public void add(List<Operation> operations, MutationBuilder mutation) {
    add(operations, false, mutation);
  }

  /** The same to that of a preparation, after which the commit has an entry of its own. */
  public void prepare(List<Operation> operations, MutationBuilder mutation) {
    add(operations, true, mutation);
  }

  private void add(List<Operation> operations, boolean prepare, MutationBuilder mutation) {
    int from = 0;
    for (int entry = 0; from < operations.size(); entry++) {
      int to = end(operations, from);
      mutation.oplogEntry(entry(operations, from, to, prepare));
      for (int i = from; i < to; i++) {
        PreImage image = operations.get(i).image();
        if (image != null) {
          mutation.preImage(image.at(entry, i - from));
        }
      }
      from = to;
    }
    mutation.chainOplogEntries();
  }

  /** The first operation that is not in the same entry. */
  private int end(List<Operation> operations, int from) {
    long bytes = 0;
    int to = from;
    while (to < operations.size()) {
      bytes += operations.get(to).entry().length + OPERATION_OVERHEAD_BYTES;
      if (bytes > entryBytesMax && to > from) {
        return to;
      }
      to++;
    }
    return to;
  }

  private byte[] entry(List<Operation> operations, int from, int to, boolean prepare) {
    int bytes = 0;
    for (int i = from; i < to; i++) {
      bytes += operations.get(i).entry().length + OPERATION_OVERHEAD_BYTES;
    }
    var entry = new BsonBuilder(bytes + 256);
    entry.appendDocument("lsid", session);
    entry.appendInt64("txnNumber", number);
    entry.appendString("op", "c").appendString("ns", "admin.$cmd");
    entry.startDocument("o").startArray("applyOps");
    for (int i = from; i < to; i++) {
      entry.appendDocument(i - from, RawDocument.of(operations.get(i).entry()));
    }
    entry.end();
    if (to < operations.size()) {
      entry.appendBoolean("partialTxn", true);
    } else if (prepare) {
      entry.appendBoolean("prepare", true);
    }
    if (to == operations.size() && from > 0) {
      entry.appendInt64("count", operations.size());
    }
    entry.end();
    return entry.toDocument().bytes();
  }

  /** The entry of the commit of a prepared transaction. */
  public static byte[] commit(TransactionId id, long time, EntryTime prepared) {
    var command = new BsonBuilder().appendInt32("commitTransaction", 1);
    return end(id, command.appendTimestamp("commitTimestamp", time), prepared);
  }

  /** The entry of its abort. */
  public static byte[] abort(TransactionId id, EntryTime prepared) {
    return end(id, new BsonBuilder().appendInt32("abortTransaction", 1), prepared);
  }

  private static byte[] end(TransactionId id, BsonBuilder command, EntryTime prepared) {
    var entry = new BsonBuilder(256);
    entry.appendDocument("lsid", id.session().document());
    entry.appendInt64("txnNumber", id.number());
    entry.appendString("op", "c").appendString("ns", "admin.$cmd");
    entry.appendDocument("o", command.toDocument());
    entry.startDocument("prevOpTime").appendTimestamp("ts", prepared.timestamp());
    entry.appendInt64("t", prepared.term()).end();
    return entry.toDocument().bytes();
  }

  /** Whether an entry is that of a preparation. */
  public static boolean isPreparation(RawDocument entry, RawDocument session, long number) {
    RawValue command = entry.get("o");
    RawValue of = entry.get("lsid");
    RawValue numbered = entry.get("txnNumber");
    return command != null
        && command.isDocument()
        && command.asDocument().get("prepare") != null
        && of != null
        && of.asDocument().equals(session)
        && numbered != null
        && numbered.toLong() == number;
  }
}
