package dev.wisent.replication.raft;

import dev.wisent.base.RandomSource;
import dev.wisent.base.disk.OnDisk;
import dev.wisent.base.log.Log;
import dev.wisent.replication.raft.GroupFile.Membership;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The files beside the log in which Ratis keeps the term and the vote of this node, and the peers.
 * Ratis writes a new file and renames it, but it renames it also if the disk was full: an
 * incomplete file has then replaced the good one. To be used while no server runs.
 */
final class MetadataFiles {
  private static final int PAGE_BYTES = 4096;

  /**
   * How many terms this node, or the set that its data is of, may have had at most since the one
   * that its store is at. The next leader's term is beyond that.
   */
  static final long TERMS_SKIPPED = 1_000_000;

  private final Path vote;
  private final Path peers;
  private final Path keptPeers;
  private final String self;
  private final Log log;

  MetadataFiles(Path log, Membership membership, Log serverLog) {
    Path directory = log.resolve(membership.group().toString()).resolve("current");
    this.vote = directory.resolve("raft-meta");
    this.peers = directory.resolve("raft-meta.conf");
    this.keptPeers = directory.resolve("raft-meta.conf.kept");
    this.self = membership.self().id();
    this.log = serverLog;
  }

  /**
   * Returns if files can be written here. A server that cannot write its vote when it stands for
   * election stays a candidate for ever: it asks for no votes, and refuses its own to candidates
   * with a lower priority.
   *
   * @throws IOException if they cannot be
   */
  void check() throws IOException {
    if (Files.isDirectory(vote.getParent())) { // or the first start makes it
      OnDisk.write(OnDisk.incomplete(vote), new byte[PAGE_BYTES]);
      Files.delete(OnDisk.incomplete(vote));
    }
  }

  /** Has this node have voted for itself, also in a log that is to be made: it begins behind. */
  void voteIn(long term) throws IOException {
    Files.createDirectories(vote.getParent());
    OnDisk.replace(vote, vote(term));
  }

  /**
   * Has the next term be one that no node of this log has had, and that another node which is told
   * the same arrives at by chance only.
   *
   * @param appliedTerm the term of what the store has
   */
  void skipTerms(long appliedTerm, RandomSource random) throws IOException {
    long term = Math.max(appliedTerm, Files.exists(vote) ? term(Files.readAllBytes(vote)) : 0);
    voteIn(term + TERMS_SKIPPED + random.nextLong(TERMS_SKIPPED));
  }

  private byte[] vote(long term) {
    return ("term=" + term + "\nvotedFor=" + self + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Makes incomplete files good. The node counts as one that has voted for itself in a term which
   * it cannot have voted in, so that it does not vote twice in any term.
   *
   * @param appliedTerm the term of what the store has
   */
  void repair(long appliedTerm) throws IOException {
    if (Files.exists(vote) && !isCompleteVote(Files.readAllBytes(vote))) {
      long term = appliedTerm + TERMS_SKIPPED;
      OnDisk.replace(vote, vote(term));
      log.warn(7_100_016, "The file of the vote was incomplete, and was made anew", "term", term);
    }
    if (Files.exists(peers)) {
      keepOrRestorePeers();
    }
  }

  private void keepOrRestorePeers() throws IOException {
    byte[] present = Files.readAllBytes(peers);
    if (isCompletePeers(present)) {
      OnDisk.replace(keptPeers, present);
    } else if (Files.exists(keptPeers)) {
      OnDisk.replace(peers, Files.readAllBytes(keptPeers));
      log.warn(7_100_017, "The file of the peers was incomplete: took those of the last start");
    } else {
      Files.delete(peers); // They are in the log, which began with the first start.
    }
  }

  /** The term of a file of the vote; 0 if it is incomplete. */
  private static long term(byte[] bytes) throws IOException {
    return isCompleteVote(bytes) ? Long.parseLong(properties(bytes).getProperty("term")) : 0;
  }

  private static boolean isCompleteVote(byte[] bytes) throws IOException {
    Properties properties = properties(bytes);
    String term = properties.getProperty("term");
    // Ratis writes in the order of a hash map, and ends each line.
    return term != null
        && term.matches("\\d+")
        && properties.getProperty("votedFor") != null
        && bytes[bytes.length - 1] == '\n';
  }

  private static Properties properties(byte[] bytes) throws IOException {
    var properties = new Properties();
    properties.load(new StringReader(new String(bytes, StandardCharsets.UTF_8)));
    return properties;
  }

  private static boolean isCompletePeers(byte[] bytes) {
    try {
      return LogEntryProto.parseFrom(bytes).hasConfigurationEntry();
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }
}
