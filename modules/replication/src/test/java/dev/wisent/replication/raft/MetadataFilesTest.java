package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.replication.raft.GroupFile.Membership;
import dev.wisent.replication.raft.Peer.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a full disk has left incomplete. */
class MetadataFilesTest {
  @TempDir Path directory;

  private final UUID group = UUID.randomUUID();
  private MetadataFiles files;
  private Path vote;
  private Path peers;

  @BeforeEach
  void create() throws IOException {
    Path current = Files.createDirectories(directory.resolve(group.toString()).resolve("current"));
    vote = current.resolve("raft-meta");
    peers = current.resolve("raft-meta.conf");
    var self = new Peer("n1", "127.0.0.1:1", 1, Role.VOTER);
    files = new MetadataFiles(directory, new Membership(group, false, self), Log.silent());
  }

  @Test
  void whatIsCompleteStaysAsItIs() throws IOException {
    String text = "#\n#Mon Nov 16 17:00:00 UTC 2026\nterm=7\nvotedFor=n2\n";
    Files.writeString(vote, text);
    Files.write(peers, configuration(3));
    files.repair(5);
    assertThat(vote).hasContent(text);
    assertThat(peers).hasBinaryContent(configuration(3));
  }

  @Test
  void aNodeThatHasLostItsVoteVotesInNoEarlierTerm() throws IOException {
    for (String incomplete : new String[] {"", "#\n", "term=7", "term=7\nvotedFor=n"}) {
      Files.writeString(vote, incomplete);
      files.repair(5);
      assertThat(vote).as(incomplete).hasContent("term=1000005\nvotedFor=n1\n");
    }
  }

  /** Neither one that was lost has had the term, nor another one that is forced to lead. */
  @Test
  void aNodeThatIsForcedToLeadGoesOnInATermOfItsOwn() throws IOException {
    Files.writeString(vote, "term=70\nvotedFor=n2\n");
    files.skipTerms(5, RandomSource.seeded(1));
    String first = Files.readString(vote);
    assertThat(first).endsWith("\nvotedFor=n1\n");
    assertThat(term(first)).isBetween(1_000_070L, 2_000_070L);
    Files.writeString(vote, "term=70\nvotedFor=n2\n");
    files.skipTerms(5, RandomSource.seeded(2));
    assertThat(Files.readString(vote)).isNotEqualTo(first);
    Files.writeString(vote, "");
    files.skipTerms(5, RandomSource.seeded(1));
    assertThat(term(Files.readString(vote))).isBetween(1_000_005L, 2_000_005L);
  }

  private static long term(String file) {
    return Long.parseLong(file.substring("term=".length(), file.indexOf('\n')));
  }

  @Test
  void thePeersOfTheLastStartAreTakenAgain() throws IOException {
    Files.write(peers, new byte[0]);
    files.repair(5);
    assertThat(peers).as("the log has them").doesNotExist();
    Files.write(peers, configuration(3));
    files.repair(5);
    Files.write(peers, new byte[0]);
    files.repair(5);
    assertThat(peers).hasBinaryContent(configuration(3));
  }

  @Test
  void whetherFilesCanBeWritten() throws IOException {
    files.check();
    assertThat(vote.resolveSibling("raft-meta.tmp")).doesNotExist();
    Files.createDirectory(vote.resolveSibling("raft-meta.tmp"));
    assertThatThrownBy(files::check).isInstanceOf(IOException.class);
  }

  @Test
  void aNodeWithIncompleteFilesFollowsAgain() throws IOException {
    try (TestCluster cluster =
        TestCluster.of(3, directory.resolve("cluster"), TestCluster.STEADY)) {
      TestNode node = cluster.follower();
      cluster.leader().put("a", "1").awaitApplied();
      cluster.awaitEqual();
      cluster.stop(node.id);
      Path current =
          directory
              .resolve("cluster")
              .resolve(node.id)
              .resolve("raft/log")
              .resolve(cluster.group.toString())
              .resolve("current");
      Files.write(current.resolve("raft-meta"), new byte[0]);
      Files.write(current.resolve("raft-meta.conf"), new byte[0]);
      TestNode again = cluster.start(node.id);
      await(
          "it takes part again",
          () -> {
            try {
              cluster.leader().put("b", "1").awaitApplied();
              return "1".equals(again.get("b"));
            } catch (RuntimeException e) {
              return false; // The set elects once more.
            }
          });
      assertThat(again.raft.peers()).hasSize(3);
    }
  }

  private static byte[] configuration(long index) {
    return LogEntryProto.newBuilder()
        .setIndex(index)
        .setConfigurationEntry(RaftConfigurationProto.getDefaultInstance())
        .build()
        .toByteArray();
  }
}
