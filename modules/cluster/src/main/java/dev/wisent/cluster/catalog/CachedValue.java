package dev.wisent.cluster.catalog;

import dev.wisent.operation.OperationContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A value that one request at a time reads while the others that need it wait for the outcome. A
 * request that must stop leaves the reading to the next one. Thread-safe.
 *
 * @param <T> the value
 * @param <W> a version that a reader looks for
 */
final class CachedValue<T, W> {
  /** Reads the value. */
  interface Reader<T, W> {
    /**
     * @param previous what was known before; null where nothing was
     * @param reported whether the previous value was reported to be stale
     * @param wanted the version that a shard knows; null if unknown
     */
    T read(OperationContext operation, T previous, boolean reported, W wanted);
  }

  private final Predicate<T> kept;

  /** Written under the lock, before {@link #fresh}; requests read both without it. */
  private volatile T value;

  private volatile boolean fresh;
  private boolean reported;
  private W wanted;

  /** How often the value was reported to be stale. */
  private long reports;

  /** The reading under way, which ends without a value; null if there is none. */
  private CompletableFuture<Void> reading;

  /**
   * @param kept which values need not be read again for the next request
   */
  CachedValue(Predicate<T> kept) {
    this.kept = kept;
  }

  T get(OperationContext operation, Reader<T, W> reader) {
    while (true) {
      if (fresh) {
        return value;
      }
      CompletableFuture<Void> other;
      Attempt attempt = null;
      synchronized (this) {
        if (fresh) {
          return value;
        }
        other = reading;
        if (other == null) {
          reading = new CompletableFuture<>();
          attempt = new Attempt(reading, value, reported, wanted, reports);
        }
      }
      if (attempt != null) {
        return attempt.run(operation, reader);
      }
      await(operation, other);
    }
  }

  private static void await(OperationContext operation, CompletableFuture<Void> reading) {
    operation.await(nanos -> ConfigReads.isOver(reading, nanos));
    try {
      reading.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  /** Has the next request read the value again, unless what is known is new enough. */
  synchronized void stale(W newer, Predicate<T> isSeen) {
    if (fresh && newer != null && isSeen.test(value)) {
      return;
    }
    fresh = false;
    reported = true;
    wanted = newer;
    reports++;
  }

  /**
   * Changes what is known, and makes it fresh.
   *
   * @param change returns null where it cannot
   */
  synchronized void change(UnaryOperator<T> change) {
    T changed = value == null ? null : change.apply(value);
    if (changed != null) {
      value = changed;
      fresh = kept.test(changed);
      reported = false;
      wanted = null;
      reports++; // A reading under way may have seen less.
    }
  }

  /** What is known, fresh or not; null where nothing is. */
  synchronized T known() {
    return value;
  }

  synchronized boolean isReading() {
    return reading != null;
  }

  private final class Attempt {
    private final CompletableFuture<Void> outcome;
    private final T previous;
    private final boolean wasReported;
    private final W looksFor;
    private final long reportsBefore;

    Attempt(
        CompletableFuture<Void> outcome,
        T previous,
        boolean wasReported,
        W looksFor,
        long reportsBefore) {
      this.outcome = outcome;
      this.previous = previous;
      this.wasReported = wasReported;
      this.looksFor = looksFor;
      this.reportsBefore = reportsBefore;
    }

    T run(OperationContext operation, Reader<T, W> reader) {
      try {
        T read = reader.read(operation, previous, wasReported, looksFor);
        publish(read);
        outcome.complete(null);
        return read;
      } catch (RuntimeException | Error e) {
        end();
        if (operation.stopReason() != null) {
          // The others have more time.
          outcome.complete(null);
        } else {
          outcome.completeExceptionally(e);
        }
        throw e;
      }
    }

    private void publish(T read) {
      synchronized (CachedValue.this) {
        reading = null;
        value = read;
        // A report that came meanwhile may be about what was read.
        if (reports == reportsBefore) {
          fresh = kept.test(read);
          reported = false;
          wanted = null;
        } else {
          fresh = false;
        }
      }
    }

    private void end() {
      synchronized (CachedValue.this) {
        reading = null;
      }
    }
  }
}
