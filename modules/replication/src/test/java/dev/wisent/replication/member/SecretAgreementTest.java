package dev.wisent.replication.member;

import static dev.wisent.replication.member.TestMembers.await;
import static dev.wisent.replication.member.TestMembers.config;
import static dev.wisent.replication.member.TestMembers.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.replication.secret.LogSecret;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretAgreementTest {
  @TempDir Path directory;

  private TestMembers members;

  @BeforeEach
  void open() {
    members = new TestMembers(directory);
  }

  @AfterEach
  void close() {
    members.close();
  }

  private static boolean isInForce(TestMember member) {
    return member.raft.secret().filter(LogSecret::isInForce).isPresent();
  }

  @Test
  void newMembersGetTheSecretOfTheSet() {
    List<TestMember> set = members.initiated(3);
    LogSecret secret = set.getFirst().raft.secret().orElseThrow();
    for (TestMember member : set) {
      assertThat(member.raft.secret().orElseThrow().isSame(secret)).isTrue();
      assertThat(isInForce(member)).isTrue();
    }
  }

  @Test
  void aSetOfAnOlderVersionAgreesOnOne() {
    TestMember first = members.start();
    TestMember second = members.start();
    TestMember third = members.start();
    first.raft.byOlderVersion = true;
    first.initiate(config(1, List.of(entry(0, first), entry(1, second), entry(2, third))));
    for (TestMember member : List.of(first, second, third)) {
      await(() -> isInForce(member), () -> "a secret in force");
      assertThat(member.raft.secret().orElseThrow().isSame(first.raft.secret().orElseThrow()))
          .isTrue();
    }
  }
}
