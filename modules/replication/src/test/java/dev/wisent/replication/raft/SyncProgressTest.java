package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.replication.SyncReport;
import dev.wisent.replication.SyncReport.Attempt;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of a node that gets everything from another one. */
class SyncProgressTest {
  private long millis = 1000;
  private final SyncProgress progress =
      new SyncProgress(
          new Clock() {
            @Override
            public long wallMillis() {
              return millis;
            }

            @Override
            public long monotonicNanos() {
              return millis * 1_000_000;
            }
          });

  @Test
  void isEmptyBeforeTheFirstAttempt() {
    assertThat(progress.report()).isEmpty();
  }

  @Test
  void lastsUntilAnAttemptSucceeds() {
    progress.begins("n1");
    progress.total(100);
    progress.copied(40);
    assertThat(progress.report()).contains(new SyncReport(1000, 0, 100, 40, 0, List.of()));
    millis = 1500;
    progress.ends(new IOException("gone"));
    Attempt failed = new Attempt(500, "java.io.IOException: gone", "n1");
    assertThat(progress.report()).contains(new SyncReport(1000, 0, 100, 40, 1, List.of(failed)));

    millis = 2000;
    progress.begins("n2");
    assertThat(progress.report()).contains(new SyncReport(1000, 0, 0, 0, 1, List.of(failed)));
    progress.total(100);
    progress.copied(60);
    progress.copied(40);
    millis = 2300;
    progress.ends(null);
    assertThat(progress.report())
        .contains(
            new SyncReport(1000, 2300, 100, 100, 1, List.of(failed, new Attempt(300, "OK", "n2"))));
    assertThat(progress.report().orElseThrow().isUnderWay()).isFalse();
  }

  @Test
  void beginsAnewAfterOneThatSucceeded() {
    progress.begins("n1");
    progress.ends(null);
    millis = 9000;
    progress.begins("n2");
    assertThat(progress.report()).contains(new SyncReport(9000, 0, 0, 0, 0, List.of()));
  }

  @Test
  void remembersTheLastAttempts() {
    for (int i = 0; i < 25; i++) {
      progress.begins("n" + i);
      progress.ends(new IOException("gone"));
    }
    SyncReport report = progress.report().orElseThrow();
    assertThat(report.failures()).isEqualTo(25);
    assertThat(report.attempts()).hasSize(10);
    assertThat(report.attempts().getLast().sourceId()).isEqualTo("n24");
  }
}
