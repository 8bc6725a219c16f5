package dev.wisent.replication.member;

import dev.wisent.replication.OpTime;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.StorageEngine;
import java.util.Optional;

/** What makes a store the state of a replica set: a configuration, and a position in its log. */
public final class MemberData {
  /** The store of the member that begins a log is at index 0 of it: that is no state of the log. */
  private static final long FIRST_INDEX = 1;

  private MemberData() {}

  /** Whether a store is a state of a set, which the log of that set can continue. */
  public static boolean isIn(StorageEngine storage) {
    return storage.appliedPosition().index() >= FIRST_INDEX && ConfigStore.in(storage) != null;
  }

  /**
   * Whether readers had seen more of the replicated log than a store has: what is missing was not
   * flushed before a crash, and is only in the log.
   */
  public static boolean lacksLog(StorageEngine storage) {
    LogPosition position = storage.appliedPosition();
    return position.index() >= 0 && storage.seenIndex() > position.index();
  }

  /**
   * Whether a store has the data that belongs to its position. The store of an arbiter has not: it
   * follows the log, but keeps nothing except the configuration. Data without an oplog does not
   * exist, since a set begins with an entry of it, and the newest one is never removed.
   */
  static boolean isComplete(ReadView storage) {
    try (KeyValueCursor entries = storage.cursor(Keyspace.OPLOG, null, null, true)) {
      return entries.next();
    }
  }

  /**
   * A state of a set.
   *
   * @param setName empty if the node had not been told yet
   * @param optime of the last oplog entry in it
   * @param wallMillis when that was written; 0 if that is not known
   */
  public record State(Optional<String> setName, OpTime optime, long wallMillis) {}

  /** What a store shows. */
  public static State state(StorageEngine storage) {
    ReplicaSetConfig config = ConfigStore.in(storage);
    var last = new AppliedOpTime(storage, nanos -> true);
    return new State(
        Optional.ofNullable(config).map(ReplicaSetConfig::name), last.opTime(), last.wallMillis());
  }

  /**
   * Has a store be that of a standalone from now on. What a standalone writes is in no log, so the
   * store must never count as a state of its set again.
   */
  public static void forget(StorageEngine storage, CommitLog log) {
    if (ConfigStore.in(storage) != null) {
      log.submit(ConfigStore.removal()).awaitDurable();
    }
    if (!storage.appliedPosition().equals(LogPosition.START)) {
      storage.leaveLog();
    }
  }
}
