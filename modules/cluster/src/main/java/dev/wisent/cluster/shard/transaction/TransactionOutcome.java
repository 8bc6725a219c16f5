package dev.wisent.cluster.shard.transaction;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Locale;

/**
 * What a coordinator tells of a transaction to a shard that has prepared a part of it.
 *
 * @param time of the commit, as the 64 bits of a BSON timestamp; 0 where that is not known
 */
record TransactionOutcome(Kind kind, long time) {
  static final TransactionOutcome ABORTED = new TransactionOutcome(Kind.ABORT, 0);
  static final TransactionOutcome UNDECIDED = new TransactionOutcome(Kind.UNDECIDED, 0);
  static final TransactionOutcome UNKNOWN = new TransactionOutcome(Kind.UNKNOWN, 0);

  enum Kind {
    COMMIT,
    ABORT,
    /** Its commit is under way. */
    UNDECIDED,
    /**
     * The session has gone on and the commit was forgotten, which happens only when all shards have
     * said that they have the outcome.
     */
    UNKNOWN
  }

  static TransactionOutcome committed(long time) {
    return new TransactionOutcome(Kind.COMMIT, time);
  }

  static TransactionOutcome of(RawDocument document) {
    String name = document.get("outcome").asString();
    RawValue time = document.get("commitTimestamp");
    return new TransactionOutcome(
        Kind.valueOf(name.toUpperCase(Locale.ROOT)), time == null ? 0 : time.asInt64());
  }

  RawDocument toDocument() {
    var out = new BsonBuilder(64);
    out.appendString("outcome", kind.name().toLowerCase(Locale.ROOT));
    if (time != 0) {
      out.appendTimestamp("commitTimestamp", time);
    }
    return out.toDocument();
  }
}
