package dev.wisent.replication.raft;

import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * How far a node has to apply the log before readers may see it: up to where readers had seen it
 * before a crash, or, with data that it joined with, up to where the group was when that data was
 * found to be a state of it.
 */
final class CatchUp {
  /** A leader that gives no answer for so long does not give one. */
  private static final Duration ANSWER_TIME = Duration.ofMinutes(5);

  private final Seed seed;
  private final LogApplier applier;
  private final LogEvents events;
  private final Scheduler scheduler;
  private final Log log;

  /** Ends the wait for an answer; null while none is missing. Of the thread that installs. */
  private Scheduler.Task waiting;

  /** Whether an answer has been missing for too long. */
  private volatile boolean unanswered;

  private volatile long target;

  CatchUp(Seed seed, LogApplier applier, LogEvents events, Scheduler scheduler, Log log) {
    this.seed = seed;
    this.applier = applier;
    this.events = events;
    this.scheduler = scheduler;
    this.log = log;
    // Of a seed that could not be removed when it was caught up with, readers had seen more.
    this.target = seed.isUnproven() ? -1 : Math.max(seed.target(), applier.seenIndex());
  }

  /** The index of the log up to which it has to be applied. */
  long target() {
    return target;
  }

  /** Whether the data here does not count, because it may be none of the group's. */
  boolean isUnproven() {
    return seed.isUnproven();
  }

  boolean isDone(TermIndex applied) {
    return !seed.isUnproven() && applied.getIndex() >= target;
  }

  /** The log is applied up to a position. */
  void applied(TermIndex position) {
    if (seed.isPresent() && isDone(position)) {
      seed.end();
      log.info(7_100_022, "The data is as new as the group's was", "position", position);
    }
  }

  /** The contents of the store were replaced by those of the leader. */
  void replaced() {
    if (seed.isPresent()) {
      target = -1;
      seed.end();
    }
  }

  /** The log was applied again from an index on, up to a position. */
  void replayed(long from, TermIndex applied) {
    log.info(
        7_100_013,
        "Applied the log again as far as it was applied before",
        "from",
        from,
        "to",
        applied.getIndex(),
        "seen",
        target);
  }

  /**
   * Asks the leader whether the data here is a state of the group.
   *
   * @return up to where the group has come; empty if the data is none, and other data is needed
   * @throws IOException if that is not known yet
   */
  OptionalLong ask(RoleInfoProto role) throws IOException {
    LogPosition position = applier.applied();
    try {
      OptionalLong committed = events.prove(role, position);
      answered();
      if (committed.isEmpty()) {
        fetched("The data is not in the log of the group, or too old", position, "");
      }
      return committed;
    } catch (PositionProof.UndecidedException e) {
      answered();
      throw e;
    } catch (LeaderClient.UnknownRequestException e) {
      fetched("The leader is of a version that knows of no backups", position, e.getMessage());
      return OptionalLong.empty();
    } catch (IOException | RuntimeException e) {
      if (isMissing()) {
        throw e;
      }
      fetched("The leader does not say whether the data is of the group", position, e.toString());
      return OptionalLong.empty();
    }
  }

  private void answered() {
    unanswered = false;
    if (waiting != null) {
      waiting.cancel();
      waiting = null;
    }
  }

  /** Whether an answer that did not come is waited for: the connection may have failed. */
  private boolean isMissing() {
    if (waiting == null) {
      waiting = scheduler.after(ANSWER_TIME, "seed-answer", () -> unanswered = true);
    }
    return !unanswered;
  }

  private void fetched(String why, LogPosition position, String error) {
    log.warn(
        7_100_021,
        why + ": everything is fetched",
        "position",
        position.toString(),
        "error",
        error);
  }

  /**
   * The data here is a state of the group.
   *
   * @param committed an index that the group has reached since
   */
  void proven(long committed) {
    LogPosition position = applier.applied();
    // Before the seed is proven, or the node would count as recovered in between.
    target = Math.max(committed, applier.seenIndex());
    seed.proven(committed);
    log.info(
        7_100_020,
        "Kept the data: only the log since then is fetched",
        "position",
        position.toString(),
        "committed",
        committed);
  }
}
