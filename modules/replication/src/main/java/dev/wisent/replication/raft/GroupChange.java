package dev.wisent.replication.raft;

import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.replication.raft.GroupFile.Membership;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * What a node writes when it enters a group, changes it by force, or leaves it. Guarded by the
 * node.
 */
record GroupChange(
    RaftFiles files,
    LogApplier applier,
    LogAccess access,
    Seed seed,
    RandomSource random,
    Log log) {
  /** Where the store of the first node of a group is: others cannot get it by the log. */
  private static final long FIRST_INDEX = 0;

  /**
   * Enters a group that begins with the data of this node.
   *
   * <p>The group has greater terms than that which the data is of: drivers ignore a primary of an
   * older term than they have seen. The store has the first of them before anything else, so that
   * they grow also where a crash, or a full disk, has it done again.
   */
  void begin(Membership entered, LogSecret secret) {
    long before = Math.max(applier.applied().term(), applier.newest().term());
    long term = before > 0 ? before + MetadataFiles.TERMS_SKIPPED : 0;
    enter(entered, new LogPosition(term, FIRST_INDEX), secret);
  }

  /** Enters a group that is there, without data of it. */
  void join(Membership entered, LogSecret secret) {
    enter(entered, LogPosition.START, secret);
  }

  /**
   * Enters a group that is there, with data that has to be proven to be of it. What a group began
   * with is no state of its log.
   */
  void joinWithData(Membership entered, LogSecret secret) {
    LogPosition position = applier.applied();
    boolean state = position.index() > FIRST_INDEX;
    enter(entered, state ? position : LogPosition.START, secret);
  }

  /**
   * The store is told first where it is in the new log: a crash before the membership is written
   * leaves a node without a group, for which the position means nothing.
   */
  private void enter(Membership entered, LogPosition position, LogSecret secret) {
    applier.enter(position);
    files.clearLog();
    if (entered.first() && position.term() > 0) {
      write("the term of the log", () -> metadata(entered).voteIn(position.term()));
    }
    access.enter(secret);
    if (position.index() > FIRST_INDEX) {
      seed.begin();
    } else {
      seed.end();
    }
    files.group().write(entered);
  }

  /**
   * Changes who votes in the group of this node, whose server is closed. The new voters go on in a
   * term that none of those who are gone has had, and no other survivor that is forced likewise: a
   * term and an index name one entry for ever, also in a backup of a lost member.
   */
  void force(Membership member, ForcedPeers forced, List<Peer> peers) {
    write(
        "the term of the log", () -> metadata(member).skipTerms(applier.applied().term(), random));
    forced.write(peers);
  }

  private MetadataFiles metadata(Membership membership) {
    return new MetadataFiles(files.log(), membership, log);
  }

  private interface Writing {
    void run() throws IOException;
  }

  private static void write(String what, Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + what, e);
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
