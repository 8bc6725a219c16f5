package dev.wisent.operation;

import dev.wisent.base.ErrorCode;

/** What becomes of the writes of an operation. For the thread of the operation. */
public final class OperationWrites {
  private boolean attempted;
  private ErrorCode failure;
  private long remoteTime;

  OperationWrites() {}

  /** Notes that the operation writes, even if there turns out to be nothing to change. */
  public void attempt() {
    attempted = true;
  }

  public boolean attempted() {
    return attempted;
  }

  /**
   * Notes that a write failed and that the reply tells so. A transaction that the operation is a
   * statement of is aborted then.
   */
  public void fail(ErrorCode error) {
    failure = failure == null ? error : failure;
  }

  public boolean haveFailed() {
    return failure != null;
  }

  /** The error of the first write that has failed; null if none has. */
  public ErrorCode failure() {
    return failure;
  }

  /** Notes the cluster time at which another member has written for this operation. */
  public void writtenRemotely(long timestamp) {
    remoteTime = timestamp;
  }

  /** See {@link #writtenRemotely}; 0 if no other member has. */
  public long remoteTime() {
    return remoteTime;
  }
}
