package dev.wisent.cluster.coordinator;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import dev.wisent.wire.client.RemoteErrorException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** One run of a coordinator, on a thread of its own. */
final class CoordinatorRun {
  private static final long PAUSE_MILLIS_MIN = 50;
  private static final long PAUSE_MILLIS_MAX = Duration.ofSeconds(5).toMillis();
  private static final int RETRY_LOG_ID = 9_000_520;
  private static final int UNDO_LOG_ID = 9_000_521;
  private static final String END = "end";
  private static final String UNDO = "undo";

  private final Coordinator coordinator;
  private final Coordinators.Environment environment;

  /** Whether another primary began it; its locks are held already. */
  private final boolean resumed;

  private final CompletableFuture<RawDocument> result = new CompletableFuture<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Set before the result is told. */
  private volatile boolean over;

  private volatile OperationContext current;

  private final RunDecision decision = new RunDecision();
  private final long term;
  private final CallNumbers calls;

  /** Of the thread. */
  private CoordinatorDocument document;

  CoordinatorRun(
      Coordinator coordinator,
      CoordinatorDocument document,
      boolean resumed,
      Coordinators.Environment environment) {
    this.coordinator = coordinator;
    this.document = resumed ? document.takenUp() : document;
    this.calls = new CallNumbers(this.document.attempt());
    this.resumed = resumed;
    this.environment = environment;
    this.term = environment.store().term();
  }

  CompletableFuture<RawDocument> result() {
    return result;
  }

  Set<ResourceLock> locks() {
    return coordinator.locks(document.resource(), document.arguments());
  }

  /** Ends the run where it is; its document stays for the next primary. */
  void stop() {
    stopped.countDown();
    OperationContext running = current;
    if (running != null) {
      running.kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    }
  }

  /** What has not ended by then will at its next step. */
  void awaitEnd(long millisMax) {
    try {
      var unused = ended.await(millisMax, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Has the run fail, unless it is too late for that.
   *
   * @return whether it will
   */
  boolean abort(CommandException reason) {
    if (!decision.abort(reason)) {
      return false;
    }
    OperationContext running = current;
    if (running != null) {
      running.kill(reason.code());
    }
    return true;
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  /** Whether nothing more is done: the same request begins another run. */
  boolean isOver() {
    return over;
  }

  void run() {
    try {
      RawDocument told = runToTheEnd();
      over = true;
      result.complete(told);
    } catch (CommandException e) {
      over = true;
      result.completeExceptionally(e);
    } catch (CoordinatorCrashException e) {
      over = true;
      result.completeExceptionally(
          new CommandException(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, e.getMessage()));
    } finally {
      ended.countDown();
    }
  }

  private RawDocument runToTheEnd() {
    Set<ResourceLock> locks = locks();
    if (!resumed) {
      within("locks", operation -> environment.locks().acquire(locks, operation));
    }
    try {
      if (!resumed) {
        Optional<RawDocument> done =
            resultOf("check", operation -> known(operation).or(() -> check(operation)));
        if (done.isPresent()) {
          return done.get();
        }
        within("begin", operation -> store(operation, document));
      } else {
        // Before the first call with a greater number.
        repeat(document.phase(), operation -> store(operation, document));
      }
      return document.failure() == null ? runPhases() : undo();
    } finally {
      environment.locks().release(locks);
    }
  }

  /** What this request has resulted in before: the client has lost the answer. */
  private Optional<RawDocument> known(OperationContext operation) {
    return Optional.ofNullable(document.key())
        .map(key -> environment.store().outcome(operation, key))
        .map(RunOutcome::resultOf);
  }

  private Optional<RawDocument> check(OperationContext operation) {
    return coordinator.check(context(operation));
  }

  private RawDocument runPhases() {
    List<Phase> phases = coordinator.phases();
    int next = 0;
    while (!phases.get(next).name().equals(document.phase())) {
      next++;
    }
    for (; next < phases.size(); next++) {
      Phase phase = phases.get(next);
      String after = next + 1 < phases.size() ? phases.get(next + 1).name() : null;
      try {
        if (!phase.reversible()) {
          decision.make();
        } else if (decision.abortReason() == null) {
          repeatIfLed(phase.name(), operation -> runPhase(phase, after, operation));
          continue;
        } else {
          throw decision.abortReason();
        }
      } catch (CommandException e) {
        requireNotStopped();
        return fail(phase, decision.abortReason() == null ? e : decision.abortReason());
      }
      repeat(phase.name(), operation -> runPhase(phase, after, operation));
    }
    var told = new AtomicReference<RawDocument>();
    repeat(
        END,
        operation -> {
          told.set(coordinator.result(context(operation)));
          end(operation, (key, now) -> RunOutcome.succeeded(key, now, told.get()));
        });
    return told.get();
  }

  private RawDocument fail(Phase phase, CommandException reason) {
    CoordinatorDocument failed = document.failed(reason);
    repeat(phase.name(), operation -> store(operation, failed));
    return undo();
  }

  private void runPhase(Phase phase, String after, OperationContext operation) {
    String point = coordinator.type() + "." + phase.name();
    environment.points().reach(point + ".before", operation);
    RawDocument more = phase.action().run(context(operation));
    environment.points().reach(point + ".after", operation);
    store(operation, document.at(after == null ? phase.name() : after, more));
  }

  private RawDocument undo() {
    CommandException failure = document.failure();
    environment
        .log()
        .warn(
            UNDO_LOG_ID,
            "A coordinator failed and is undone",
            "coordinator",
            coordinator.type(),
            "namespace",
            document.resource(),
            "phase",
            document.phase(),
            "error",
            failure.getMessage());
    repeat(
        UNDO,
        operation -> {
          environment.points().reach(coordinator.type() + ".undo.before", operation);
          try {
            coordinator.undo(context(operation));
          } catch (CommandException e) {
            // A shard may be away for long: the client need not wait for it.
            result.completeExceptionally(failure);
            throw e;
          }
          environment.points().reach(coordinator.type() + ".undo.after", operation);
        });
    repeat(END, operation -> end(operation, (key, now) -> RunOutcome.failed(key, now, failure)));
    throw failure;
  }

  private PhaseContext context(OperationContext operation) {
    return new PhaseContext(
        operation,
        document.id(),
        document.resource(),
        document.arguments(),
        document.data(),
        document.failure(),
        calls,
        new Pages(environment.points().pageDocuments(), () -> endPage(operation)));
  }

  private void endPage(OperationContext operation) {
    operation.checkNow();
    String step = document.failure() == null ? document.phase() : UNDO;
    environment.points().reach(coordinator.type() + "." + step + ".page", operation);
  }

  private void store(OperationContext operation, CoordinatorDocument next) {
    environment.store().put(operation, next.toDocument(), term);
    document = next;
  }

  /** Makes what is kept of a run. */
  private interface Outcome {
    RawDocument of(UUID key, long wallMillis);
  }

  private void end(OperationContext operation, Outcome outcome) {
    String point = coordinator.type() + "." + END;
    environment.points().reach(point + ".before", operation);
    UUID key = document.key();
    environment
        .store()
        .remove(
            operation,
            document.storedId(),
            key == null ? null : outcome.of(key, environment.clock().wallMillis()),
            term);
    environment.points().reach(point + ".after", operation);
  }

  /** Repeats a step until it succeeds or this member leads no longer. */
  private void repeat(String phase, Consumer<OperationContext> step) {
    repeat(phase, step, any -> true);
  }

  /** Repeats a step that fails because this member does not lead, or not yet again. */
  private void repeatIfLed(String phase, Consumer<OperationContext> step) {
    repeat(
        phase,
        step,
        e ->
            !(e instanceof RemoteErrorException)
                && ErrorCode.isStateChange(RemoteErrorException.numberOf(e)));
  }

  private void repeat(
      String phase, Consumer<OperationContext> step, Predicate<CommandException> isWorthIt) {
    for (long pause = PAUSE_MILLIS_MIN; ; pause = Math.min(2 * pause, PAUSE_MILLIS_MAX)) {
      try {
        within(phase, step);
        return;
      } catch (CommandException e) {
        requireNotStopped();
        if (!isWorthIt.test(e)) {
          throw e;
        }
        environment
            .log()
            .warn(
                RETRY_LOG_ID,
                "A phase of a coordinator failed and is tried again",
                "coordinator",
                coordinator.type(),
                "namespace",
                document.resource(),
                "phase",
                phase,
                "error",
                e.getMessage(),
                "pauseMillis",
                pause);
        pause(pause);
      }
    }
  }

  private void pause(long millis) {
    try {
      var unused = stopped.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopped.countDown();
    }
    requireNotStopped();
  }

  private void requireNotStopped() {
    if (isStopped()) {
      throw new CommandException(
          ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE,
          "the coordinator goes on with the next primary");
    }
  }

  private void within(String phase, Consumer<OperationContext> step) {
    resultOf(
        phase,
        operation -> {
          step.accept(operation);
          return RawDocument.EMPTY;
        });
  }

  /** Runs work under an operation that currentOp shows and the end of leadership ends. */
  private <T> T resultOf(String phase, Function<OperationContext, T> work) {
    OperationContext operation = OperationContext.internal(environment.clock());
    int index = phaseIndex(phase);
    var progress = new OperationProgress(phase, coordinator.phases().size());
    for (int i = 0; i < index; i++) {
      progress.advance();
    }
    PhaseContext shown = context(operation);
    operation.progress(progress.details(() -> coordinator.shown(shown)));
    current = operation;
    requireNotStopped();
    Runnable end =
        environment
            .shown()
            .begin(coordinator.type() + "Coordinator", document.resource(), operation);
    try {
      return work.apply(operation);
    } catch (CommandException | CoordinatorCrashException e) {
      throw e;
    } catch (RuntimeException e) {
      // Such as that the leadership is lost in the middle of a write: the client asks again.
      CommandException fault = environment.faults().apply(e);
      if (fault != null) {
        throw fault;
      }
      environment.log().error(RETRY_LOG_ID, "A coordinator failed", e);
      throw new CommandException(ErrorCode.INTERNAL_ERROR, String.valueOf(e.getMessage()));
    } finally {
      end.run();
    }
  }

  private int phaseIndex(String name) {
    return Math.max(0, coordinator.phases().stream().map(Phase::name).toList().indexOf(name));
  }
}
