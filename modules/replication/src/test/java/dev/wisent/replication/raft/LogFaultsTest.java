package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a node counts as one that does not follow the log. */
class LogFaultsTest {
  private long nanos;
  private final LogFaults faults =
      new LogFaults(
          new Clock() {
            @Override
            public long wallMillis() {
              return TimeUnit.NANOSECONDS.toMillis(nanos);
            }

            @Override
            public long monotonicNanos() {
              return nanos;
            }
          });

  @Test
  void whatCannotBeAppliedCountsUntilSomethingIsApplied() {
    assertThat(faults.current()).isEmpty();
    faults.cannotApply(new IllegalStateException("no room"));
    assertThat(faults.current()).contains("cannot apply the log: no room");
    faults.died();
    assertThat(faults.current()).contains("cannot apply the log: no room");
    faults.applied();
    assertThat(faults.current()).isEmpty();
  }

  @Test
  void aLogThatEndsOnceIsJustStartedAgain() {
    faults.died();
    assertThat(faults.current()).isEmpty();
    nanos += TimeUnit.MINUTES.toNanos(2);
    faults.died();
    assertThat(faults.current()).isEmpty();
  }

  @Test
  void aLogThatEndsAgainAndAgainIsNotFollowed() {
    faults.died();
    nanos += TimeUnit.SECONDS.toNanos(2);
    faults.died();
    assertThat(faults.current()).contains("the log ends whenever it is started");
    faults.applied();
    assertThat(faults.current()).isEmpty();
  }

  @Test
  void aFullDiskCountsUntilTheLogIsStarted() {
    faults.cannotAppend(new IOException("write", new IOException("No space left on device")));
    assertThat(faults.isFull()).isTrue();
    faults.applied(); // an entry that was in the log before
    assertThat(faults.current().orElseThrow())
        .startsWith("cannot write to the log: the disk is full");
    faults.started();
    assertThat(faults.current()).isEmpty();
    assertThat(faults.isFull()).isFalse();
  }

  @Test
  void anotherFaultOutlivesAStart() {
    faults.cannotApply(new IllegalStateException("broken"));
    assertThat(faults.isFull()).isFalse();
    faults.started();
    assertThat(faults.current()).contains("cannot apply the log: broken");
  }

  @Test
  void aLogThatCannotBeStartedOnAFullDiskWaits() {
    faults.cannotStart(new StorageException(Kind.FULL, "no"));
    assertThat(faults.isFull()).isTrue();
  }
}
