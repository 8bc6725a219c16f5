package dev.wisent.replication.raft;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The terms in which the only member of a set leads, and who is told of them. It is elected, and
 * leads when everything of earlier terms is applied or lost. Thread-safe.
 */
final class SimulatedTerms {
  private static final Leadership NONE = new Leadership(0, null, false);

  private final SimulatedLog log;
  private final RaftCommitLog commits;
  private final LogTarget target;
  private final ReentrantLock changing = new ReentrantLock();
  private final LinkedBlockingQueue<Leadership> changes = new LinkedBlockingQueue<>();

  private volatile long elected = -1;
  private volatile long current = -1; // written under changing
  private Consumer<Leadership> listener = leadership -> {};
  private volatile Leadership told = NONE;

  SimulatedTerms(SimulatedLog log, RaftCommitLog commits, LogTarget target) {
    this.log = log;
    this.commits = commits;
    this.target = target;
  }

  /** Returns the new term, which does not begin yet. */
  long elected() {
    long term = log.nextTerm();
    elected = term;
    return term;
  }

  boolean isElected() {
    return elected >= 0;
  }

  /** The term in which this node leads; -1 if it does not. */
  long current() {
    return current;
  }

  /** Everything of earlier terms is applied, or lost. */
  void begins(long term) {
    changing.lock();
    try {
      if (elected == term) {
        log.begins(term);
        current = term;
        commits.leadershipBegins(term, target);
        changes.add(new Leadership(term, log.self().id(), true));
      }
    } finally {
      changing.unlock();
    }
  }

  void lost() {
    changing.lock();
    try {
      long term = current;
      elected = -1;
      current = -1;
      if (term >= 0) {
        commits.leadershipEnds();
        changes.add(new Leadership(term, null, false));
      }
    } finally {
      changing.unlock();
    }
  }

  /** Waits for the next change, and tells of it. */
  void tell() throws InterruptedException {
    Leadership change = changes.take();
    if (!change.equals(told)) {
      told = change;
      listener.accept(change);
    }
  }

  void listener(Consumer<Leadership> newListener) {
    listener = newListener;
  }

  /** What was told last. */
  Leadership told() {
    return told;
  }
}
