package dev.wisent.replication.member;

import static dev.wisent.replication.member.TestMembers.assertRefused;
import static dev.wisent.replication.member.TestMembers.await;
import static dev.wisent.replication.member.TestMembers.config;
import static dev.wisent.replication.member.TestMembers.entry;
import static dev.wisent.replication.member.TestMembers.reconfigure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.JoinRequest;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that have data of the set when they are told that they are members. */
class SeededJoinTest {
  private Path directory;
  private TestMembers members;
  private List<TestMember> set;

  @BeforeEach
  void open(@TempDir Path temporary) {
    directory = temporary;
    members = new TestMembers(directory);
    set = members.initiated(2);
  }

  @AfterEach
  void close() {
    members.close();
  }

  private ReplicaSetConfig configOfSet() {
    return set.getFirst().member.config().orElseThrow();
  }

  /** Starts the third member on a store that has a configuration, and an entry of the oplog. */
  private TestMember startWith(ReplicaSetConfig config) {
    return startWith(ConfigStore.mutation(config), oplogEntry(7, 1));
  }

  private static Mutation oplogEntry(long timestamp, long term) {
    var entry = new BsonBuilder();
    entry.appendString("op", "n");
    entry.appendTimestamp("ts", timestamp);
    entry.appendInt64("t", term);
    return new MutationBuilder()
        .put(
            Keyspace.OPLOG,
            ByteBuffer.allocate(Long.BYTES).putLong(timestamp).array(),
            entry.toDocument().toByteArray())
        .build();
  }

  private TestMember startWith(Mutation... contents) {
    try (StorageEngine storage =
        StorageEngine.open(
            StorageOptions.defaults(directory.resolve("m2"))
                .withCacheBytes(1 << 20)
                .withReplicatedLog())) {
      storage.apply(Stream.of(contents).map(Mutation::batch).toList(), new LogPosition(1, 3));
    }
    TestMember third = members.startIn("m2");
    third.hasData = true;
    return third;
  }

  private void add(TestMember third, String more) {
    reconfigure(
        set.getFirst(),
        config(2, List.of(entry(0, set.get(0)), entry(1, set.get(1)), entry(2, third, more))),
        false);
  }

  /** It is not in the configuration that it has: that says nothing about today. */
  @Test
  void aNewMemberIsStartingUntilItHasCaughtUp() {
    TestMember third = startWith(configOfSet());
    assertThat(third.member.state()).isEqualTo(MemberState.STARTUP);
    assertThat(third.member.config()).isEmpty();
    third.raft.catchingUp = true;
    add(third, "");
    await(third, MemberState.STARTUP2);
    assertThat(third.raft.joinedWithData).isTrue();
    assertThat(third.member.config()).isEmpty();
    assertThat(third.member.status().config().members()).hasSize(3);
    assertThat(third.raft.id().orElseThrow()).startsWith("2-");
    third.raft.catchingUp = false;
    await(third, MemberState.SECONDARY);
    assertThat(third.member.config()).contains(configOfSet());
  }

  @Test
  void anArbiterKeepsNothing() {
    TestMember third = startWith(configOfSet());
    add(third, ", arbiterOnly: true");
    await(third, MemberState.ARBITER);
    assertThat(third.raft.joinedWithData).isFalse();
  }

  /** An arbiter's directory has a position and a configuration, but no data. */
  @Test
  void whatAnArbiterHadIsNoDataOfTheSet() {
    TestMember third = startWith(ConfigStore.mutation(configOfSet()));
    add(third, "");
    await(third, MemberState.SECONDARY);
    assertThat(third.raft.joinedWithData).isFalse();
  }

  @Test
  void anEmptyMemberKeepsNothing() {
    TestMember third = members.start();
    add(third, "");
    await(third, MemberState.SECONDARY);
    assertThat(third.raft.joinedWithData).isFalse();
  }

  /** It may be ahead of all others, and none of the set's. */
  @Test
  void thePositionOfDataThatIsNotProvenIsToldToNoMember() {
    TestMember third = startWith(ConfigStore.mutation(configOfSet()), oplogEntry(1L << 62, 9));
    assertThat(third.member.lastApplied()).isEqualTo(new OpTime(1L << 62, 9));
    assertThat(applied(third)).as("it is no member").isEqualTo(OpTime.NONE);
    third.raft.catchingUp = true;
    add(third, "");
    await(third, MemberState.STARTUP2);
    assertThat(applied(third)).isEqualTo(OpTime.NONE);
    third.raft.catchingUp = false;
    assertThat(applied(third)).isNotEqualTo(OpTime.NONE);
  }

  private static OpTime applied(TestMember member) {
    return member.member.heartbeat(TestMember.question(null)).applied();
  }

  /** The primary would not lead, and the set would have none until the log is applied. */
  @Test
  void leadershipIsNotHandedToAMemberThatCatchesUp() {
    TestMember first = set.getFirst();
    TestMember third = startWith(configOfSet());
    third.raft.catchingUp = true;
    add(third, ", priority: 2");
    await(third, MemberState.STARTUP2);
    String id = third.raft.id().orElseThrow();
    assertThat(first.raft.successors.test(id)).isFalse();
    third.raft.catchingUp = false;
    await(() -> first.raft.successors.test(id), () -> "it can lead");
  }

  /** It would replace the configuration of the set as soon as this node leads. */
  @Test
  void aMemberThatCatchesUpBeginsNoSet() {
    TestMember third = startWith(configOfSet());
    third.raft.catchingUp = true;
    add(third, "");
    await(third, MemberState.STARTUP2);
    String other = config(1, List.of(entry(2, third)));
    assertRefused(ErrorCode.ALREADY_INITIALIZED, "already", () -> third.initiate(other, true));
    assertThat(third.raft.group()).contains(configOfSet().logGroup());
  }

  @Test
  void noSetBeginsWithDataOfASetThatLives() {
    TestMember third = startWith(configOfSet());
    String living = set.getFirst().host() + " is a member of it";
    assertRefused(ErrorCode.CANNOT_INITIALIZE_NODE_WITH_DATA, living, () -> third.initiate("{}"));
    assertThat(third.raft.group()).isEmpty();
    third.initiate("{}", true);
    await(third, MemberState.PRIMARY);
  }

  @Test
  void aSetBeginsWithDataOfOneThatIsLost() {
    ReplicaSetConfig before = configOfSet();
    List.copyOf(set).forEach(members::close);
    TestMember third = startWith(ConfigStore.mutation(before), oplogEntry(7, 1));
    third.initiate("{}");
    await(third, MemberState.PRIMARY);
    assertThat(third.member.config().orElseThrow().logGroup()).isNotEqualTo(before.logGroup());
  }

  /** The hosts of the lost set have another one by now. */
  @Test
  void membersOfAnotherSetDoNotCount() {
    ReplicaSetConfig now = configOfSet();
    TestMember third = startWith(now.in(UUID.randomUUID(), 1, 1, now.settings()));
    third.initiate("{}");
    await(third, MemberState.PRIMARY);
  }

  /** As the copy of a file system: what was not flushed is in raft/, which was deleted. */
  @Test
  void noSetBeginsWithDataThatLacksItsLog() throws IOException {
    ReplicaSetConfig now = configOfSet();
    TestMember third = startWith(now.in(UUID.randomUUID(), 1, 1, now.settings()));
    members.close(third);
    advanceMark(directory.resolve("m2/data/wisent.applied"));
    TestMember again = members.startIn("m2");
    assertRefused(
        ErrorCode.CANNOT_INITIALIZE_NODE_WITH_DATA,
        "acknowledged writes are missing",
        () -> again.initiate("{}"));
    assertThat(again.raft.group()).isEmpty();
    again.initiate("{}", true);
    await(again, MemberState.PRIMARY);
  }

  private static void advanceMark(Path file) throws IOException {
    try (var mark = new RandomAccessFile(file.toFile(), "rw")) {
      var bytes = mark.getChannel().map(MapMode.READ_WRITE, 0, Long.BYTES);
      bytes.order(ByteOrder.nativeOrder());
      bytes.putLong(0, bytes.getLong(0) + 1);
    }
  }

  /** The whole set was lost and begun anew, and this is a backup of the one before. */
  @Test
  void dataOfAnotherSetOfThatNameIsNotTouched() {
    ReplicaSetConfig now = configOfSet();
    ReplicaSetConfig before = now.in(UUID.randomUUID(), 1, 1, now.settings());
    TestMember third = startWith(before);
    assertRefused(
        ErrorCode.CANNOT_INITIALIZE_NODE_WITH_DATA,
        "this node has data",
        () -> third.member.join(new JoinRequest(now, 1, null, null)));
    assertThat(third.raft.group()).isEmpty();
  }
}
