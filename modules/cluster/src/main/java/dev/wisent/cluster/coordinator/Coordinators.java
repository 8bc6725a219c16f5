package dev.wisent.cluster.coordinator;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs coordinators on the primary: at most one at a time works on a resource, and those that the
 * last primary has left go on when this member leads. Thread-safe.
 */
public final class Coordinators {
  private static final int RESUMED_LOG_ID = 9_000_522;

  /** A write that waits for a majority may end later; it cannot commit any more. */
  private static final long END_MILLIS_MAX = 10_000;

  private final Map<String, Coordinator> types;
  private final Environment environment;
  private final Scheduler scheduler;
  private final RandomSource random;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Request, CoordinatorRun> running = new HashMap<>(); // guarded by the lock
  private boolean ended; // guarded by the lock

  /** Runs of the same request are one. */
  private record Request(String type, String resource, RawDocument arguments) {}

  /** Shows operations in currentOp. */
  @FunctionalInterface
  public interface ShownOperations {
    /** Returns what to call when the operation ends. */
    Runnable begin(String description, String namespace, OperationContext operation);
  }

  /** What all runs use. */
  record Environment(
      CoordinatorStore store,
      ResourceLocks locks,
      PhasePoints points,
      ShownOperations shown,
      Clock clock,
      Log log,
      Function<RuntimeException, CommandException> faults) {}

  public Coordinators(
      List<Coordinator> types,
      CoordinatorStore store,
      PhasePoints points,
      ShownOperations shown,
      Node node) {
    this.types = types.stream().collect(Collectors.toMap(Coordinator::type, Function.identity()));
    this.environment =
        new Environment(
            store, new ResourceLocks(), points, shown, node.clock(), node.log(), node.faults());
    this.scheduler = node.scheduler();
    this.random = node.random();
  }

  /**
   * What coordinators use of their node.
   *
   * @param faults what an exception of the store means, as that the leadership is lost and the
   *     phase to be repeated; null for other exceptions
   */
  public record Node(
      Clock clock,
      Scheduler scheduler,
      RandomSource random,
      Log log,
      Function<RuntimeException, CommandException> faults) {}

  /**
   * Runs a coordinator and waits for its result. The same request that is under way already is
   * joined. The end of the caller's operation ends the wait and not the run.
   */
  public RawDocument run(
      OperationContext operation, String type, String resource, RawDocument arguments) {
    return run(operation, null, type, resource, arguments);
  }

  /**
   * The same for a request that has a key. Where a run of that key has ended, its outcome is the
   * answer.
   *
   * @param key null for none
   */
  public RawDocument run(
      OperationContext operation, UUID key, String type, String resource, RawDocument arguments) {
    return await(operation, begun(key, type, resource, arguments));
  }

  /** Begins a run, or joins it; what it results in. */
  public CompletableFuture<RawDocument> start(String type, String resource, RawDocument arguments) {
    return begun(null, type, resource, arguments).result();
  }

  /** The result of a run that is under way; null if there is none. */
  public CompletableFuture<RawDocument> find(String type, String resource) {
    CoordinatorRun run = underWay(type, resource);
    return run == null ? null : run.result();
  }

  private CoordinatorRun underWay(String type, String resource) {
    lock.lock();
    try {
      return running.entrySet().stream()
          .filter(each -> each.getKey().type.equals(type))
          .filter(each -> each.getKey().resource.equals(resource))
          .map(Map.Entry::getValue)
          .filter(run -> !run.isOver())
          .findFirst()
          .orElse(null);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the same run is under way. */
  public boolean isRunning(String type, String resource, RawDocument arguments) {
    lock.lock();
    try {
      CoordinatorRun run = running.get(new Request(type, resource, arguments.detached()));
      return run != null && !run.isOver();
    } finally {
      lock.unlock();
    }
  }

  /** What came of the wish to end a run. */
  public enum Abort {
    NONE_RUNS,
    TOO_LATE,
    ABORTED
  }

  /** Ends a run as if it had failed, and waits until all is undone. */
  public Abort abort(
      OperationContext operation, String type, String resource, CommandException reason) {
    CoordinatorRun run = underWay(type, resource);
    if (run == null) {
      return Abort.NONE_RUNS;
    }
    if (!run.abort(reason)) {
      return Abort.TOO_LATE;
    }
    try {
      await(operation, run);
    } catch (CommandException e) {
      operation.checkNow();
      if (ErrorCode.isStateChange(e.code().code())) {
        throw e; // The next primary may not know of it.
      }
    }
    return Abort.ABORTED;
  }

  private CoordinatorRun begun(UUID key, String type, String resource, RawDocument arguments) {
    Coordinator coordinator = types.get(type);
    var request = new Request(type, resource, arguments.detached());
    CoordinatorRun run;
    lock.lock();
    try {
      run = running.get(request);
      if (run == null || run.isOver()) {
        requireNotEnded();
        var document =
            new CoordinatorDocument(
                type,
                resource,
                random.nextUuid(),
                key,
                1,
                coordinator.phases().getFirst().name(),
                request.arguments,
                RawDocument.EMPTY,
                null);
        run = new CoordinatorRun(coordinator, document, false, environment);
        start(request, run);
      }
      return run;
    } finally {
      lock.unlock();
    }
  }

  /** Before the next term has found out what goes on, a new run could be the second of its kind. */
  private void requireNotEnded() {
    if (ended) {
      throw new CommandException(
          ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, "this member leads no longer");
    }
  }

  private void start(Request request, CoordinatorRun run) {
    running.put(request, run);
    scheduler.run(
        request.type + "-coordinator",
        () -> {
          try {
            run.run();
          } finally {
            forget(request, run);
          }
        });
  }

  private void forget(Request request, CoordinatorRun run) {
    lock.lock();
    try {
      running.remove(request, run);
    } finally {
      lock.unlock();
    }
  }

  private static RawDocument await(OperationContext operation, CoordinatorRun run) {
    return await(operation, run.result());
  }

  /** Waits for the result of a run, which goes on also if the wait ends. */
  public static RawDocument await(
      OperationContext operation, CompletableFuture<RawDocument> result) {
    operation.await(
        nanos -> {
          try {
            var unused = result.get(nanos, TimeUnit.NANOSECONDS);
            return true;
          } catch (TimeoutException e) {
            return false;
          } catch (ExecutionException e) {
            return true;
          }
        });
    try {
      return result.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof CommandException cause
          ? cause
          : new CommandException(ErrorCode.INTERNAL_ERROR, String.valueOf(e.getCause()));
    }
  }

  /** Goes on with what the last primary has left. May be called again where it has failed. */
  public void begin(OperationContext operation) {
    for (RawDocument stored : environment.store.all(operation)) {
      CoordinatorDocument document = CoordinatorDocument.of(stored);
      var request = new Request(document.type(), document.resource(), document.arguments());
      if (!isRunning(request)) {
        resume(request, document, operation);
      }
    }
    accept();
  }

  private boolean isRunning(Request request) {
    lock.lock();
    try {
      return running.containsKey(request);
    } finally {
      lock.unlock();
    }
  }

  private void resume(Request request, CoordinatorDocument document, OperationContext operation) {
    environment.log.info(
        RESUMED_LOG_ID,
        "Going on with a coordinator",
        "coordinator",
        document.type(),
        "namespace",
        document.resource(),
        "phase",
        document.phase());
    var run = new CoordinatorRun(types.get(document.type()), document, true, environment);
    environment.locks.acquire(run.locks(), operation);
    lock.lock();
    try {
      start(request, run);
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    lock.lock();
    try {
      ended = false;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all runs where they are: this member leads no longer, or goes. */
  public void end() {
    List<CoordinatorRun> left;
    lock.lock();
    try {
      ended = true;
      left = List.copyOf(running.values());
      running.clear();
    } finally {
      lock.unlock();
    }
    left.forEach(CoordinatorRun::stop);
    for (CoordinatorRun run : left) {
      run.awaitEnd(END_MILLIS_MAX);
    }
  }
}
