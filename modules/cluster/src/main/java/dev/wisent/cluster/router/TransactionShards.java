package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The shard of each transaction that runs through this router. A transaction is of one shard; one
 * that would need a second is refused. Thread-safe.
 */
final class TransactionShards {
  /** Longer than a transaction lives on a shard, and than a client repeats its commit. */
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(30);

  private static final int CHECKED_FROM = 10_000;

  private final Clock clock;
  private final Map<SessionId, Participant> bySession = new ConcurrentHashMap<>();

  private record Participant(long number, String shard, long sinceNanos) {}

  TransactionShards(Clock clock) {
    this.clock = clock;
  }

  /** Notes that a statement of a transaction goes to a shard. */
  void use(TransactionId id, String shard) {
    forgetOld();
    Participant known =
        bySession.compute(
            id.session(),
            (session, before) ->
                before != null && before.number >= id.number()
                    ? before
                    : new Participant(id.number(), shard, clock.monotonicNanos()));
    if (known.number == id.number() && !known.shard.equals(shard)) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED,
          "a transaction on several shards is not supported yet: it has begun on "
              + known.shard
              + " and a statement is for "
              + shard);
    }
  }

  /** The shard of a transaction; null where no statement of it has come here. */
  String of(TransactionId id) {
    Participant known = bySession.get(id.session());
    return known != null && known.number == id.number() ? known.shard : null;
  }

  private void forgetOld() {
    if (bySession.size() > CHECKED_FROM) {
      long oldest = clock.monotonicNanos() - KEPT_NANOS;
      bySession.values().removeIf(participant -> participant.sinceNanos - oldest < 0);
    }
  }
}
