package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static org.assertj.core.api.Assertions.assertThat;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{_id: 'views.bad', viewOn: 'c', pipeline: {a: 1}}",
        "{_id: 'views.bad', viewOn: 'c', pipeline: 1}",
        "{_id: 'views.bad', viewOn: 'c', pipeline: [1]}",
        "{_id: 'views.bad', viewOn: 'c'}",
        "{_id: 'views.bad', viewOn: 5, pipeline: []}",
        "{_id: 'views.bad', viewOn: '', pipeline: []}",
        "{_id: 'views.bad', viewOn: 'a$b', pipeline: []}",
        "{_id: 'views.bad', pipeline: []}",
        "{_id: 'views.bad', viewOn: 'c', pipeline: [], unknown: 1}",
        "{_id: 'views.bad', viewOn: 'c', pipeline: [], collation: 1}",
        "{_id: 'views.bad', viewOn: 'c', pipeline: [], collation: {locale: 'nowhere'}}",
        "{_id: 'elsewhere.bad', viewOn: 'c', pipeline: []}",
        "{_id: 'bad', viewOn: 'c', pipeline: []}",
        "{_id: 5, viewOn: 'c', pipeline: []}"
      })
  void aDefinitionThatIsNoViewIsLeftOut(String definition) {
    SERVER.run("views", "{dropDatabase: 1}");
    SERVER.run("views", "{create: 'good', viewOn: 'c', pipeline: []}");
    SERVER.run("admin", "{applyOps: [{op: 'i', ns: 'views.system.views', o: " + definition + "}]}");
    assertThat(batch(SERVER.run("views", "{listCollections: 1, filter: {type: 'view'}}")))
        .extracting(view -> view.asDocument().getString("name").getValue())
        .containsExactly("good");
    assertOk(SERVER.run("views", "{find: 'good'}"));
    if (definition.contains("'views.bad'")) {
      assertCode(SERVER.fail("views", "{find: 'bad'}"), 182);
    }
    assertOk(SERVER.run("views", "{create: 'better', viewOn: 'good', pipeline: []}"));
    assertOk(SERVER.run("views", "{dropDatabase: 1}"));
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
