package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.storage.StorageException.Kind;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class StoppedWritesTest {
  private static final String NO_SPACE = "IO error: No space left on device";

  private final UseGuard guard = new UseGuard("The store");
  private final AtomicInteger pauses = new AtomicInteger();
  private final AtomicLong pausedNanos = new AtomicLong();
  private final AtomicInteger tries = new AtomicInteger();

  private final StoppedWrites stopped =
      new StoppedWrites(
          guard,
          nanos -> {
            pauses.incrementAndGet();
            pausedNanos.addAndGet(nanos);
          });

  @Test
  void anOrdinaryWriteDoesNotWait() throws RocksDBException {
    stopped.write(tries::incrementAndGet);
    assertThat(tries).hasValue(1);
    assertThat(pauses).hasValue(0);
  }

  @Test
  void aStoppedWriteIsMadeOnceThereIsRoom() throws RocksDBException {
    stopped.write(() -> refuseTimes(20, Status.Code.Incomplete));
    assertThat(tries).hasValue(21);
    assertThat(pauses).hasValue(20);
    assertThat(pausedNanos.get())
        .isBetween(TimeUnit.MILLISECONDS.toNanos(500), TimeUnit.SECONDS.toNanos(2));
  }

  @Test
  void aWriteThatIsStoppedForLongSaysThatTheDiskIsFull() {
    assertThatThrownBy(
            () -> stopped.write(() -> refuseTimes(Integer.MAX_VALUE, Status.Code.Incomplete)))
        .isInstanceOfSatisfying(
            RocksDBException.class, e -> assertThat(RocksErrors.kind(e)).isEqualTo(Kind.FULL));
    assertThat(pausedNanos.get())
        .isBetween(TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(11));
  }

  @Test
  void whatIsNotAStopIsToldAtOnce() {
    assertThatThrownBy(() -> stopped.write(() -> refuseTimes(1, Status.Code.IOError)))
        .isInstanceOf(RocksDBException.class);
    assertThat(pauses).hasValue(0);
  }

  @Test
  void aFlushThatFailsMeanwhileEndsTheWait() {
    assertThatThrownBy(
            () ->
                stopped.write(
                    () ->
                        refuseTimes(
                            Integer.MAX_VALUE,
                            tries.get() < 3 ? Status.Code.Incomplete : Status.Code.IOError)))
        .isInstanceOfSatisfying(
            RocksDBException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.IOError));
    assertThat(pauses).hasValue(3);
  }

  @Test
  void closingEndsTheWait() {
    var closing = new StoppedWrites(guard, nanos -> guard.shut(Kind.CLOSED));
    assertThatThrownBy(
            () -> closing.write(() -> refuseTimes(Integer.MAX_VALUE, Status.Code.Incomplete)))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED));
    assertThat(tries).hasValue(1);
  }

  @Test
  void anInterruptIsKeptForLater() throws RocksDBException {
    Thread.currentThread().interrupt();
    stopped.write(() -> refuseTimes(3, Status.Code.Incomplete));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(pauses).hasValue(3);
  }

  private void refuseTimes(int times, Status.Code code) throws RocksDBException {
    if (tries.getAndIncrement() < times) {
      throw new RocksDBException(NO_SPACE, new Status(code, Status.SubCode.None, NO_SPACE));
    }
  }
}
