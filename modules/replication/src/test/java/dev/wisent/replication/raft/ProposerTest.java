package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.LogTarget.Outcome;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.LeadershipException.Kind;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What fails while entries are proposed ends the term; it leaves no writer waiting. */
class ProposerTest {
  private static final int IN_FLIGHT = 2;

  private final AtomicBoolean appendThrows = new AtomicBoolean();
  private final AtomicBoolean clockThrows = new AtomicBoolean();
  private final AtomicInteger resigned = new AtomicInteger();
  private final BackgroundLoops loops = BackgroundLoops.silent();
  private final Clock clock =
      new Clock() {
        @Override
        public long wallMillis() {
          if (clockThrows.compareAndSet(true, false)) {
            throw new IllegalStateException("no time");
          }
          return Clock.system().wallMillis();
        }

        @Override
        public long monotonicNanos() {
          return Clock.system().monotonicNanos();
        }
      };
  private final RaftCommitLog log =
      new RaftCommitLog(IN_FLIGHT, 1 << 20, new ClusterClock(Clock.system()), clock, loops);

  /** Applies each entry at once. */
  private final class Applying implements LogTarget {
    @Override
    public CompletableFuture<Outcome> append(long callId, ByteString entry) {
      if (appendThrows.compareAndSet(true, false)) {
        throw new IllegalStateException("no log");
      }
      Proposal proposal = log.claim(callId);
      if (proposal != null) {
        proposal.applied();
      }
      return CompletableFuture.completedFuture(Outcome.APPLIED);
    }

    @Override
    public void publishCommitIndex() {}

    @Override
    public void resign() {
      resigned.incrementAndGet();
    }
  }

  @AfterEach
  void close() {
    log.close();
  }

  private void begin(long term) {
    log.leadershipBegins(term, new Applying());
    log.beginTerm(term);
  }

  private CommitFuture put(String value) {
    return log.submit(mutation(value));
  }

  private static Mutation mutation(String value) {
    return new MutationBuilder()
        .put(Keyspace.RECORDS, TestNode.bytes("key"), TestNode.bytes(value))
        .oplogEntry(TestNode.bytes("entry"))
        .build();
  }

  @Test
  void anAppendThatThrowsEndsLeadershipAndTheNextTermWorks() {
    // More often than entries may be in flight: none of them is lost.
    for (int term = 1; term <= 2 * IN_FLIGHT; term++) {
      begin(term);
      put("before").awaitApplied();
      appendThrows.set(true);
      CommitFuture failing = put("failing");
      assertThatThrownBy(failing::awaitApplied)
          .isInstanceOfSatisfying(
              LeadershipException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LEADERSHIP_LOST));
      assertThat(log.acceptsWritesOf(term)).isFalse();
    }
    begin(100);
    put("after").awaitApplied();
    assertThat(resigned).hasValue(2 * IN_FLIGHT);
  }

  @Test
  void aFutureThatHasEndedKeepsNoMutation() {
    begin(1);
    RaftFuture applied = (RaftFuture) put("applied");
    applied.awaitApplied();
    assertThat(applied.mutation()).isNull();
    RaftFuture empty = (RaftFuture) log.submit(new MutationBuilder().build());
    assertThat(empty.mutation()).isNull();
    appendThrows.set(true);
    RaftFuture failing = (RaftFuture) put("failing");
    assertThatThrownBy(failing::awaitApplied).isInstanceOf(LeadershipException.class);
    assertThat(failing.mutation()).isNull();
  }

  @Test
  void anEntryThatCannotBeMadeEndsLeadership() {
    for (int term = 1; term <= 2 * IN_FLIGHT; term++) {
      begin(term);
      put("before").awaitApplied();
      clockThrows.set(true);
      CommitFuture failing = put("failing");
      assertThatThrownBy(failing::awaitApplied)
          .isInstanceOfSatisfying(
              LeadershipException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LEADERSHIP_LOST));
    }
    begin(100);
    put("after").awaitApplied();
    assertThat(loops.counts().getFirst().failures()).isEqualTo(2 * IN_FLIGHT);
  }
}
