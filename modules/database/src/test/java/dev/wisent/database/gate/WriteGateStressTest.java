package dev.wisent.database.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.Workers;
import dev.wisent.operation.OperationContext;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many threads at the gate, while others lock and close it. */
class WriteGateStressTest {
  private static final int WRITERS = 6;
  private static final int LOCKERS = 2;
  private static final int ROUNDS = 300;
  private static final long TIMEOUT_MILLIS = 60_000;

  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicBoolean stop = new AtomicBoolean();

  private static OperationContext operation() {
    return OperationContext.internal(Clock.system());
  }

  /** Enters twice, with something to see inside. */
  private void write(WriteGate gate) {
    OperationContext operation = operation();
    gate.enter(operation);
    try {
      inside.incrementAndGet();
      gate.enter(operation);
      gate.leave();
      inside.decrementAndGet();
    } finally {
      gate.leave();
    }
  }

  private void runBesideWriters(WriteGate gate, int others, Runnable other) {
    var running = new AtomicInteger(others);
    Workers.run(
        WRITERS + others,
        thread -> {
          if (thread >= others) {
            while (!stop.get()) {
              try {
                write(gate);
              } catch (CommandException e) {
                assertThat(e.code())
                    .isIn(
                        ErrorCode.NOT_WRITABLE_PRIMARY,
                        ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
              }
            }
            return;
          }
          try {
            other.run();
          } finally {
            stop.set(running.decrementAndGet() == 0);
          }
        });
    assertThat(inside).hasValue(0);
  }

  @Test
  void aLockedGateIsEmpty() {
    WriteGate gate = WriteGate.alwaysOpen();
    runBesideWriters(
        gate,
        LOCKERS,
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            gate.lock(operation(), TIMEOUT_MILLIS);
            try {
              assertThat(inside).hasValue(0);
            } finally {
              gate.unlock();
            }
          }
        });
    assertThat(gate.lockCount()).isZero();
  }

  @Test
  void aClosedGateBecomesEmpty() {
    WriteGate gate =
        WriteGate.closed(() -> new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary"));
    runBesideWriters(
        gate,
        1,
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            gate.open();
            Thread.yield();
            gate.close();
            gate.awaitEmpty();
            assertThat(inside).hasValue(0);
          }
        });
  }

  @Test
  void locksAndChangesOfLeadershipMix() {
    WriteGate gate =
        WriteGate.closed(() -> new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary"));
    var closing = new AtomicBoolean();
    runBesideWriters(
        gate,
        LOCKERS,
        () -> {
          boolean closes = closing.compareAndSet(false, true);
          for (int i = 0; i < ROUNDS; i++) {
            if (closes) {
              gate.open();
              gate.close();
              gate.awaitEmpty();
              assertThat(inside).hasValue(0);
            } else {
              gate.lock(operation(), TIMEOUT_MILLIS);
              assertThat(inside).hasValue(0);
              gate.unlock();
            }
          }
        });
    assertThat(gate.lockCount()).isZero();
  }
}
