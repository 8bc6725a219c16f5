package dev.wisent.server.command.concern;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.concern.WriteMode;
import dev.wisent.replication.concern.WriteMode.Majority;
import dev.wisent.replication.concern.WriteQuorum;
import java.util.concurrent.TimeUnit;

/** Waits until enough members have a write. */
final class WriteConcernWait {
  /** So that a client that has gone, or a killOp, is noticed. */
  private static final long STEP_MILLIS = 500;

  private final ReplicaSet set;
  private final CurrentQuorum quorum;

  WriteConcernWait(ReplicaSet set, CurrentQuorum quorum) {
    this.set = set;
    this.quorum = quorum;
  }

  /**
   * Returns when a write that is applied here has got as far as the concern asks for.
   *
   * @throws CommandException why it will not be waited for any more; the write stays
   */
  void await(WriteConcern concern, long timestamp, OperationContext operation) {
    WriteMode mode = concern.mode();
    if (!mode.concernsOthers()) {
      return;
    }
    long start = operation.clock().monotonicNanos();
    while (true) {
      long seen = set.progress();
      WriteQuorum present = quorum.get();
      if (present != null && mode instanceof Majority && present.isAppliedOnMajority()) {
        return;
      }
      checkPrimary(present);
      present.checkPossible(mode);
      if (present.isReached(mode, timestamp, set.positions())) {
        return;
      }
      operation.checkNow();
      pause(seen, stepMillis(concern, start, operation), operation);
    }
  }

  private void checkPrimary(WriteQuorum present) {
    if (present == null || set.state() != MemberState.PRIMARY) {
      throw new CommandException(
          ErrorCode.PRIMARY_STEPPED_DOWN, "Primary stepped down while waiting for replication");
    }
  }

  private void pause(long seen, long millis, OperationContext operation) {
    try {
      set.awaitProgress(seen, millis);
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
  }

  private static long stepMillis(WriteConcern concern, long start, OperationContext operation) {
    long step = Math.min(STEP_MILLIS, millisRoundedUp(operation.nanosLeft()));
    if (concern.timeoutMillis() == 0) {
      return step;
    }
    long waited = operation.clock().monotonicNanos() - start;
    long left = TimeUnit.MILLISECONDS.toNanos(concern.timeoutMillis()) - waited;
    if (left <= 0) {
      throw new CommandException(
          ErrorCode.WRITE_CONCERN_FAILED, "waiting for replication timed out");
    }
    return Math.min(step, millisRoundedUp(left));
  }

  private static long millisRoundedUp(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
  }
}
