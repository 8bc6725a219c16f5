package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.assertError;

import dev.wisent.server.harness.EmbeddedServer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a standalone answers to change streams and transactions. */
class ChangeStreamOnStandaloneTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @ParameterizedTest
  @ValueSource(strings = {"'c'", "1"})
  void isRefusedWithItsOwnCode(String target) {
    String pipeline = "pipeline: [{$changeStream: {}}, {$match: {}}], cursor: {}";
    assertError(
        SERVER.fail("{aggregate: " + target + ", " + pipeline + "}"),
        40573,
        "The $changeStream stage is only supported on replica sets");
    assertError(
        SERVER.fail("{explain: {aggregate: " + target + ", " + pipeline + "}}"),
        40573,
        "The $changeStream stage is only supported on replica sets");
  }
}
