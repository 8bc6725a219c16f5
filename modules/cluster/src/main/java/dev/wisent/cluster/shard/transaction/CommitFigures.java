package dev.wisent.cluster.shard.transaction;

import dev.wisent.bson.BsonBuilder;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * How many commits this shard has coordinated and what those under way are at, for {@code
 * serverStatus}. Thread-safe.
 */
public final class CommitFigures {
  private final LongAdder created = new LongAdder();
  private final LongAdder started = new LongAdder();
  private final LongAdder committed = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final LongAdder asked = new LongAdder();
  private final LongAdder askingFailed = new LongAdder();
  private final LongAdder learnedCommits = new LongAdder();
  private final LongAdder learnedAborts = new LongAdder();
  private final Map<Step, AtomicLong> running = new EnumMap<>(Step.class);

  /** What a commit is at. */
  enum Step {
    WRITING_PARTICIPANTS("writingParticipantList"),
    WAITING_FOR_VOTES("waitingForVotes"),
    WRITING_DECISION("writingDecision"),
    TELLING("waitingForDecisionAcks"),
    DELETING("deletingCoordinatorDoc");

    private final String title;

    Step(String title) {
      this.title = title;
    }
  }

  CommitFigures() {
    for (Step step : Step.values()) {
      running.put(step, new AtomicLong());
    }
  }

  /** A transaction has begun whose commit this shard would coordinate. */
  public void created() {
    created.increment();
  }

  void started() {
    started.increment();
  }

  void committed() {
    committed.increment();
  }

  void aborted() {
    aborted.increment();
  }

  /** This shard asks for the outcome of so many transactions that it has prepared. */
  void asked(int count) {
    asked.add(count);
  }

  void askingFailed() {
    askingFailed.increment();
  }

  /** This shard has ended a prepared transaction as its coordinator has answered. */
  void resolved(boolean commit) {
    (commit ? learnedCommits : learnedAborts).increment();
  }

  <T> T during(Step step, Supplier<T> work) {
    running.get(step).incrementAndGet();
    try {
      return work.get();
    } finally {
      running.get(step).decrementAndGet();
    }
  }

  void during(Step step, Runnable work) {
    during(
        step,
        () -> {
          work.run();
          return null;
        });
  }

  /** The section {@code twoPhaseCommitCoordinator}. */
  public void append(BsonBuilder out) {
    out.appendInt64("totalCreated", created.sum());
    out.appendInt64("totalStartedTwoPhaseCommit", started.sum());
    out.appendInt64("totalAbortedTwoPhaseCommit", aborted.sum());
    out.appendInt64("totalCommittedTwoPhaseCommit", committed.sum());
    out.startDocument("currentInSteps");
    running.forEach((step, count) -> out.appendInt64(step.title, count.get()));
    out.end();
    out.startDocument("preparedParts");
    out.appendInt64("asked", asked.sum());
    out.appendInt64("askingFailed", askingFailed.sum());
    out.appendInt64("learnedCommits", learnedCommits.sum());
    out.appendInt64("learnedAborts", learnedAborts.sum());
    out.end();
  }
}
