package dev.wisent.replication.raft;

import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.LeadershipException.Kind;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The fate of a mutation in a replicated log: applied, and then also durable, or failed. */
final class RaftFuture implements CommitFuture {
  private final long mutationBytes;
  private final long term;
  private final long position;
  private final CountDownLatch done = new CountDownLatch(1);

  /** Null after the end: the futures of transactions are kept for long. */
  private Mutation mutation;

  /** The fields below are written before {@link #done}, by the one who ends this. */
  private long timestamp;

  private RuntimeException failure;

  /**
   * @param mutationBytes what the mutation takes of an entry
   * @param term the term in which the mutation was evaluated
   */
  RaftFuture(Mutation mutation, long mutationBytes, long term, long position) {
    this.mutation = mutation;
    this.mutationBytes = mutationBytes;
    this.term = term;
    this.position = position;
  }

  /** The mutation; only for the thread that proposes it, and null after the end. */
  Mutation mutation() {
    return mutation;
  }

  long mutationBytes() {
    return mutationBytes;
  }

  long term() {
    return term;
  }

  void applied(long lastTimestamp) {
    timestamp = lastTimestamp;
    mutation = null;
    done.countDown();
  }

  void fail(RuntimeException why) {
    if (done.getCount() == 0) {
      return;
    }
    failure = why;
    mutation = null;
    done.countDown();
  }

  /** Waits whatever it takes: until then it is unknown what will be in the store. */
  @Override
  public void awaitApplied() {
    boolean interrupted = false;
    while (true) {
      try {
        done.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    check();
  }

  @Override
  public boolean awaitApplied(long timeoutNanos) throws InterruptedException {
    if (!done.await(timeoutNanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    check();
    return true;
  }

  private void check() {
    if (failure != null) {
      throw ofThisThread(failure);
    }
  }

  private static RuntimeException ofThisThread(RuntimeException why) {
    return switch (why) {
      case LeadershipException lost ->
          new LeadershipException(lost.kind(), lost.getMessage(), lost);
      case StorageException fault -> new StorageException(fault.kind(), fault.getMessage(), fault);
      default -> new IllegalStateException(why);
    };
  }

  /** What is applied is on disk on a majority. */
  @Override
  public void awaitDurable() {
    awaitApplied();
  }

  @Override
  public boolean awaitDurable(long timeoutNanos) throws InterruptedException {
    return awaitApplied(timeoutNanos);
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long timestamp() {
    return timestamp;
  }

  static LeadershipException notLeader() {
    return new LeadershipException(Kind.NOT_LEADER, "not primary");
  }

  static LeadershipException leadershipLost() {
    return new LeadershipException(
        Kind.LEADERSHIP_LOST,
        "This node lost leadership before it was known whether the write was committed");
  }
}
