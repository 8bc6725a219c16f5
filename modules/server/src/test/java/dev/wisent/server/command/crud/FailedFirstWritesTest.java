package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.batch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that is refused leaves no collection behind that it would have made. */
class FailedFirstWritesTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void empty() {
    SERVER.run("{dropDatabase: 1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{insert: 'c', documents: [{_id: [1]}]}",
        "{insert: 'c', documents: [{_id: {$regularExpression: {pattern: 'a', options: ''}}}]}",
        "{insert: 'c', documents: [{_id: {$undefined: true}}]}",
        "{insert: 'c', documents: [{_id: {$a: 1}}]}",
        "{insert: 'c', documents: [{_id: [1]}, {_id: 1}]}",
        "{insert: 'c', documents: [{_id: [1]}, {_id: [2]}], ordered: false}",
        "{insert: 'c', documents: [{_id: [1]}], bypassDocumentValidation: true}",
        "{insert: 'c', documents: []}",
        "{insert: 'c', documents: [{_id: 1}], unknown: 1}",
        "{update: 'c', updates: [{q: {_id: [1]}, u: {$set: {a: 1}}, upsert: true}]}",
        "{update: 'c', updates: [{q: {}, u: {$set: {_id: [1]}}, upsert: true}]}",
        "{update: 'c', updates: [{q: {}, u: {$bad: {_id: 1}}, upsert: true}]}",
        "{update: 'c', updates: [{q: {$bad: 1}, u: {a: 1}, upsert: true}]}",
        "{update: 'c', updates: [{q: {a: 1, $or: [{a: 1}]}, u: {$set: {'a.b': 1}}, upsert: true}]}",
        "{update: 'c', updates: [{q: {}, u: [{$set: {a: {$divide: [1, 0]}}}], upsert: true}]}",
        "{update: 'c', updates: [{q: {}, u: {a: 1}}]}",
        "{findAndModify: 'c', query: {_id: [1]}, update: {a: 1}, upsert: true}",
        "{findAndModify: 'c', query: {}, update: {a: 1}}",
        "{findAndModify: 'c', query: {}, remove: true}",
        "{delete: 'c', deletes: [{q: {}, limit: 0}]}",
        "{createIndexes: 'c', indexes: [{key: {a: 5, b: 'bad'}, name: 'x'}]}",
        "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'x'}, {key: {b: 1}, name: 'x'}]}",
        "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'x', partialFilterExpression: {$a:"
            + " 1}}]}",
        "{create: 'c', validator: {$bad: 1}}",
        "{create: 'c', capped: true}",
        "{create: 'c', viewOn: 'd', pipeline: [{$bad: 1}]}",
        "{aggregate: 1, pipeline: [{$documents: [{a: 1}]}, {$bad: 1}, {$out: 'c'}], cursor: {}}",
        "{aggregate: 1, pipeline: [{$documents: [{_id: [1]}]}, {$out: 'c'}], cursor: {}}",
        "{aggregate: 1, pipeline: [{$documents: [{a: 1}]}, {$project: {a: {$divide: ['$a', 0]}}},"
            + " {$out: 'c'}], cursor: {}}",
        "{aggregate: 1, pipeline: [{$documents: [{_id: [1]}]}, {$merge: 'c'}], cursor: {}}"
      })
  void noCollectionIsLeft(String command) {
    BsonDocument parsed = BsonDocument.parse(command).append("$db", new BsonString("test"));
    try (RawClient client = SERVER.connect()) {
      BsonDocument reply = client.run(RawDocument.of(parsed));
      assertThat(collections()).as("%s: %s", command, reply).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{insert: 'c', documents: [{_id: [1]}, {_id: 1}], ordered: false}",
        "{insert: 'c', documents: [{_id: 1}, {_id: [1]}]}",
        "{insert: 'c', documents: [{_id: 1}, {_id: 1}]}"
      })
  void aDocumentThatIsStoredMakesTheCollection(String command) {
    SERVER.run(command);
    assertThat(collections()).hasSize(1);
  }

  @Test
  void aDocumentThatIsTooLargeLeavesNoCollection() {
    var large = new BsonBuilder();
    large.appendString("s", "x".repeat(16 << 20));
    var insert = new BsonBuilder();
    insert.appendString("insert", "c").startArray("documents");
    insert.appendDocument("0", large.toDocument()).end().appendString("$db", "test");
    try (RawClient client = SERVER.connect()) {
      RawDocument command = insert.toDocument();
      BsonDocument error = client.run(command).getArray("writeErrors").get(0).asDocument();
      assertThat(error.getInt32("code").getValue()).isEqualTo(2);
    }
    assertThat(collections()).isEmpty();
  }

  private static List<BsonValue> collections() {
    return batch(SERVER.run("{listCollections: 1}"));
  }
}
