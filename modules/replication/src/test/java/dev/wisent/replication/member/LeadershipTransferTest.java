package dev.wisent.replication.member;

import static dev.wisent.replication.member.TestMembers.assertRefused;
import static dev.wisent.replication.member.TestMembers.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.replication.MemberState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stepping down and up. */
class LeadershipTransferTest {
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
  void aPrimaryHandsOnToWhoIsUpToDate() {
    List<TestMember> set = members.initiated(3);
    TestMember first = set.getFirst();
    first.member.stepDown(
        Duration.ofSeconds(60), Duration.ofSeconds(30), false, TestMember.operation());
    await(first, MemberState.SECONDARY);
    assertThat(first.raft.frozen).isEqualTo(Duration.ofSeconds(60));
    await(
        () -> set.stream().anyMatch(member -> member.member.state() == MemberState.PRIMARY),
        () -> "a new primary");
    await(() -> first.member.primary() != null, () -> "the new primary is known");
    assertRefused(
        ErrorCode.COMMAND_FAILED,
        "Election failed",
        () -> first.member.stepUp(TestMember.operation()));
    first.member.freeze(Duration.ZERO);
    first.member.stepUp(TestMember.operation());
    await(first, MemberState.PRIMARY);
  }

  @Test
  void aPrimaryStepsDownEvenIfNoMemberBecomesLeader() {
    TestMember first = members.initiated(3).getFirst();
    first.raft.deaf = true;
    first.member.stepDown(
        Duration.ofSeconds(60), Duration.ofSeconds(30), false, TestMember.operation());
    await(first, MemberState.SECONDARY);
  }

  /** A client that sees an error asks for another step-down. */
  @Test
  void aTransferThatSucceedsLateIsAStepDown() {
    TestMember first = members.initiated(3).getFirst();
    first.raft.slow = true;
    first.member.stepDown(
        Duration.ofSeconds(60), Duration.ofSeconds(30), false, TestMember.operation());
    await(first, MemberState.SECONDARY);
    assertThat(first.raft.frozen).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void whoIsFrozenIsNoSuccessor() {
    List<TestMember> set = members.initiated(3);
    // Or what the primary has heard may be from before they had the configuration.
    await(
        () ->
            set.getFirst().member.status().members().stream()
                .allMatch(row -> row.self() || row.view().answer().electable()),
        () -> set.getFirst().member.status().toString());
    set.get(1).member.freeze(Duration.ofSeconds(60));
    set.get(2).member.freeze(Duration.ofSeconds(60));
    await(
        () ->
            set.getFirst().member.status().members().stream()
                .noneMatch(row -> !row.self() && row.view().answer().electable()),
        () -> set.getFirst().member.status().toString());
    assertRefused(
        ErrorCode.EXCEEDED_TIME_LIMIT,
        "No electable secondaries caught up",
        () ->
            set.getFirst()
                .member
                .stepDown(Duration.ofSeconds(60), Duration.ZERO, false, TestMember.operation()));
  }

  @Test
  void nobodyElseCouldLead() {
    TestMember alone = members.initiated(1).getFirst();
    assertRefused(
        ErrorCode.EXCEEDED_TIME_LIMIT,
        "No electable secondaries caught up",
        () ->
            alone.member.stepDown(
                Duration.ofSeconds(60), Duration.ZERO, false, TestMember.operation()));
    alone.member.stepDown(Duration.ofSeconds(60), Duration.ZERO, true, TestMember.operation());
    await(alone, MemberState.SECONDARY);
  }
}
