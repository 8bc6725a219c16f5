package dev.wisent.cluster.call;

import dev.wisent.bson.BsonBuilder;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What has become of the transactions of a router, for {@code serverStatus}. Thread-safe. */
public final class TransactionCounts {
  private final LongAdder started = new LongAdder();
  private final LongAdder committed = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final LongAdder contacted = new LongAdder();
  private final LongAdder atCommit = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final Map<String, LongAdder> causes = new ConcurrentHashMap<>();
  private final Map<CommitType, Commits> commits = new EnumMap<>(CommitType.class);

  /** How a transaction commits, by what its shards have done. */
  public enum CommitType {
    NO_SHARDS("noShards"),
    SINGLE_SHARD("singleShard"),
    SINGLE_WRITE_SHARD("singleWriteShard"),
    READ_ONLY("readOnly"),
    TWO_PHASE_COMMIT("twoPhaseCommit"),
    RECOVER_WITH_TOKEN("recoverWithToken");

    private final String title;

    CommitType(String title) {
      this.title = title;
    }
  }

  private static final class Commits {
    private final LongAdder initiated = new LongAdder();
    private final LongAdder successful = new LongAdder();
    private final LongAdder nanos = new LongAdder();
  }

  public TransactionCounts() {
    for (CommitType type : CommitType.values()) {
      commits.put(type, new Commits());
    }
  }

  public void started() {
    started.increment();
  }

  /** A shard takes part from now on. */
  void contacted() {
    contacted.increment();
  }

  /** A statement is sent to a shard. */
  void requested() {
    requests.increment();
  }

  public void commitBegins(CommitType type, int participants) {
    commits.get(type).initiated.increment();
    atCommit.add(participants);
  }

  /**
   * @param nanos since the begin of the commit
   */
  public void committed(CommitType type, long nanos) {
    committed.increment();
    commits.get(type).successful.increment();
    commits.get(type).nanos.add(nanos);
  }

  /**
   * @param cause {@code abort} where the client asked for it, otherwise the name of an error
   */
  public void aborted(String cause) {
    aborted.increment();
    causes.computeIfAbsent(cause, any -> new LongAdder()).increment();
  }

  /**
   * @param open how many have no outcome yet
   * @param active those of them at which the router works
   */
  public void append(long open, long active, BsonBuilder out) {
    out.appendInt64("currentOpen", open);
    out.appendInt64("currentActive", active);
    out.appendInt64("currentInactive", open - active);
    out.appendInt64("totalStarted", started.sum());
    out.appendInt64("totalCommitted", committed.sum());
    out.appendInt64("totalAborted", aborted.sum());
    out.startDocument("abortCause");
    new TreeMap<>(causes).forEach((cause, count) -> out.appendInt64(cause, count.sum()));
    out.end();
    out.appendInt64("totalContactedParticipants", contacted.sum());
    out.appendInt64("totalParticipantsAtCommit", atCommit.sum());
    out.appendInt64("totalRequestsTargeted", requests.sum());
    out.startDocument("commitTypes");
    commits.forEach(
        (type, of) ->
            out.startDocument(type.title)
                .appendInt64("initiated", of.initiated.sum())
                .appendInt64("successful", of.successful.sum())
                .appendInt64(
                    "successfulDurationMicros", TimeUnit.NANOSECONDS.toMicros(of.nanos.sum()))
                .end());
    out.end();
  }
}
