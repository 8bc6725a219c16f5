package dev.wisent.replication.raft;

import dev.wisent.base.log.Log;
import dev.wisent.replication.raft.GroupFile.Membership;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What a node writes when it enters a group, or leaves it. Guarded by the node. */
record GroupChange(RaftFiles files, LogApplier applier, LogAccess access, Seed seed, Log log) {
  /**
   * Enters a group.
   *
   * <p>The store is told first where it is in the new log: a crash before the membership is written
   * leaves a node without a group, for which the position means nothing.
   *
   * @param position where the store is in the log of the group; if the group began before, it has
   *     to be proven
   */
  void enter(Membership entered, LogPosition position, LogSecret secret) {
    long termBefore = applier.applied().term();
    applier.enter(position);
    files.clearLog();
    if (entered.first() && termBefore > 0) {
      beginAfter(termBefore, entered);
    }
    access.enter(secret);
    if (position.index() > RatisNode.BEGINNING.index()) {
      seed.begin();
    } else {
      seed.end();
    }
    files.group().write(entered);
  }

  /**
   * A set that begins anew with the data of another one has greater terms than that: drivers ignore
   * a primary of an older term than they have seen.
   */
  private void beginAfter(long term, Membership entered) {
    try {
      new MetadataFiles(files.log(), entered, log).beginAfter(term);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write the term of the log", e);
    }
  }

  void leave() {
    files.group().delete();
    access.forget();
    seed.end();
    files.clearLog();
    applier.enter(LogPosition.START);
  }
}
