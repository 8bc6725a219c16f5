package dev.wisent.simulation.workload;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** In a healed cluster a state is read the same after ranges have moved. */
final class PastReads {
  private static final long POLL_NANOS = 50_000_000;
  private static final int ATTEMPTS_MAX = 100;

  /**
   * An index that a shard gets with its first range of the collection makes older states unusable.
   */
  private static final int REFUSALS_MAX = 2;

  private static final Set<Integer> REFUSALS =
      Set.of(ErrorCode.SNAPSHOT_UNAVAILABLE.code(), ErrorCode.STALE_CHUNK_HISTORY.code());

  private PastReads() {}

  static void check(Session session) {
    int refusals = 0;
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      if (hasRead(session)) {
        return;
      }
      if (REFUSALS.contains((int) session.lastError()) && ++refusals > REFUSALS_MAX) {
        throw new Violation("a state of the past is refused: " + session.lastReply());
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    throw new Violation("no state of the past of a healed cluster");
  }

  /**
   * False where a member has no state of the time, as it was down when others began to keep them.
   */
  private static boolean hasRead(Session session) {
    RawDocument reply = session.tryRead(find(""));
    if (reply == null) {
      return false;
    }
    List<RawDocument> before = detached(reply);
    long time = reply.get("cursor").asDocument().get("atClusterTime").asInt64();
    for (int low = 0; low < Traffic.KEYS; low += 10) {
      for (int shard = 0; shard < 2; shard++) {
        move(session, low, (low / 10 + shard) % 2);
        reply =
            session.tryRead(
                find(
                    ", atClusterTime: {$timestamp: {t: "
                        + (time >>> 32)
                        + ", i: "
                        + (time & 0xFFFF_FFFFL)
                        + "}}"));
        if (reply == null) {
          return false;
        }
        List<RawDocument> after = detached(reply);
        if (!after.equals(before)) {
          throw new Violation("a state was " + before + ", and is " + after);
        }
      }
    }
    return true;
  }

  private static List<RawDocument> detached(RawDocument reply) {
    return Chunks.batch(reply).stream().map(RawDocument::detached).toList();
  }

  private static String find(String time) {
    return "{find: 'c', sort: {_id: 1}, batchSize: 1000, readConcern: {level: 'snapshot'"
        + time
        + "}}";
  }

  /** It may be there already. */
  private static void move(Session session, int low, int shard) {
    var unused =
        session.tryCall(
            "admin",
            "{moveRange: 'd.c', min: {k: "
                + low
                + "}, max: {k: "
                + (low + 5)
                + "}, toShard: 'shard"
                + shard
                + "'}");
  }
}
