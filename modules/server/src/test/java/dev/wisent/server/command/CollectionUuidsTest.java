package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collections that are called by UUID, or expected to have one. */
class CollectionUuidsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();
  private static final String NO_SUCH = "{$uuid: '3b241101-e2bb-4255-8caf-4136c566a962'}";

  @BeforeEach
  void collections() {
    SERVER.fresh("c");
    SERVER.fresh("d");
    SERVER.run("{insert: 'c', documents: [{_id: 1}, {_id: 2}]}");
    SERVER.run("{create: 'd'}");
  }

  private static BsonBinary uuid(String name) {
    return batch(SERVER.run("{listCollections: 1, filter: {name: '" + name + "'}}"))
        .getFirst()
        .asDocument()
        .getDocument("info")
        .getBinary("uuid");
  }

  private static String json(BsonBinary uuid) {
    return "{$uuid: '" + uuid.asUuid() + "'}";
  }

  @Test
  void readsByUuid() {
    String c = json(uuid("c"));
    BsonDocument found = SERVER.run("{find: " + c + ", sort: {_id: 1}}");
    assertThat(batch(found)).hasSize(2);
    assertThat(found.getDocument("cursor").getString("ns").getValue()).isEqualTo("test.c");
    assertThat(number(SERVER.run("{count: " + c + "}"), "n")).isEqualTo(2);
    assertThat(SERVER.run("{distinct: " + c + ", key: '_id'}").getArray("values")).hasSize(2);
    assertThat(batch(SERVER.run("{listIndexes: " + c + "}"))).hasSize(1);
    assertOk(SERVER.run("{explain: {find: " + c + "}}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"find: %s", "count: %s", "distinct: %s, key: 'a'", "listIndexes: %s"})
  void unknownUuid(String command) {
    assertError(
        SERVER.fail("{" + command.formatted(NO_SUCH) + "}"),
        26,
        "Unable to resolve 3b241101-e2bb-4255-8caf-4136c566a962");
    assertCode(SERVER.fail("other", "{" + command.formatted(json(uuid("c"))) + "}"), 26);
    assertCode(
        SERVER.fail("{" + command.formatted("{$binary: {base64: 'AAAA', subType: '00'}}") + "}"),
        14);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "find: 'c'",
        "aggregate: 'c', pipeline: [], cursor: {}",
        "insert: 'c', documents: [{_id: 3}]",
        "update: 'c', updates: [{q: {}, u: {$set: {a: 1}}}]",
        "delete: 'c', deletes: [{q: {}, limit: 0}]",
        "collMod: 'c', validator: {}",
        "createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}]",
        "listIndexes: 'c'",
        "dropIndexes: 'c', index: '*'",
        "drop: 'c'",
      })
  void expectedUuid(String command) {
    String c = json(uuid("c"));
    checkMismatch(
        SERVER, "{" + command.replace("'c'", "'d'") + ", collectionUUID: " + c + "}", "d", "c");
    checkMismatch(SERVER, "{" + command + ", collectionUUID: " + NO_SUCH + "}", "c", null);
    checkMismatch(
        SERVER, "{" + command.replace("'c'", "'e'") + ", collectionUUID: " + c + "}", "e", "c");
    assertThat(number(SERVER.run("{count: 'c', query: {a: null}}"), "n")).isEqualTo(2);
    assertCode(SERVER.fail("{" + command + ", collectionUUID: 1}"), 14);
    BsonDocument done = SERVER.run("{" + command + ", collectionUUID: " + c + "}");
    assertThat(done.containsKey("writeErrors")).isFalse();
  }

  private static void checkMismatch(
      EmbeddedServer server, String command, String expected, String actual) {
    BsonDocument reply;
    if (command.matches("\\{(insert|update|delete).*")) {
      reply = server.run(command).getArray("writeErrors").getFirst().asDocument();
    } else {
      reply = server.fail(command);
      assertThat(reply.getString("codeName").getValue()).isEqualTo("CollectionUUIDMismatch");
    }
    assertThat(number(reply, "code")).isEqualTo(361);
    assertThat(reply.getString("errmsg").getValue())
        .isEqualTo("Collection UUID does not match that specified");
    assertThat(reply.getString("db").getValue()).isEqualTo("test");
    assertThat(reply.getBinary("collectionUUID").getType()).isEqualTo((byte) 4);
    assertThat(reply.getString("expectedCollection").getValue()).isEqualTo(expected);
    assertThat(reply.get("actualCollection"))
        .isEqualTo(actual == null ? BsonNull.VALUE : new BsonString(actual));
  }

  @Test
  void renamesWhatIsExpected() {
    String c = json(uuid("c"));
    assertCode(
        SERVER.fail(
            "admin", "{renameCollection: 'test.d', to: 'test.f', collectionUUID: " + c + "}"),
        361);
    assertOk(SERVER.admin("{renameCollection: 'test.c', to: 'test.f', collectionUUID: " + c + "}"));
    SERVER.run("{drop: 'f'}");
  }

  @Test
  void bulkWriteComparesEachCollection() {
    BsonDocument reply =
        SERVER.admin(
            "{bulkWrite: 1, ordered: false, ops: [{insert: 0, document: {_id: 3}}, {insert: 1,"
                + " document: {_id: 3}}], nsInfo: [{ns: 'test.d', collectionUUID: "
                + json(uuid("c"))
                + "}, {ns: 'test.c', collectionUUID: "
                + json(uuid("c"))
                + "}]}");
    assertThat(number(reply, "nErrors")).isEqualTo(1);
    assertThat(number(reply, "nInserted")).isEqualTo(1);
    assertThat(number(batch(reply).getFirst().asDocument(), "code")).isEqualTo(361);
  }

  @Test
  void otherCommandsDoNotTakeOne() {
    assertCode(SERVER.fail("{count: 'c', collectionUUID: " + json(uuid("c")) + "}"), 40415);
  }
}
