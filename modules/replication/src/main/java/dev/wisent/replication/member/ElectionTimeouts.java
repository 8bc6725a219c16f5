package dev.wisent.replication.member;

import dev.wisent.replication.config.ReplicaSetConfig;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Has Raft follow {@code electionTimeoutMillis}. A log that runs is started anew for it. The
 * primary lets the others go first, so that one of them can become leader at once. Used by the
 * coordinating thread.
 */
final class ElectionTimeouts {
  private static final long OTHERS_FIRST_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final MemberSetup setup;
  private final Role role;
  private final HeartbeatAnswers answers;
  private final Executor executor;
  private int wantedMillis;
  private long wantedSinceNanos;
  private int toldMillis;

  /**
   * @param executor one after the other, for a start may take a while
   */
  ElectionTimeouts(MemberSetup setup, Role role, HeartbeatAnswers answers, Executor executor) {
    this.setup = setup;
    this.role = role;
    this.answers = answers;
    this.executor = executor;
  }

  void look() {
    ReplicaSetConfig config = answers.newest();
    if (config == null || config.settings().electionTimeoutMillis() == toldMillis) {
      return;
    }
    long now = setup.clock().monotonicNanos();
    int millis = config.settings().electionTimeoutMillis();
    if (millis != wantedMillis) {
      wantedMillis = millis;
      wantedSinceNanos = now;
    }
    if (role.primaryTerm() == null || now - wantedSinceNanos >= OTHERS_FIRST_NANOS) {
      toldMillis = millis;
      executor.execute(() -> setup.raft().electionTimeout(Duration.ofMillis(millis)));
    }
  }
}
