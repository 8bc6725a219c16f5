package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of databases and collections that are not allowed, in every command that takes one. */
class NamespacesTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final int INVALID_NAMESPACE = 73;
  private static final List<String> WITH_COLLECTION =
      List.of(
          "{find: '%s'}",
          "{insert: '%s', documents: [{}]}",
          "{update: '%s', updates: [{q: {}, u: {$set: {a: 1}}}]}",
          "{delete: '%s', deletes: [{q: {}, limit: 0}]}",
          "{findAndModify: '%s', remove: true}",
          "{count: '%s'}",
          "{distinct: '%s', key: 'a'}",
          "{aggregate: '%s', pipeline: [], cursor: {}}",
          "{killCursors: '%s', cursors: [{$numberLong: '1'}]}",
          "{create: '%s'}",
          "{drop: '%s'}",
          "{collMod: '%s'}",
          "{convertToCapped: '%s', size: 1000}",
          "{createIndexes: '%s', indexes: [{key: {a: 1}, name: 'a'}]}",
          "{listIndexes: '%s'}",
          "{dropIndexes: '%s', index: '*'}",
          "{collStats: '%s'}",
          "{validate: '%s'}",
          "{compact: '%s'}");

  private RawClient client;

  @BeforeEach
  void connect() {
    client = SERVER.connect();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private BsonDocument run(String json, String database) {
    BsonDocument command = BsonDocument.parse(json);
    command.put("$db", new BsonString(database));
    return client.run(RawDocument.of(command));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", ".a", "a.", "a$b", "$cmd", "a\\u0000b"})
  void illegalCollection(String name) {
    for (String command : WITH_COLLECTION) {
      assertCode(run(command.formatted(name), "test"), INVALID_NAMESPACE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a.b", "a b", "a/b", "a\\b", "a\"b", "a$b", "*", "a\u0000b", "a?"})
  void illegalDatabase(String name) {
    for (String command : WITH_COLLECTION) {
      assertCode(run(command.formatted("c"), name), INVALID_NAMESPACE);
    }
    assertCode(run("{ping: 1}", name), INVALID_NAMESPACE);
    assertCode(run("{listCollections: 1}", name), INVALID_NAMESPACE);
  }

  @Test
  void topLeavesIllegalNamesOut() {
    for (String command : WITH_COLLECTION) {
      run(command.formatted("illegal\\u0000name"), "test");
      run(command.formatted("illegal$name"), "test");
    }
    BsonDocument totals = run("{top: 1}", "admin").getDocument("totals");
    assertThat(totals.keySet()).noneMatch(name -> name.startsWith("test.illegal"));
  }

  @Test
  void databaseNameMayHave63Bytes() {
    assertOk(run("{insert: 'c', documents: [{}]}", "d".repeat(63)));
    assertCode(run("{insert: 'c', documents: [{}]}", "d".repeat(64)), INVALID_NAMESPACE);
    assertCode(run("{insert: 'c', documents: [{}]}", "ü".repeat(32)), INVALID_NAMESPACE);
    assertOk(run("{dropDatabase: 1}", "d".repeat(63)));
  }

  @Test
  void namespaceMayHave255Bytes() {
    String longest = "c".repeat(255 - "test.".length());
    assertOk(run("{create: '" + longest + "'}", "test"));
    assertOk(run("{insert: '" + longest + "', documents: [{}]}", "test"));
    assertThat(run("{count: '" + longest + "'}", "test").getInt32("n").getValue()).isEqualTo(1);
    assertCode(run("{create: '" + longest + "c'}", "test"), INVALID_NAMESPACE);
    assertCode(run("{insert: '" + longest + "c', documents: [{}]}", "test"), INVALID_NAMESPACE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"find", "count", "drop", "create", "listIndexes", "collStats", "validate"})
  void collectionThatIsNoString(String command) {
    assertError(
        run("{" + command + ": 5}", "test"),
        INVALID_NAMESPACE,
        "Collection name has invalid type int");
  }

  @Test
  void unusualNamesThatAreAllowed() {
    for (String name :
        new String[] {"a.b.c", "ä ö", "with-dash", "42", "system.js", "a*b", "x..y"}) {
      assertOk(run("{insert: '" + name + "', documents: [{}]}", "test"));
      assertThat(run("{count: '" + name + "'}", "test").getInt32("n").getValue()).isEqualTo(1);
    }
  }

  @Test
  void renameChecksBothNames() {
    assertCode(run("{renameCollection: 'test.', to: 'test.b'}", "admin"), INVALID_NAMESPACE);
    assertCode(run("{renameCollection: 'test.a', to: 'te st.b'}", "admin"), INVALID_NAMESPACE);
    assertCode(run("{renameCollection: 'nodot', to: 'test.b'}", "admin"), INVALID_NAMESPACE);
  }

  @Test
  void bulkWriteChecksItsNamespaces() {
    assertCode(
        run("{bulkWrite: 1, ops: [{insert: 0, document: {}}], nsInfo: [{ns: 'nodot'}]}", "admin"),
        INVALID_NAMESPACE);
  }
}
