package dev.wisent.replication.raft;

import dev.wisent.base.log.Log;
import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * How far a node has to apply the log before readers may see it: up to where readers had seen it
 * before a crash, or, with data that it joined with, up to where the group was when that data was
 * found to be a state of it.
 */
final class CatchUp {
  /** A leader that does not answer so often is one of a version that does not know the question. */
  private static final int FAILURES_MAX = 10;

  private final Seed seed;
  private final LogApplier applier;
  private final LogEvents events;
  private final Log log;

  /** How often in a row the leader did not answer. Of the thread that installs. */
  private int failures;

  private volatile long target;

  CatchUp(Seed seed, LogApplier applier, LogEvents events, Log log) {
    this.seed = seed;
    this.applier = applier;
    this.events = events;
    this.log = log;
    this.target = seed.isPresent() ? seed.target() : applier.seenIndex();
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

  /**
   * Asks the leader whether the data here is a state of the group.
   *
   * @return whether it is, and the node can go on with it; if not, it needs other data
   * @throws IOException if that is not known yet
   */
  boolean prove(RoleInfoProto role) throws IOException {
    LogPosition position = applier.applied();
    OptionalLong committed = ask(role, position);
    failures = 0;
    if (committed.isEmpty()) {
      log.warn(
          7_100_021,
          "The data is not in the log of the group, or too old: everything is fetched",
          "position",
          position.toString());
      return false;
    }
    seed.proven(committed.getAsLong());
    target = committed.getAsLong();
    log.info(
        7_100_020,
        "Kept the data: only the log since then is fetched",
        "position",
        position.toString(),
        "committed",
        target);
    return true;
  }

  private OptionalLong ask(RoleInfoProto role, LogPosition position) throws IOException {
    try {
      return events.prove(role, position);
    } catch (PositionProof.UndecidedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (++failures < FAILURES_MAX) {
        throw e;
      }
      return OptionalLong.empty();
    }
  }
}
