package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.LONG;
import static dev.wisent.replication.raft.TestCluster.STEADY;
import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes that join with a copy of the group's data from before. */
@Execution(ExecutionMode.CONCURRENT)
class SeedTest {
  @TempDir Path directory;

  @Test
  void aNodeWithACopyGetsOnlyTheLogSince() {
    try (TestCluster cluster = TestCluster.of(3, directory, STEADY)) {
      write(cluster, 0, 50);
      LogPosition copied = copy(cluster, "n4");
      write(cluster, 50, 100);
      TestNode fourth = joinWithData(cluster, "n4");
      assertThat(fourth.raft.isCatchingUp()).isTrue();
      assertThat(fourth.raft.isRecovered()).as("before it is known what the data is").isFalse();
      cluster.leader().raft.setPeers(cluster.peers(), LONG);
      awaitCaughtUp(cluster, fourth);
      assertThatNothingWasFetched(fourth);
      assertThat(fourth.applier.replicated.get()).as("what was not in the copy").isEqualTo(50);
      var log = ((RatisSession) fourth.raft.target()).division().getRaftLog();
      assertThat(log.getStartIndex()).isEqualTo(copied.index() + 1);
      cluster.leader().put("last", "1").awaitApplied();
      await("it follows", () -> "1".equals(fourth.get("last")));
    }
  }

  @Test
  void aPlaceThatWasLostIsTakenByACopyUnderAnotherId() {
    try (TestCluster cluster = TestCluster.of(3, directory, STEADY)) {
      write(cluster, 0, 20);
      copy(cluster, "n9");
      write(cluster, 20, 40);
      TestNode leader = cluster.leader();
      cluster.stop(cluster.follower().id);
      TestNode ninth = joinWithData(cluster, "n9");
      leader.raft.setPeers(cluster.peers(), LONG);
      awaitCaughtUp(cluster, ninth);
      assertThatNothingWasFetched(ninth);
      assertThat(leader.raft.peers()).hasSize(3).extracting(Peer::id).contains("n9");
      // Both are needed for a majority if the third is away.
      TestNode other =
          cluster.nodes().stream().filter(n -> n != leader && n != ninth).findAny().orElseThrow();
      cluster.stop(other.id);
      leader.put("last", "1").awaitApplied();
    }
  }

  /** As a backup of a member whose last entries a forced reconfiguration has dropped. */
  @Test
  void aCopyOfAnotherTermIsReplaced() {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      write(cluster, 0, 20);
      LogPosition copied = copy(cluster, "n4");
      write(cluster, 20, 40);
      moveTo("n4", new LogPosition(copied.term() - 1, copied.index()));
      assertThatEverythingIsFetched(cluster);
    }
  }

  /** The entries of the copy are lost, and their places in the log are taken by others. */
  @Test
  void aCopyWithEntriesThatWereForcedAwayIsReplaced() {
    try (TestCluster cluster = TestCluster.of(3, directory, STEADY)) {
      write(cluster, 0, 10);
      TestNode leader = cluster.leader();
      TestNode behind = cluster.follower();
      cluster.stop(behind.id);
      write(cluster, 10, 20);
      copy(cluster, "n4");
      cluster.nodes().stream().map(node -> node.id).toList().forEach(cluster::stop);
      TestNode survivor = cluster.start(behind.id);
      long before = survivor.raft.leadership().term();
      survivor.raft.forcePeers(List.of(survivor.peer()));
      assertThat(cluster.leader().raft.leadership().term())
          .as("no lost leader can have had it")
          .isGreaterThan(before + MetadataFiles.TERMS_SKIPPED);
      for (int i = 0; i < 20; i++) {
        cluster.leader().put("other" + i, "1").awaitApplied();
      }
      assertThat(survivor.get("k19")).isNull();
      assertThatEverythingIsFetched(cluster);
      assertThat(cluster.node("n4").get("k19")).isNull();
      assertThat(leader.id).isNotEqualTo(survivor.id);
    }
  }

  @Test
  void aListenerWithACopyGetsOnlyTheLogSince() {
    try (TestCluster cluster = TestCluster.of(1, directory, STEADY)) {
      write(cluster, 0, 20);
      TestNode leader = cluster.leader();
      leader.engine.checkpoint(directory.resolve("n4"));
      write(cluster, 20, 40);
      TestNode listener = cluster.start("n4");
      var peer = new Peer("n4", listener.raft.address(), 0, Peer.Role.LISTENER);
      listener.raft.joinWithData(cluster.group, peer, cluster.secret());
      leader.raft.setPeers(List.of(leader.peer(), peer), LONG);
      awaitCaughtUp(cluster, listener);
      assertThatNothingWasFetched(listener);
    }
  }

  @Test
  void aCopyThatIsAheadOfTheLogIsReplaced() {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      write(cluster, 0, 20);
      LogPosition copied = copy(cluster, "n4");
      moveTo("n4", new LogPosition(copied.term(), copied.index() + 1_000));
      assertThatEverythingIsFetched(cluster);
    }
  }

  @Test
  void aCopyFromBeforeTheBeginOfTheLogIsReplaced() {
    UnaryOperator<RaftOptions> shortLog =
        options -> STEADY.apply(options).withKeptLogBytes(4 << 20);
    try (TestCluster cluster = TestCluster.of(2, directory, shortLog)) {
      write(cluster, 0, 5);
      LogPosition copied = copy(cluster, "n4");
      TestNode leader = cluster.leader();
      var log = ((RatisSession) leader.raft.target()).division().getRaftLog();
      await(
          "the log is given up",
          () -> {
            leader.put("big", "x".repeat(20 << 20)).awaitApplied();
            return log.getStartIndex() > copied.index();
          });
      assertThatEverythingIsFetched(cluster);
    }
  }

  @Test
  void aNodeThatWasKilledBeforeItWasTakenUpKeepsItsCopy() {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      write(cluster, 0, 20);
      copy(cluster, "n4");
      write(cluster, 20, 40);
      joinWithData(cluster, "n4");
      cluster.stop("n4");
      TestNode again = cluster.start("n4");
      assertThat(again.raft.isCatchingUp()).isTrue();
      assertThat(again.raft.isRecovered()).isFalse();
      cluster.leader().raft.setPeers(cluster.peers(), LONG);
      awaitCaughtUp(cluster, again);
      assertThatNothingWasFetched(again);
    }
  }

  @Test
  void aNodeThatIsKilledWhileItCatchesUpGoesOnWhereItWas() throws IOException {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      write(cluster, 0, 20);
      copy(cluster, "n4");
      write(cluster, 20, 60);
      TestNode fourth = cluster.start("n4");
      fourth.applier.delayed = true;
      fourth.raft.joinWithData(cluster.group, fourth.peer(), cluster.secret());
      cluster.leader().raft.setPeers(cluster.peers(), LONG);
      await("it has the log", () -> fourth.applier.waiting.get() > 0);
      assertThat(fourth.raft.isCatchingUp()).isTrue();
      assertThat(fourth.raft.isRecovered()).isFalse();
      assertThat(fourth.get("k59")).isNull();
      copyFiles(directory.resolve("n4"), directory.resolve("killed"));
      cluster.stop("n4");
      RaftFiles.deleteRecursively(directory.resolve("n4"));
      Files.move(directory.resolve("killed"), directory.resolve("n4"));

      TestNode again = cluster.start("n4");
      awaitCaughtUp(cluster, again);
      assertThatNothingWasFetched(again);
    }
  }

  @Test
  void aCrashBeforeTheGroupIsWrittenLeavesANodeOfNone() throws IOException {
    Path node = Files.createDirectories(directory.resolve("n1").resolve("raft"));
    Files.writeString(node.resolve("seed"), "wisent raft seed 1\nunproven\n");
    try (var cluster = new TestCluster(directory, STEADY)) {
      TestNode first = cluster.start("n1");
      assertThat(first.raft.isCatchingUp()).isFalse();
      first.raft.begin(cluster.group, first.peer());
      await("it leads", first::isReady);
    }
  }

  /** Two survivors of a lost set were forced to lead by a version that went on in the same term. */
  @Test
  void aCopyWhoseOplogEndsAtAnotherTimeIsReplaced() {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      note(cluster);
      copy(cluster, "n4");
      TestNode fourth = cluster.start("n4");
      fourth.applier.newest = new OpTime(lastTime(fourth) + 1, 1);
      fourth.raft.joinWithData(cluster.group, fourth.peer(), cluster.secret());
      cluster.leader().raft.setPeers(cluster.peers(), LONG);
      awaitCaughtUp(cluster, fourth);
      assertThat(fourth.applier.installed).hasValue(1);
    }
  }

  @Test
  void aCopyWhoseOplogEndsAtThatTimeIsKept() {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      note(cluster);
      copy(cluster, "n4");
      TestNode fourth = cluster.start("n4");
      fourth.applier.newest = new OpTime(lastTime(fourth), 1);
      fourth.raft.joinWithData(cluster.group, fourth.peer(), cluster.secret());
      cluster.leader().raft.setPeers(cluster.peers(), LONG);
      awaitCaughtUp(cluster, fourth);
      assertThatNothingWasFetched(fourth);
    }
  }

  /** Writes with an entry of the oplog. */
  private static void note(TestCluster cluster) {
    byte[] entry = RawDocument.parse("{op: 'n', ns: '', o: {}}").toByteArray();
    cluster
        .leader()
        .raft
        .log()
        .submit(new MutationBuilder().oplogEntry(entry).build())
        .awaitApplied();
  }

  private static long lastTime(TestNode node) {
    byte[] key = node.contents(Keyspace.OPLOG).lastKey().getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.wrap(key).getLong();
  }

  /** What a group began with is no entry of its log. */
  @Test
  void aCopyOfTheBeginOfAGroupIsNoStateOfIt() {
    moveTo("n1", new LogPosition(5, 0));
    try (var cluster = new TestCluster(directory, STEADY)) {
      TestNode node = cluster.start("n1");
      node.raft.joinWithData(cluster.group, node.peer(), LogSecret.create(true));
      assertThat(node.raft.isCatchingUp()).isFalse();
      assertThat(node.applier.applied()).isEqualTo(LogPosition.START);
    }
  }

  /** Drivers ignore a primary of an older term than they have seen. */
  @Test
  void aGroupThatBeginsAnewHasGreaterTermsAlsoAfterACrash() throws IOException {
    moveTo("n1", new LogPosition(5, 10));
    Path obstacle = directory.resolve("n1/raft/group.tmp");
    Files.createDirectories(obstacle);
    try (var cluster = new TestCluster(directory, STEADY)) {
      TestNode node = cluster.start("n1");
      assertThatThrownBy(() -> node.raft.begin(cluster.group, node.peer()))
          .isInstanceOf(UncheckedIOException.class);
    }
    Files.delete(obstacle);
    try (var cluster = new TestCluster(directory, STEADY)) {
      TestNode node = cluster.start("n1");
      assertThat(node.raft.group()).isEmpty();
      node.raft.begin(cluster.group, node.peer());
      await("it leads", node::isReady);
      assertThat(node.raft.leadership().term()).isGreaterThan(5 + MetadataFiles.TERMS_SKIPPED);
      node.put("a", "1").awaitApplied();
    }
  }

  /** The store has left its log, but clients have seen the terms that its oplog has. */
  @Test
  void aGroupThatBeginsWithAnOplogHasGreaterTermsThanThat() {
    try (var cluster = new TestCluster(directory, STEADY)) {
      TestNode node = cluster.start("n1");
      node.applier.newest = new OpTime(1, 7_000_000);
      node.raft.begin(cluster.group, node.peer());
      await("it leads", node::isReady);
      assertThat(node.raft.leadership().term()).isGreaterThan(7_000_000);
    }
  }

  @Test
  void aNodeThatCatchesUpDeclinesLeadership() {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      write(cluster, 0, 20);
      copy(cluster, "n4");
      write(cluster, 20, 40);
      TestNode leader = cluster.leader();
      TestNode fourth = cluster.start("n4");
      fourth.applier.delayed = true;
      fourth.raft.joinWithData(cluster.group, fourth.peer(), cluster.secret());
      leader.raft.setPeers(cluster.peers(), LONG);
      await("it has the log", () -> fourth.applier.waiting.get() > 0);
      assertThatThrownBy(() -> leader.raft.transferTo("n4", Duration.ofSeconds(2)))
          .isInstanceOf(CommandException.class);
      assertThat(leader.isReady()).isTrue();
      fourth.applier.delayed = false;
      awaitCaughtUp(cluster, fourth);
    }
  }

  @Test
  void aLeaderSaysThatItDoesNotKnowARequest() throws IOException {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      var session = (RatisSession) cluster.follower().raft.target();
      RaftServer.Division division = session.division();
      var request = ByteBuffer.allocate(5 * Long.BYTES).putLong(0, 99);
      try (var client =
          new LeaderClient(
              division.getRaftServer().getProperties(),
              session.parameters(),
              session.group(),
              division.getInfo().getRoleInfoProto())) {
        assertThatThrownBy(() -> client.ask(Message.valueOf(ByteString.copyFrom(request))))
            .isInstanceOf(LeaderClient.UnknownRequestException.class);
      }
    }
  }

  private static void write(TestCluster cluster, int from, int to) {
    TestNode leader = cluster.leader();
    for (int i = from; i < to; i++) {
      leader.put("k" + i, "v" + i).awaitApplied();
    }
  }

  /** What a backup of a follower has. */
  private LogPosition copy(TestCluster cluster, String id) {
    cluster.awaitEqual();
    TestNode source = cluster.follower();
    source.engine.checkpoint(directory.resolve(id));
    return source.applier.applied();
  }

  /** Has a copy be of another position. */
  private void moveTo(String id, LogPosition position) {
    try (StorageEngine engine =
        StorageEngine.open(StorageOptions.defaults(directory.resolve(id)).withReplicatedLog())) {
      engine.enterLog(position);
    }
  }

  private static TestNode joinWithData(TestCluster cluster, String id) {
    TestNode node = cluster.start(id);
    node.raft.joinWithData(cluster.group, node.peer(), cluster.secret());
    return node;
  }

  private static void awaitCaughtUp(TestCluster cluster, TestNode node) {
    await("it has caught up", () -> !node.raft.isCatchingUp() && node.raft.isRecovered());
    cluster.awaitEqual();
    for (Keyspace keyspace : Keyspace.values()) {
      assertThat(node.contents(keyspace)).isEqualTo(cluster.leader().contents(keyspace));
    }
  }

  private static void assertThatNothingWasFetched(TestNode node) {
    assertThat(node.raft.sync()).isEmpty();
    assertThat(node.applier.installed).hasValue(0);
  }

  private static void assertThatEverythingIsFetched(TestCluster cluster) {
    TestNode fourth = joinWithData(cluster, "n4");
    cluster.leader().raft.setPeers(cluster.peers(), LONG);
    awaitCaughtUp(cluster, fourth);
    assertThat(fourth.applier.installed).hasValue(1);
    cluster.stop("n4");
    TestNode again = cluster.start("n4");
    cluster.leader().put("last", "1").awaitApplied();
    await("it follows", () -> "1".equals(again.get("last")));
    assertThat(again.raft.isRecovered()).isTrue();
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(from)) {
      files = all.toList();
    }
    for (Path file : files) {
      Files.copy(file, to.resolve(from.relativize(file).toString()));
    }
  }
}
