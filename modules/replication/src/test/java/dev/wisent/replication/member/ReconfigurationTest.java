package dev.wisent.replication.member;

import static dev.wisent.replication.member.TestMembers.assertRefused;
import static dev.wisent.replication.member.TestMembers.await;
import static dev.wisent.replication.member.TestMembers.config;
import static dev.wisent.replication.member.TestMembers.entry;
import static dev.wisent.replication.member.TestMembers.reconfigure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members come and go, and other changes of the configuration. */
class ReconfigurationTest {
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
  void membersAreAddedAndRemovedAndComeBack() {
    List<TestMember> set = members.initiated(2);
    TestMember first = set.getFirst();
    TestMember third = members.start();
    List<String> all = List.of(entry(0, first), entry(1, set.get(1)), entry(2, third));
    first.member.reconfigure(RawDocument.parse(config(2, all)), false, TestMember.operation());
    await(third, MemberState.SECONDARY);
    assertThat(first.raft.peers()).hasSize(3);
    assertThat(first.member.config().orElseThrow().members())
        .extracting(MemberConfig::newlyAdded)
        .containsExactly(false, false, true);

    first.member.reconfigure(
        RawDocument.parse(config(3, all.subList(0, 2))), false, TestMember.operation());
    await(third, MemberState.REMOVED);
    await(() -> first.raft.peers().size() == 2, () -> first.raft.peers().toString());
    assertThat(third.member.config()).isEmpty();
    assertThat(third.member.me()).isNull();
    assertThat(third.raft.frozen).as("it does not stand for election").isPositive();

    first.member.reconfigure(RawDocument.parse(config(4, all)), false, TestMember.operation());
    await(third, MemberState.SECONDARY);
    // Under a new id, or under its old one if it had not left yet.
    await(
        () ->
            first.raft.peers().stream()
                .anyMatch(peer -> third.raft.id().filter(peer.id()::equals).isPresent()),
        () -> first.raft.peers().toString());
    assertThat(third.raft.isFrozen()).isFalse();
  }

  @Test
  void oldNewsOfARemovalIsForgottenWhenTheLogKnowsBetter() {
    List<TestMember> set = members.initiated(3);
    TestMember first = set.getFirst();
    TestMember third = set.get(2);
    await(third, MemberState.SECONDARY);
    ReplicaSetConfig known = first.member.config().orElseThrow();
    var without =
        new ReplicaSetConfig(
            known.name(),
            known.version() + 1,
            known.term(),
            known.members().subList(0, 2),
            known.settings(),
            known.logGroup());
    third.member.heartbeat(
        new Heartbeat.Request(
            known.name(),
            without.version(),
            without.term(),
            first.host(),
            0,
            known.term(),
            known.logGroup(),
            false,
            ConfigWriter.stored(without)));
    assertThat(third.member.state()).isEqualTo(MemberState.REMOVED);

    List<String> all = List.of(entry(0, first), entry(1, set.get(1)), entry(2, third));
    reconfigure(first, config(known.version() + 2, all), false);
    await(third, MemberState.SECONDARY);
    assertThat(third.raft.isFrozen()).isFalse();
  }

  @Test
  void leadershipIsNotGivenUpForAMemberThatIsJustComingBack() {
    List<TestMember> set = members.initiated(3);
    TestMember first = set.getFirst();
    first.raft.silentMember = 1;
    List<String> fewer = List.of(entry(0, first), entry(1, set.get(1)));
    reconfigure(first, config(2, fewer), false);
    await(set.get(2), MemberState.REMOVED);
    assertThat(first.raft.peers()).as("two would be no majority of one").hasSize(3);
    first.raft.silentMember = -1;
    await(() -> first.raft.peers().size() == 2, () -> first.raft.peers().toString());
  }

  @Test
  void aChangeIsRefusedWhereItIsNotSafe() {
    List<TestMember> set = members.initiated(3);
    TestMember first = set.getFirst();
    List<String> all = List.of(entry(0, first), entry(1, set.get(1)), entry(2, set.get(2)));
    assertRefused(
        ErrorCode.NOT_WRITABLE_PRIMARY,
        "Safe reconfig is only allowed on a writable PRIMARY",
        () -> reconfigure(set.get(1), config(2, all), false));
    assertRefused(
        ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE,
        "at most 1 voting member",
        () -> reconfigure(first, config(2, all.subList(0, 1)), false));
    assertRefused(
        ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE,
        "maps to this node",
        () -> reconfigure(first, config(2, all.subList(1, 3)), false));
    assertRefused(
        ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE,
        "is not electable",
        () ->
            reconfigure(
                first,
                config(2, List.of(entry(0, first, ", priority: 0"), all.get(1), all.get(2))),
                false));
    members.close(set.get(1));
    members.close(set.get(2));
    assertRefused(
        ErrorCode.NODE_NOT_FOUND,
        "not enough voting nodes responded",
        () -> reconfigure(first, config(2, all), false));
  }

  @Test
  void aLoneSurvivorIsForcedToGoOn() {
    List<TestMember> set = members.initiated(3);
    TestMember survivor = set.get(2);
    survivor.raft.fake().loseLeader();
    await(() -> survivor.member.primary() == null, () -> "no primary");
    reconfigure(survivor, config(1, List.of(entry(2, survivor))), true);
    await(survivor, MemberState.PRIMARY);
    assertThat(survivor.member.config().orElseThrow().members()).hasSize(1);
    assertThat(survivor.member.config().orElseThrow().version()).isGreaterThan(10_000);
  }

  @Test
  void whatIsShownCanBeSentBack() {
    TestMember alone = members.initiated(1).getFirst();
    var shown = new BsonBuilder();
    ConfigWriter.append(shown, alone.member.config().orElseThrow());
    BsonDocument changed = shown.toDocument().toBsonDocument();
    changed.put("version", new BsonInt32(2));
    alone.member.reconfigure(RawDocument.of(changed), false, TestMember.operation());
    assertThat(alone.member.config().orElseThrow().version()).isEqualTo(2);
  }
}
