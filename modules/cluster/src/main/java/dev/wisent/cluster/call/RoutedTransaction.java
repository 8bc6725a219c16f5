package dev.wisent.cluster.call;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.transaction.TransactionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A transaction as the router knows it that runs its statements: the shards that take part in it,
 * and which of them have written. Thread-safe.
 */
public final class RoutedTransaction {
  private static final Set<String> OF_THE_START =
      Set.of("startTransaction", "readConcern", "coordinator");

  private final TransactionId id;
  private final TransactionCounts counts;

  /** Whether a shard has written; null as long as it has not answered. The first coordinates. */
  private final Map<String, Boolean> participants = new LinkedHashMap<>(); // guarded by this

  private RawDocument readConcern; // guarded by this
  private String firstWriter; // guarded by this
  private boolean aborted; // guarded by this
  private boolean committed; // guarded by this
  private boolean deciding; // guarded by this
  private boolean committing; // guarded by this
  private int running; // guarded by this

  /**
   * @param readConcern what each shard begins with; empty for the default
   */
  public RoutedTransaction(TransactionId id, RawDocument readConcern, TransactionCounts counts) {
    this.id = id;
    this.readConcern = readConcern;
    this.counts = counts;
    counts.started();
  }

  public TransactionId id() {
    return id;
  }

  /** A client's command without what only the first one of a transaction has. */
  static RawDocument withoutStart(RawDocument command) {
    return command.without(OF_THE_START);
  }

  /** Has a shard take part from this request on, if it does not yet; the fields to send with it. */
  synchronized RawDocument fieldsFor(String shard) {
    counts.requested();
    if (participants.containsKey(shard)) {
      return RawDocument.EMPTY;
    }
    var out = new BsonBuilder(96);
    out.appendBoolean("startTransaction", true);
    if (!readConcern.isEmpty()) {
      out.appendDocument("readConcern", readConcern);
    }
    if (participants.isEmpty()) {
      out.appendBoolean("coordinator", true);
    }
    participants.put(shard, null);
    counts.contacted();
    return out.toDocument();
  }

  /** Notes what a shard says of its part. One that says nothing may have written. */
  synchronized void answered(String shard, RawDocument reply) {
    RawValue readOnly = reply.get("readOnly");
    boolean wrote = readOnly == null || !readOnly.isTruthy();
    participants.merge(shard, wrote, Boolean::logicalOr);
    if (wrote && firstWriter == null) {
      firstWriter = shard;
    }
  }

  /** Notes that a shard has left a statement to the router, and takes part all the same. */
  synchronized void referredBack(String shard) {
    participants.merge(shard, false, Boolean::logicalOr);
  }

  /** Forgets all shards, which are to begin anew. */
  public synchronized void restart(RawDocument newReadConcern) {
    participants.clear();
    firstWriter = null;
    readConcern = newReadConcern;
  }

  public synchronized RawDocument readConcern() {
    return readConcern;
  }

  /** The shards that take part, in the order in which they have begun. */
  public synchronized List<String> participants() {
    return new ArrayList<>(participants.keySet());
  }

  /** Those that have written. */
  public synchronized List<String> writers() {
    return participants.entrySet().stream()
        .filter(each -> Boolean.TRUE.equals(each.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether a shard has got a statement and none has been answered. */
  public synchronized boolean isUnanswered() {
    return participants.containsValue(null);
  }

  /** The shard that knows the outcome as soon as there is one; null as long as none has written. */
  public synchronized String firstWriter() {
    return firstWriter;
  }

  public synchronized boolean isAborted() {
    return aborted;
  }

  /**
   * @param cause {@code abort} where the client asks for it, otherwise the name of an error
   */
  public synchronized void abort(String cause) {
    if (!aborted && !committed) {
      counts.aborted(cause);
    }
    aborted = true;
  }

  /** Counts the first attempt to commit. */
  public synchronized void beginCommit(TransactionCounts.CommitType type) {
    if (!committing) {
      committing = true;
      counts.commitBegins(type, participants.size());
    }
  }

  /** Counts the first commit that has succeeded; clients may ask again. */
  public synchronized void committed(TransactionCounts.CommitType type, long nanos) {
    if (!committed) {
      committed = true;
      counts.committed(type, nanos);
    }
  }

  public synchronized boolean isOpen() {
    return !aborted && !committed;
  }

  /** Whether the router works at it now. */
  public synchronized boolean isActive() {
    return running > 0;
  }

  public synchronized void enter() {
    running++;
  }

  public synchronized void leave() {
    running--;
  }

  /** Whether what decides its end has been sent, which may have succeeded. */
  public synchronized boolean isDeciding() {
    return deciding;
  }

  public synchronized void decide() {
    deciding = true;
  }
}
