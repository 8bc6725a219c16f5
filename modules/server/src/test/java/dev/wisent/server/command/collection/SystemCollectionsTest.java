package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;

import dev.wisent.server.harness.EmbeddedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that begin with {@code system.} are the server's. */
class SystemCollectionsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{create: 'system.mine'}",
        "{insert: 'system.mine', documents: [{a: 1}]}",
        "{update: 'system.mine', updates: [{q: {}, u: {a: 1}, upsert: true}]}",
        "{delete: 'system.mine', deletes: [{q: {}, limit: 0}]}",
        "{findAndModify: 'system.mine', query: {}, update: {a: 1}, upsert: true}",
        "{createIndexes: 'system.mine', indexes: [{key: {a: 1}, name: 'a_1'}]}"
      })
  void nobodyCanMakeOne(String command) {
    assertError(SERVER.fail(command), 73, "Invalid system namespace: test.system.mine");
  }

  @Test
  void aBulkWriteNeither() {
    assertCode(
        SERVER.fail(
            "admin",
            "{bulkWrite: 1, ops: [{insert: 0, document: {a: 1}}],"
                + " nsInfo: [{ns: 'test.system.mine'}]}"),
        73);
  }

  @Test
  void knownOnesCanBeMade() {
    assertOk(SERVER.run("{insert: 'system.js', documents: [{_id: 'f', value: 1}]}"));
    assertError(
        SERVER.fail("{drop: 'system.js'}"), 20, "can't drop system collection test.system.js");
    assertOk(SERVER.run("{drop: 'system.nosuch'}"));
  }

  @Test
  void renamingIsRefused() {
    SERVER.run("{insert: 'plain', documents: [{a: 1}]}");
    assertError(
        SERVER.fail("admin", "{renameCollection: 'test.plain', to: 'test.system.mine'}"),
        20,
        "error with target namespace: Invalid system namespace: test.system.mine");
    assertError(
        SERVER.fail("admin", "{renameCollection: 'test.system.profile', to: 'test.other'}"),
        20,
        "error with source namespace: cannot write to test.system.profile");
  }

  @Test
  void theAdminDatabaseStays() {
    assertError(
        SERVER.fail("admin", "{dropDatabase: 1}"),
        20,
        "Dropping the 'admin' database is prohibited.");
  }
}
