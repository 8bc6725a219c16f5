package dev.wisent.replication.member;

import static dev.wisent.replication.member.TestMembers.assertRefused;
import static dev.wisent.replication.member.TestMembers.await;
import static dev.wisent.replication.member.TestMembers.config;
import static dev.wisent.replication.member.TestMembers.entry;
import static dev.wisent.replication.member.TestMembers.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.JoinRequest;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.SetStatus;
import dev.wisent.replication.SyncReport;
import dev.wisent.replication.config.ConfigReader;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What members know of themselves and of each other. */
class ReplicaSetMemberTest {
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
  void rolesFollowLeadership() {
    List<TestMember> set = members.initiated(3);
    TestMember next = set.get(1);
    next.raft.fake().lead(next.raft.id().orElseThrow());
    await(next, MemberState.PRIMARY);
    await(set.getFirst(), MemberState.SECONDARY);
    assertThat(set.getFirst().beganTerm).hasValue(-1);
    for (TestMember member : set) {
      await(() -> next.host().equals(member.member.primary()), () -> "the others know the primary");
    }
    next.raft.fake().loseLeader();
    await(next, MemberState.SECONDARY);
    assertThat(next.member.primary()).isNull();
  }

  /** Drivers ignore an error with a version that they know, and send their retry to this member. */
  @Test
  void whoTellsOfALostLeadHasTheNewTopologyVersion() throws Exception {
    TestMember first = members.initiated(3).getFirst();
    await(first, MemberState.PRIMARY);
    int before = first.topologyChanges.get();
    var changing = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    first.topologyChanging =
        () -> {
          changing.countDown();
          awaitQuietly(go);
        };
    first.raft.fake().loseLeader();
    Thread noticing = Thread.ofPlatform().start(first.member::state);
    changing.await();
    var counted = new AtomicInteger();
    Thread telling =
        Thread.ofPlatform()
            .start(
                () -> {
                  first.member.awaitStateShown();
                  counted.set(first.topologyChanges.get());
                });
    await(
        () ->
            telling.getState() == Thread.State.BLOCKED
                || telling.getState() == Thread.State.TERMINATED,
        () -> "it waits, or has not waited");
    go.countDown();
    telling.join();
    noticing.join();
    assertThat(counted.get()).isGreaterThan(before);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void secondariesReportHowFarTheyAre() throws Exception {
    List<TestMember> set = members.initiated(3);
    TestMember first = set.getFirst();
    write(first);
    OpTime last = first.member.lastApplied();
    assertThat(last.term()).isEqualTo(first.member.term());
    await(
        () ->
            first.member.positions().stream()
                .allMatch(position -> position.applied().compareTo(last) >= 0),
        () -> first.member.positions().toString());
    set.get(1).member.awaitApplied(last.timestamp(), TestMember.operation());
    assertThat(set.get(1).member.lastApplied()).isEqualTo(last);
  }

  @Test
  void statusHasWhatHeartbeatsTell() {
    List<TestMember> set = members.initiated(3);
    TestMember first = set.getFirst();
    await(
        () ->
            first.member.status().members().stream()
                .allMatch(
                    row ->
                        row.healthy()
                            && row.state()
                                == (row.self() ? MemberState.PRIMARY : MemberState.SECONDARY)),
        () -> first.member.status().toString());
    members.close(set.get(2));
    await(
        () -> first.member.status().members().get(2).state() == MemberState.DOWN,
        () -> first.member.status().toString());
    assertThat(first.member.status().members().get(2).view().message()).isNotEmpty();
  }

  @Test
  void aSecondaryCanBeTakenOutOfReads() {
    List<TestMember> set = members.initiated(2);
    TestMember second = set.get(1);
    second.member.maintenance(true, TestMember.operation());
    assertThat(second.raft.isFrozen()).isTrue();
    await(second, MemberState.RECOVERING);
    second.member.maintenance(false, TestMember.operation());
    assertThat(second.raft.isFrozen()).isFalse();
    await(second, MemberState.SECONDARY);
    assertRefused(
        ErrorCode.OPERATION_FAILED,
        "already out of maintenance mode",
        () -> second.member.maintenance(false, TestMember.operation()));
    assertRefused(
        ErrorCode.NOT_SECONDARY,
        "primaries can't",
        () -> set.getFirst().member.maintenance(true, TestMember.operation()));
    assertThat(second.member.syncFrom(set.getFirst().host())).isEqualTo(set.getFirst().host());
    assertRefused(
        ErrorCode.NODE_NOT_FOUND, "Could not find member", () -> second.member.syncFrom("x:1"));
  }

  /** A reader there would not notice that nothing comes any more. */
  @Test
  void aMemberThatDoesNotFollowTheLogIsTakenOutOfReadsAndSaysWhy() {
    TestMember second = members.initiated(2).get(1);
    second.raft.fault = "cannot apply the log: the disk is full";
    await(second, MemberState.RECOVERING);
    SetStatus.Row self = second.member.status().members().get(1);
    assertThat(self.state()).isEqualTo(MemberState.RECOVERING);
    assertThat(self.message()).isEqualTo("cannot apply the log: the disk is full");
    second.raft.fault = null;
    await(second, MemberState.SECONDARY);
    assertThat(second.member.status().members().get(1).message()).isEmpty();
  }

  /** A crash takes back what was not flushed; the log brings it again. */
  @Test
  void aMemberThatHasNotYetWhatItHadIsNotReadable() {
    TestMember second = members.initiated(2).get(1);
    second.raft.recovered = false;
    await(second, MemberState.RECOVERING);
    second.raft.recovered = true;
    await(second, MemberState.SECONDARY);
  }

  /** Others would count on it, and it could not elect a leader. */
  @Test
  void aMemberWhoseVoteDoesNotCountYetIsNotSecondary() {
    List<TestMember> set = members.initiated(3);
    TestMember third = set.get(2);
    for (TestMember member : set) {
      member.raft.entering = 2;
    }
    await(third, MemberState.STARTUP2);
    assertThat(set.getFirst().member.logVoters()).isEmpty();
    for (TestMember member : set) {
      member.raft.entering = -1;
    }
    await(third, MemberState.SECONDARY);
    assertThat(set.getFirst().member.logVoters()).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void statusTellsOfAnInitialSyncAndWhereItComesFrom() {
    List<TestMember> set = members.initiated(2);
    assertThat(set.get(1).member.status().sync()).isEmpty();
    String source = set.getFirst().raft.id().orElseThrow();
    set.get(1).raft.sync =
        new SyncReport(1, 0, 10, 5, 1, List.of(new SyncReport.Attempt(7, "gone", source)));
    SetStatus.InitialSync sync = set.get(1).member.status().sync().orElseThrow();
    assertThat(sync.report()).isEqualTo(set.get(1).raft.sync);
    assertThat(sync.sources()).containsExactly(Map.entry(source, set.getFirst().host()));
  }

  /** Which has no configuration of its own before it has the data. */
  @Test
  void aMemberThatIsJustBeingTakenUpHasAStatus() {
    TestMember first = members.initiated(1).getFirst();
    TestMember second = members.start();
    assertRefused(ErrorCode.NOT_YET_INITIALIZED, "no replset config", second.member::status);
    ReplicaSetConfig known = first.member.config().orElseThrow();
    var both = new ArrayList<>(known.members());
    both.add(
        ConfigReader.read(RawDocument.parse(config(2, List.of(entry(1, second)))))
            .members()
            .getFirst());
    second.member.join(
        new JoinRequest(
            new ReplicaSetConfig(
                known.name(), 2, known.term(), both, known.settings(), known.logGroup()),
            1,
            null,
            null));
    await(second, MemberState.STARTUP2);
    SetStatus status = second.member.status();
    assertThat(status.myState()).isEqualTo(MemberState.STARTUP2);
    assertThat(status.members()).hasSize(2);
    assertThat(status.members().get(1).self()).isTrue();
  }
}
