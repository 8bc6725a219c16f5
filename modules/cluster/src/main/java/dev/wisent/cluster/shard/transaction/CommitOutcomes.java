package dev.wisent.cluster.shard.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What has been decided of the commits that clients of this node wait for. Thread-safe. */
final class CommitOutcomes {
  /** How long a client waits for shards to hear of the decision, which stands already. */
  private static final long TELL_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private static final long ABORTED = 0;

  private final Map<String, CompletableFuture<Long>> awaited = new ConcurrentHashMap<>();

  /** What will be known when it is decided. To be called before the coordinator is started. */
  CompletableFuture<Long> expect(String resource) {
    return awaited.computeIfAbsent(resource, any -> new CompletableFuture<>());
  }

  void committed(String resource, long time) {
    decided(resource, time);
  }

  void aborted(String resource) {
    decided(resource, ABORTED);
  }

  private void decided(String resource, long time) {
    CompletableFuture<Long> waiting = awaited.remove(resource);
    if (waiting != null) {
      waiting.complete(time);
    }
  }

  /**
   * Whether it commits. Where a shard does not hear of that for a while, its clients may still see
   * what was before, but those that read after the time of the commit.
   *
   * @param run ends when all shards have heard it, by an error if it is aborted
   */
  boolean await(
      CompletableFuture<Long> decision, CompletableFuture<?> run, OperationContext operation) {
    operation.await(nanos -> hasEnded(CompletableFuture.anyOf(decision, run), nanos));
    boolean decided = decision.isDone() && !decision.isCompletedExceptionally();
    boolean commits = decided ? decision.join() != ABORTED : ended(run);
    if (decided && commits) {
      operation.writes().writtenRemotely(decision.join());
    }
    try {
      var unused = hasEnded(run, TELL_NANOS_MAX);
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
    // The run knows why it is aborted.
    return commits || (run.isDone() && ended(run));
  }

  private static boolean hasEnded(CompletableFuture<?> future, long nanos)
      throws InterruptedException {
    try {
      var unused = future.get(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  private static boolean ended(CompletableFuture<?> run) {
    try {
      var unused = run.join();
      return true;
    } catch (CompletionException e) {
      if (e.getCause() instanceof CommandException error) {
        if (error.code() == ErrorCode.NO_SUCH_TRANSACTION) {
          return false;
        }
        throw error;
      }
      throw e;
    }
  }

  /** Forgets one that has ended or stopped. */
  void forget(String resource) {
    awaited.remove(resource);
  }
}
