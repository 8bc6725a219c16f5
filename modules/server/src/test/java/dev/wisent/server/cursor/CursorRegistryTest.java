package dev.wisent.server.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.server.cursor.CursorRegistry.KillOutcome;
import dev.wisent.server.harness.EmptyCursor;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CursorRegistryTest {
  private static final Namespace NAMESPACE = new Namespace("d", "c");
  private static final CursorOrigin ORIGIN = new CursorOrigin(RawDocument.EMPTY, null, 3);
  private static final RawValue SESSION = RawValue.ofDocument(RawDocument.parse("{id: 1}"));

  private final AtomicLong nanos = new AtomicLong();
  private final CursorRegistry registry = new CursorRegistry(clock(), new SplittableRandom(1));

  private final OperationContext user = OperationContext.internal(clock());

  private Clock clock() {
    return new Clock() {
      @Override
      public long wallMillis() {
        return 0;
      }

      @Override
      public long monotonicNanos() {
        return nanos.get();
      }
    };
  }

  /** Results that only know whether they were closed. */
  private static final class FakeResults extends EmptyCursor {
    private boolean closed;
    private long idleMillisMax = Long.MAX_VALUE;

    @Override
    public long idleMillisMax() {
      return idleMillisMax;
    }

    @Override
    public void close() {
      assertThat(closed).as("closed once").isFalse();
      closed = true;
    }
  }

  private void pass(long minutes) {
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(minutes));
  }

  private void assertCode(ErrorCode code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void theLeastUsedCursorsGoWhenThereAreTooMany() {
    var few = new CursorRegistry(clock(), new SplittableRandom(1), 3);
    var results = new FakeResults[5];
    var cursors = new OpenCursor[5];
    for (int i = 0; i < 3; i++) {
      nanos.set(i);
      results[i] = new FakeResults();
      cursors[i] = few.register(NAMESPACE, results[i], null, i == 0, ORIGIN);
    }
    nanos.set(10);
    few.giveBack(few.take(cursors[1].id(), NAMESPACE, null, user), false);
    results[3] = new FakeResults();
    few.register(NAMESPACE, results[3], null, false, ORIGIN);
    assertThat(results[2].closed).as("not used for the longest time").isTrue();
    few.take(cursors[1].id(), NAMESPACE, null, user);
    results[4] = new FakeResults();
    few.register(NAMESPACE, results[4], null, false, ORIGIN);
    assertThat(results[3].closed).as("the only other one that times out and is idle").isTrue();
    assertThat(results[0].closed).isFalse();
    assertThat(results[1].closed).isFalse();
    assertThat(few.counts().open()).isEqualTo(3);
    assertThat(few.counts().evicted()).isEqualTo(2);
  }

  @Test
  void idleCursorsAreClosedAfterTenMinutes() {
    var results = new FakeResults();
    OpenCursor cursor = registry.register(NAMESPACE, results, null, false, ORIGIN);
    pass(9);
    registry.closeIdle();
    assertThat(results.closed).isFalse();
    registry.giveBack(registry.take(cursor.id(), NAMESPACE, null, user), false);
    pass(9);
    registry.closeIdle();
    assertThat(results.closed).as("its use counts").isFalse();
    pass(2);
    registry.closeIdle();
    assertThat(results.closed).isTrue();
    assertThat(registry.counts()).isEqualTo(new CursorRegistry.Counts(0, 0, 0, 1, 0, 1));
    assertCode(ErrorCode.CURSOR_NOT_FOUND, () -> registry.take(cursor.id(), NAMESPACE, null, user));
  }

  @Test
  void aCursorMayHaveLessTime() {
    var results = new FakeResults();
    results.idleMillisMax = TimeUnit.MINUTES.toMillis(3);
    OpenCursor cursor = registry.register(NAMESPACE, results, null, false, ORIGIN);
    pass(2);
    registry.touch(cursor.id());
    pass(2);
    registry.closeIdle();
    assertThat(results.closed).as("it was asked for").isFalse();
    pass(2);
    registry.closeIdle();
    assertThat(results.closed).isTrue();
    assertCode(ErrorCode.CURSOR_NOT_FOUND, () -> registry.touch(cursor.id()));
  }

  @Test
  void theTimeCanBeChanged() {
    var results = new FakeResults();
    registry.register(NAMESPACE, results, null, false, ORIGIN);
    registry.timeoutMillis(60_000);
    pass(2);
    registry.closeIdle();
    assertThat(results.closed).isTrue();
  }

  @Test
  void cursorsOfATransactionEndWithItOnly() {
    var mine = new FakeResults();
    var killed = new FakeResults();
    var other = new FakeResults();
    var plain = new FakeResults();
    var first = new TransactionId(SessionId.of(1, 2), 1);
    var second = new TransactionId(SessionId.of(1, 2), 2);
    registry.registerIn(first, NAMESPACE, mine, SESSION, ORIGIN);
    OpenCursor gone = registry.registerIn(first, NAMESPACE, killed, SESSION, ORIGIN);
    registry.registerIn(second, NAMESPACE, other, SESSION, ORIGIN);
    registry.register(NAMESPACE, plain, SESSION, true, ORIGIN);
    registry.kill(gone.id(), NAMESPACE);
    pass(1000);
    registry.closeIdle();
    assertThat(mine.closed).isFalse();
    registry.killOf(first);
    assertThat(mine.closed).isTrue();
    assertThat(other.closed).isFalse();
    registry.killOf(first);
    registry.killOf(second);
    assertThat(other.closed).isTrue();
    assertThat(plain.closed).isFalse();
    assertThat(registry.counts().open()).isEqualTo(1);
  }

  @Test
  void cursorsInUseOrWithoutTimeoutStay() {
    var busy = new FakeResults();
    var endless = new FakeResults();
    OpenCursor taken = registry.register(NAMESPACE, busy, null, false, ORIGIN);
    registry.register(NAMESPACE, endless, null, true, ORIGIN);
    registry.take(taken.id(), NAMESPACE, null, user);
    pass(1000);
    registry.closeIdle();
    assertThat(busy.closed).isFalse();
    assertThat(endless.closed).isFalse();
    assertThat(registry.counts()).isEqualTo(new CursorRegistry.Counts(2, 1, 1, 0, 0, 2));
  }

  @Test
  void onlyTheOwnerMayContinue() {
    OpenCursor plain = registry.register(NAMESPACE, new FakeResults(), null, false, ORIGIN);
    OpenCursor owned = registry.register(NAMESPACE, new FakeResults(), SESSION, false, ORIGIN);
    assertCode(ErrorCode.CURSOR_NOT_FOUND, () -> registry.take(12345, NAMESPACE, null, user));
    assertCode(
        ErrorCode.UNAUTHORIZED,
        () -> registry.take(plain.id(), new Namespace("d", "other"), null, user));
    assertCode(
        ErrorCode.CURSOR_SESSION_MISMATCH,
        () -> registry.take(plain.id(), NAMESPACE, SESSION, user));
    assertCode(
        ErrorCode.CURSOR_SESSION_MISMATCH, () -> registry.take(owned.id(), NAMESPACE, null, user));
    RawValue other = RawValue.ofDocument(RawDocument.parse("{id: 2}"));
    assertCode(
        ErrorCode.CURSOR_SESSION_MISMATCH, () -> registry.take(owned.id(), NAMESPACE, other, user));
    registry.take(owned.id(), NAMESPACE, SESSION, user);
    assertCode(ErrorCode.CURSOR_IN_USE, () -> registry.take(owned.id(), NAMESPACE, SESSION, user));
  }

  @Test
  void killedInUseIsClosedByItsUser() {
    var results = new FakeResults();
    OpenCursor cursor = registry.register(NAMESPACE, results, null, false, ORIGIN);
    registry.take(cursor.id(), NAMESPACE, null, user);
    assertThat(registry.kill(cursor.id(), NAMESPACE)).isEqualTo(KillOutcome.KILLED);
    assertThat(results.closed).isFalse();
    assertThat(registry.isKilled(cursor)).isTrue();
    assertThat(user.isKilled()).isTrue();
    assertThat(registry.kill(cursor.id(), NAMESPACE)).isEqualTo(KillOutcome.NOT_FOUND);
    registry.giveBack(cursor, false);
    assertThat(results.closed).isTrue();
    assertThat(registry.counts().open()).isZero();
  }

  @Test
  void killLooksAtTheNamespace() {
    var results = new FakeResults();
    OpenCursor cursor = registry.register(NAMESPACE, results, null, false, ORIGIN);
    assertThat(registry.kill(cursor.id(), new Namespace("d", "x")))
        .isEqualTo(KillOutcome.NOT_FOUND);
    assertThat(results.closed).isFalse();
    assertThat(registry.kill(cursor.id(), NAMESPACE)).isEqualTo(KillOutcome.KILLED);
    assertThat(results.closed).isTrue();
  }

  @Test
  void idsAreNeverZeroAndDiffer() {
    assertThat(
            java.util.stream.IntStream.range(0, 1000)
                .mapToLong(
                    i -> registry.register(NAMESPACE, new FakeResults(), null, false, ORIGIN).id())
                .filter(id -> id > 0)
                .distinct()
                .count())
        .isEqualTo(1000);
  }
}
