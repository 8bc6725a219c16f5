package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines that write and were sent to a secondary: the primary is another server. */
class OutputOnSecondaryTest {
  @RegisterExtension static final EmbeddedServer PRIMARY = new EmbeddedServer();
  private static final String ON_SECONDARY = "cursor: {}, $readPreference: {mode: 'secondary'}";

  @TempDir Path directory;
  private final FakeReplicaSet set = new FakeReplicaSet(3);
  private MemberServer secondary;

  @BeforeEach
  void start() {
    PRIMARY.fresh("c");
    PRIMARY.fresh("d");
    PRIMARY.run("{insert: 'c', documents: [{_id: 1}, {_id: 2}]}");
    secondary = new MemberServer(directory, set);
    set.follow("127.0.0.1:" + PRIMARY.server().port());
  }

  @AfterEach
  void stop() {
    secondary.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{$out: 'd'}", "{$merge: 'd'}", "{$merge: {into: 'd', on: '_id'}}"})
  void primaryWrites(String stage) {
    BsonDocument reply =
        secondary.run(
            "{aggregate: 'c', pipeline: ["
                + stage
                + "], maxTimeMS: 60000, writeConcern: {w: 1}, "
                + ON_SECONDARY
                + "}");
    assertOk(reply);
    assertThat(batch(reply)).isEmpty();
    assertThat(reply.keySet()).doesNotHaveDuplicates().doesNotContain("writeConcernError");
    assertThat(PRIMARY.run("{count: 'd'}").getInt32("n").getValue()).isEqualTo(2);
  }

  @Test
  void errorOfThePrimaryIsTheAnswer() {
    PRIMARY.run("{insert: 'd', documents: [{_id: 1}]}");
    assertCode(
        secondary.run(
            "{aggregate: 'c', pipeline: [{$merge: {into: 'd', whenMatched: 'fail'}}], "
                + ON_SECONDARY
                + "}"),
        11000);
  }

  @Test
  void withoutAPrimaryNothingIsWritten() {
    set.follow(null);
    assertCode(
        secondary.run("{aggregate: 'c', pipeline: [{$out: 'd'}], " + ON_SECONDARY + "}"), 10107);
    set.follow("127.0.0.1:1");
    assertCode(secondary.run("{aggregate: 'c', pipeline: [{$out: 'd'}], " + ON_SECONDARY + "}"), 6);
  }
}
