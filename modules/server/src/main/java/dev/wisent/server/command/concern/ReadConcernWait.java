package dev.wisent.server.command.concern;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.ReadPoints;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.concern.WriteMode;
import dev.wisent.replication.concern.WriteQuorum;

/**
 * Makes sure, before a member reads, that it will see what was asked for.
 *
 * <p>For a linearizable read too: once it is certain that this member is the primary and has
 * applied what was committed by then, whatever it reads is the state of some moment between then
 * and the answer. To ask afterwards would not do: between the read and the question the member may
 * have lost the lead, and got it back.
 */
final class ReadConcernWait {
  private static final RawDocument NOTE =
      new BsonBuilder().appendString("msg", "a read waits for this time").toDocument();

  private static final WriteConcern MAJORITY =
      new WriteConcern(WriteMode.MAJORITY, WriteConcern.Sync.UNSET, 0, Provenance.IMPLICIT_DEFAULT);

  private final ReplicaSet set;
  private final ReadPoints points;
  private final OplogControl oplog;
  private final CurrentQuorum quorum;
  private final WriteConcernWait writes;

  ReadConcernWait(ReplicaSet set, ReadPoints points, OplogControl oplog) {
    this.set = set;
    this.points = points;
    this.oplog = oplog;
    this.quorum = new CurrentQuorum(set);
    this.writes = new WriteConcernWait(set, quorum);
  }

  void await(ReadConcern concern, OperationContext operation) {
    boolean snapshot = concern.level() == ReadConcern.Level.SNAPSHOT;
    if (snapshot) {
      points.use();
    }
    if (concern.time() != null) {
      awaitTime(concern, operation);
    }
    if (snapshot) {
      operation.readPoint(
          "atClusterTime".equals(concern.time())
              ? points.at(concern.timestamp())
              : newest(operation));
    }
    if (concern.level() == ReadConcern.Level.LINEARIZABLE) {
      if (set.state() != MemberState.PRIMARY) {
        throw new CommandException(
            ErrorCode.NOT_WRITABLE_PRIMARY,
            "cannot satisfy linearizable read concern on non-primary node");
      }
      confirmPrimary(operation);
      awaitMajority(operation);
      points.awaitDecided(set.lastApplied().timestamp(), operation);
    }
  }

  /** The newest state, as it is for all that read at its time. */
  private ReadPoint newest(OperationContext operation) {
    ReadPoint newest = points.newest();
    if (!points.isDecidedLater()) {
      return newest;
    }
    long timestamp = newest.timestamp();
    newest.close();
    points.awaitDecided(timestamp, operation);
    return points.at(timestamp);
  }

  /** Waits for what a transaction has to see, before it takes the state that it reads. */
  void awaitTransaction(ReadConcern concern, OperationContext operation) {
    if (concern.readTime() != 0) {
      points.use();
    }
    if (concern.time() != null) {
      awaitTime(concern, operation);
    }
  }

  /**
   * The log can have fewer voters than the configuration, for which its own confirmation says
   * nothing: then most of the members that vote by the configuration have to have a note.
   */
  private void awaitMajority(OperationContext operation) {
    WriteQuorum present = quorum.get();
    if (present != null && !present.isLogMajority()) {
      oplog.note(operation, NOTE);
      writes.await(MAJORITY, ClusterTimes.writtenAt(operation), operation);
    }
  }

  private void confirmPrimary(OperationContext operation) {
    try {
      set.confirmPrimary(operation);
    } catch (CommandException e) {
      // That the operation's own time is over is the better reason.
      operation.checkNow();
      throw e;
    }
  }

  private void awaitTime(ReadConcern concern, OperationContext operation) {
    long asked = concern.timestamp();
    long known = set.clock().now();
    if (Long.compareUnsigned(asked, known) > 0) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "readConcern %s value must not be greater than the current clusterTime. Requested clusterTime: %s; current clusterTime: %s"
              .formatted(concern.time(), ClusterTimes.text(asked), ClusterTimes.text(known)));
    }
    awaitApplied(asked, concern, operation);
    points.awaitDecided(asked, operation);
  }

  private void awaitApplied(long asked, ReadConcern concern, OperationContext operation) {
    if (set.state() != MemberState.PRIMARY) {
      // Also where the time is that of a reply: it is known before all that is counted.
      set.awaitApplied(asked, operation);
      return;
    }
    if (Long.compareUnsigned(asked, set.lastApplied().timestamp()) <= 0) {
      return;
    }
    if (concern.level() == ReadConcern.Level.SNAPSHOT) {
      // With this everything is applied that has an earlier time.
      oplog.note(operation, NOTE);
    } else {
      // Nothing has to have happened at that very time: what had until then is applied.
      confirmPrimary(operation);
    }
  }
}
