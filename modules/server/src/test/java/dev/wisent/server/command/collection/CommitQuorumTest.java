package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code commitQuorum} on a replica set of three members and an arbiter. */
class CommitQuorumTest {
  @TempDir Path directory;
  private final FakeReplicaSet set = new FakeReplicaSet(3);
  private MemberServer server;

  @BeforeEach
  void start() {
    set.config(FakeReplicaSet.config(3, 1));
    server = new MemberServer(directory, set);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private BsonDocument create(String quorum) {
    return server.run(
        "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}], commitQuorum: " + quorum + "}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'votingMembers'", "'majority'", "'bothCentres'", "0", "1", "3", "3.0"})
  void quorumsThatCanBeMet(String quorum) {
    BsonDocument reply = create(quorum);
    assertOk(reply);
    assertThat(reply.getInt32("numIndexesAfter").getValue()).isEqualTo(2);
    assertThat(reply).containsKey("commitQuorum");
    assertThat(create(quorum)).containsKey("note").doesNotContainKey("commitQuorum");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"4|278", "50|278", "'nosuch'|278", "-1|9", "51|9", "true|9", "[]|9"})
  void quorumsThatCannot(String quorum, int code) {
    assertCode(create(quorum), code);
    assertCode(server.run("{listIndexes: 'c'}"), 26);
  }

  @Test
  void theDefault() {
    BsonDocument reply = server.run("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}]}");
    assertThat(reply.getString("commitQuorum").getValue()).isEqualTo("votingMembers");
  }
}
