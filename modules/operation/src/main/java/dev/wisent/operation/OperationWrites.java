package dev.wisent.operation;

import dev.wisent.base.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** How an operation writes, and what becomes of its writes. For the thread of the operation. */
public final class OperationWrites {
  private boolean attempted;
  private ErrorCode failure;
  private long remoteTime;
  private long onlyTerm = -1;
  private boolean keepEmptyTimestamps;
  private List<Created> created = List.of();

  /**
   * A collection that the operation has created.
   *
   * @param firstOfDatabase whether its database came with it
   */
  public record Created(Namespace namespace, boolean firstOfDatabase) {}

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

  /**
   * Notes that the operation creates a collection, which it was asked to or which a write needs.
   */
  public void create(Namespace namespace, boolean firstOfDatabase) {
    var more = new ArrayList<>(created);
    more.add(new Created(namespace, firstOfDatabase));
    created = more;
  }

  public List<Created> created() {
    return created;
  }

  public boolean haveFailed() {
    return failure != null;
  }

  /** The error of the first write that has failed; null if none has. */
  public ErrorCode failure() {
    return failure;
  }

  /**
   * Has the operation write in one term of this member only: what it does is refused when other
   * members may have acted since.
   *
   * @param term the count of the write gate's closings
   */
  public void onlyInTerm(long term) {
    onlyTerm = term;
  }

  /** Has a part of another operation write in the terms only in which that one may. */
  public void inTermOf(OperationWrites other) {
    onlyTerm = other.onlyTerm;
  }

  /** Whether it may write in a term. */
  public boolean mayBeIn(long term) {
    return onlyTerm < 0 || onlyTerm == term;
  }

  /** Says whether documents keep empty timestamps, which get the current time otherwise. */
  public void keepEmptyTimestamps(boolean keep) {
    keepEmptyTimestamps = keep;
  }

  public boolean keepEmptyTimestamps() {
    return keepEmptyTimestamps;
  }

  /** Writes documents as they are, whatever is said of those of the operation. */
  public <T> T exactly(Supplier<T> write) {
    boolean before = keepEmptyTimestamps;
    keepEmptyTimestamps = true;
    try {
      return write.get();
    } finally {
      keepEmptyTimestamps = before;
    }
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
