package dev.wisent.replication.member;

import static dev.wisent.replication.member.TestMembers.assertRefused;
import static dev.wisent.replication.member.TestMembers.await;
import static dev.wisent.replication.member.TestMembers.config;
import static dev.wisent.replication.member.TestMembers.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.JoinRequest;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.raft.Peer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a set begins, and who is in it. */
class InitiationTest {
  private TestMembers members;

  @BeforeEach
  void open(@TempDir Path directory) {
    members = new TestMembers(directory);
  }

  @AfterEach
  void close() {
    members.close();
  }

  @Test
  void aSetIsInitiatedAndAllKnowIt() {
    List<TestMember> set = members.initiated(3);
    TestMember first = set.getFirst();
    assertThat(first.raft.peers()).hasSize(3).allMatch(peer -> peer.role() == Peer.Role.VOTER);
    for (TestMember member : set) {
      assertThat(member.member.config()).isEqualTo(first.member.config());
      assertThat(member.member.primary()).isEqualTo(first.host());
      assertThat(member.member.me()).isEqualTo(member.host());
      assertThat(member.topologyChanges).hasPositiveValue();
    }
    assertThat(first.beganTerm).hasValue(first.member.term());
    first.member.checkWritable();
    assertRefused(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary", set.get(1).member::checkWritable);
  }

  @Test
  void withoutAConfigurationTheSetIsThisNode() {
    TestMember alone = members.start();
    assertThat(alone.member.state()).isEqualTo(MemberState.STARTUP);
    assertThat(alone.member.config()).isEmpty();
    assertRefused(ErrorCode.NOT_YET_INITIALIZED, "no replset config", () -> alone.member.status());
    alone.initiate("{}");
    await(alone, MemberState.PRIMARY);
    assertThat(alone.member.me()).isEqualTo(alone.host());
    assertRefused(ErrorCode.ALREADY_INITIALIZED, "already initialized", () -> alone.initiate("{}"));
  }

  @Test
  void initiationIsRefusedUnlessAllAreThereAndEmpty() {
    TestMember first = members.start();
    TestMember second = members.start();
    TestMember stranger = members.start("other");
    String gone = "{_id: 1, host: '127.0.0.1:1'}";
    assertRefused(
        ErrorCode.NODE_NOT_FOUND,
        "127.0.0.1:1 failed with Error connecting",
        () -> first.initiate(config(1, List.of(entry(0, first), gone))));
    assertRefused(
        ErrorCode.NODE_NOT_FOUND,
        "does not match name rs",
        () -> first.initiate(config(1, List.of(entry(0, first), entry(1, stranger)))));
    second.hasData = true;
    assertRefused(
        ErrorCode.NODE_NOT_FOUND,
        "has data already",
        () -> first.initiate(config(1, List.of(entry(0, first), entry(1, second)))));
    assertRefused(
        ErrorCode.INVALID_REPLICA_SET_CONFIG,
        "maps to this node",
        () -> first.initiate(config(1, List.of(entry(0, second)))));
    assertRefused(
        ErrorCode.INVALID_REPLICA_SET_CONFIG,
        "must have version 1",
        () -> first.initiate(config(2, List.of(entry(0, first)))));
    assertRefused(
        ErrorCode.INVALID_REPLICA_SET_CONFIG,
        "is not electable",
        () ->
            first.initiate(config(1, List.of(entry(0, first, ", priority: 0"), entry(1, second)))));
    assertThat(first.raft.group()).isEmpty();
    assertThat(first.member.state()).isEqualTo(MemberState.STARTUP);
  }

  @Test
  void prioritiesAndVotesBecomePeers() {
    TestMember first = members.start();
    TestMember second = members.start();
    TestMember third = members.start();
    first.initiate(
        config(
            1,
            List.of(
                entry(0, first, ", priority: 2.5"),
                entry(1, second, ", priority: 0.5"),
                entry(2, third, ", priority: 0, votes: 0, hidden: true"))));
    await(() -> first.raft.peers().size() == 3, () -> first.raft.peers().toString());
    List<Peer> peers = first.raft.peers();
    assertThat(peers.stream().map(Peer::priority)).containsExactly(2, 1, 0);
    assertThat(peers.get(2).role()).isEqualTo(Peer.Role.LISTENER);
  }

  @Test
  void membersOfOtherSetsAreNotHeard() {
    TestMember one = members.initiated(1).getFirst();
    TestMember other = members.initiated(1).getFirst();
    assertRefused(
        ErrorCode.INCONSISTENT_REPLICA_SET_NAMES,
        "another replica set",
        () -> one.member.heartbeat(request("rs", other.raft.group().orElseThrow())));
    assertRefused(
        ErrorCode.INCONSISTENT_REPLICA_SET_NAMES,
        "does not match",
        () -> one.member.heartbeat(request("x", null)));
    assertRefused(
        ErrorCode.ALREADY_INITIALIZED,
        "another replica set",
        () -> one.member.join(new JoinRequest(other.member.config().orElseThrow(), 0, null, null)));
  }

  private static Heartbeat.Request request(String set, UUID group) {
    return new Heartbeat.Request(set, 1, 1, "x:1", 0, 1, group, false, null);
  }
}
