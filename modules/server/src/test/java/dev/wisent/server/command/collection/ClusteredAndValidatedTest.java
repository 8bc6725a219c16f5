package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collections with a clustered index or with a validator. */
class ClusteredAndValidatedTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void drop() {
    SERVER.run("{drop: 'c'}");
  }

  private static BsonDocument listed() {
    return batch(SERVER.run("{listCollections: 1, filter: {name: 'c'}}")).getFirst().asDocument();
  }

  private static BsonDocument writeError(BsonDocument reply) {
    assertThat(reply.containsKey("writeErrors")).as("%s", reply).isTrue();
    return reply.getArray("writeErrors").get(0).asDocument();
  }

  @Test
  void clusteredByItsId() {
    SERVER.run("{create: 'c', clusteredIndex: {key: {_id: 1}, unique: true, name: 'mine'}}");
    SERVER.run("{insert: 'c', documents: [{_id: 3}, {_id: 1}, {_id: 2}]}");
    assertThat(
            batch(SERVER.run("{find: 'c'}")).stream()
                .map(d -> d.asDocument().getInt32("_id").getValue()))
        .containsExactly(1, 2, 3);
    assertThat(listed().getDocument("options").getDocument("clusteredIndex").toJson())
        .isEqualTo("{\"v\": 2, \"key\": {\"_id\": 1}, \"name\": \"mine\", \"unique\": true}");
    assertThat(listed()).doesNotContainKey("idIndex");
    BsonDocument index = batch(SERVER.run("{listIndexes: 'c'}")).getFirst().asDocument();
    assertThat(index.getBoolean("clustered").getValue()).isTrue();
    assertThat(index.getString("name").getValue()).isEqualTo("mine");
    BsonDocument duplicate = SERVER.run("{insert: 'c', documents: [{_id: 2}]}");
    assertThat(writeError(duplicate).getInt32("code").getValue()).isEqualTo(11000);
    assertThat(SERVER.run("{validate: 'c'}").getBoolean("valid").getValue()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{create: 'c', clusteredIndex: {key: {a: 1}, unique: true}}",
        "{create: 'c', clusteredIndex: {key: {_id: -1}, unique: true}}",
        "{create: 'c', clusteredIndex: {key: {_id: 1}}}",
        "{create: 'c', clusteredIndex: {key: {_id: 1}, unique: false}}",
        "{create: 'c', clusteredIndex: {unique: true}}",
        "{create: 'c', clusteredIndex: {key: {_id: 1}, unique: true, x: 1}}",
        "{create: 'c', clusteredIndex: {key: {_id: 1}, unique: true, name: 5}}",
        "{create: 'c', clusteredIndex: 'x'}"
      })
  void clusteredIndexThatCannotBe(String command) {
    assertThat(SERVER.fail(command).getInt32("code").getValue()).isNotEqualTo(1);
    assertThat(batch(SERVER.run("{listCollections: 1, filter: {name: 'c'}}"))).isEmpty();
  }

  @Test
  void validatorIsEnforced() {
    SERVER.run("{create: 'c', validator: {a: {$type: 'int'}}}");
    BsonDocument reply =
        SERVER.run("{insert: 'c', documents: [{_id: 1, a: 1}, {_id: 2, a: 'x'}, {_id: 3, a: 3}]}");
    assertThat(reply.getInt32("n").getValue()).isEqualTo(1);
    BsonDocument error = writeError(reply);
    assertThat(error.getInt32("code").getValue()).isEqualTo(121);
    assertThat(error.getInt32("index").getValue()).isEqualTo(1);
    assertThat(error.getString("errmsg").getValue()).isEqualTo("Document failed validation");
    assertThat(error.getDocument("errInfo").getInt32("failingDocumentId").getValue()).isEqualTo(2);
    BsonDocument update =
        SERVER.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {a: 'y'}}}]}");
    assertThat(writeError(update).getInt32("code").getValue()).isEqualTo(121);
    BsonDocument upsert =
        SERVER.run("{update: 'c', updates: [{q: {_id: 9}, u: {$set: {a: 'y'}}, upsert: true}]}");
    assertThat(writeError(upsert).getInt32("code").getValue()).isEqualTo(121);
    assertCode(SERVER.fail("{findAndModify: 'c', query: {_id: 1}, update: {$set: {a: 'y'}}}"), 121);
    assertThat(SERVER.run("{count: 'c'}").getInt32("n").getValue()).isEqualTo(1);
  }

  @Test
  void validationCanBePassedBy() {
    SERVER.run("{create: 'c', validator: {a: 1}}");
    assertThat(SERVER.run("{insert: 'c', documents: [{_id: 1}], bypassDocumentValidation: true}"))
        .doesNotContainKey("writeErrors");
    assertThat(
            SERVER.run(
                "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {b: 1}}}],"
                    + " bypassDocumentValidation: true}"))
        .doesNotContainKey("writeErrors");
    assertOk(
        SERVER.run(
            "{findAndModify: 'c', query: {_id: 1}, update: {$set: {b: 2}},"
                + " bypassDocumentValidation: true}"));
    BsonDocument bulk =
        SERVER.admin(
            "{bulkWrite: 1, ops: [{insert: 0, document: {_id: 2}}], nsInfo: [{ns: 'test.c'}],"
                + " bypassDocumentValidation: true}");
    assertThat(bulk.getInt32("nErrors").getValue()).isZero();
  }

  @Test
  void warningIsLogged() {
    SERVER.run("{create: 'c', validator: {a: 1}, validationAction: 'warn'}");
    int before = SERVER.logLines("Document would fail validation").size();
    assertThat(SERVER.run("{insert: 'c', documents: [{_id: 'w1'}, {_id: 'w2', a: 1}]}"))
        .doesNotContainKey("writeErrors");
    SERVER.run("{update: 'c', updates: [{q: {_id: 'w2'}, u: {$set: {a: 2}}}]}");
    assertThat(SERVER.logLines("Document would fail validation")).hasSize(before + 2);
    assertThat(SERVER.logLines("Document would fail validation", "test.c", "w1", "\"s\":\"W\""))
        .hasSize(1);
    assertThat(SERVER.run("{count: 'c'}").getInt32("n").getValue()).isEqualTo(2);
  }

  @Test
  void levels() {
    SERVER.run("{insert: 'c', documents: [{_id: 1}]}");
    assertOk(SERVER.run("{collMod: 'c', validator: {a: 1}, validationLevel: 'moderate'}"));
    assertThat(SERVER.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {b: 1}}}]}"))
        .as("it was broken before")
        .doesNotContainKey("writeErrors");
    assertThat(writeError(SERVER.run("{insert: 'c', documents: [{_id: 2}]}"))).isNotNull();
    assertOk(SERVER.run("{collMod: 'c', validationLevel: 'strict'}"));
    assertThat(writeError(SERVER.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {b: 2}}}]}")))
        .isNotNull();
    assertOk(SERVER.run("{collMod: 'c', validationLevel: 'off'}"));
    assertThat(SERVER.run("{insert: 'c', documents: [{_id: 3}]}")).doesNotContainKey("writeErrors");
    assertThat(listed().getDocument("options").getString("validationLevel").getValue())
        .isEqualTo("off");
  }

  @Test
  void wrongOptions() {
    assertCode(SERVER.fail("{create: 'c', validator: {$nosuch: 1}}"), 2);
    assertCode(SERVER.fail("{create: 'c', validationLevel: 'x'}"), 2);
    assertCode(SERVER.fail("{create: 'c', validationAction: 'x'}"), 2);
    SERVER.run("{create: 'c'}");
    assertCode(SERVER.fail("{collMod: 'c', validator: {a: {$nosuch: 1}}}"), 2);
    assertCode(SERVER.fail("{collMod: 'c', validationAction: 'x'}"), 2);
    assertCode(SERVER.fail("{collMod: 'nosuch', validator: {}}"), 26);
  }
}
