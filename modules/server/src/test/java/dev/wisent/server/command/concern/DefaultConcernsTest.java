package dev.wisent.server.command.concern;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.replication.MemberState;
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

/** setDefaultRWConcern, getDefaultRWConcern, and what they do to writes. */
class DefaultConcernsTest {
  @TempDir Path directory;
  private final FakeReplicaSet set = new FakeReplicaSet(3);
  private MemberServer server;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, set);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theConfigurationImpliesThem() {
    BsonDocument implied = get();
    assertThat(implied.getDocument("defaultReadConcern"))
        .isEqualTo(BsonDocument.parse("{level: 'local'}"));
    assertThat(implied.getDocument("defaultWriteConcern"))
        .isEqualTo(BsonDocument.parse("{w: 'majority', wtimeout: 0}"));
    assertThat(implied.getString("defaultWriteConcernSource").getValue()).isEqualTo("implicit");
    assertThat(implied.getString("defaultReadConcernSource").getValue()).isEqualTo("implicit");
    set.config(FakeReplicaSet.config(2, 1));
    assertThat(get().getDocument("defaultWriteConcern"))
        .isEqualTo(BsonDocument.parse("{w: 1, wtimeout: 0}"));
  }

  @Test
  void whatIsSetIsUsedAndKept() {
    BsonDocument reply =
        set(
            "defaultWriteConcern: {w: 2, wtimeout: 15}, defaultReadConcern: {level: 'majority'},"
                + " writeConcern: {w: 1}");
    assertOk(reply);
    assertThat(reply.getString("defaultWriteConcernSource").getValue()).isEqualTo("global");
    assertThat(reply.containsKey("updateWallClockTime")).isTrue();
    assertThat(get().getDocument("defaultReadConcern"))
        .isEqualTo(BsonDocument.parse("{level: 'majority'}"));

    BsonDocument error =
        server.run("{insert: 'c', documents: [{}]}").getDocument("writeConcernError");
    assertThat(error.getDocument("errInfo"))
        .isEqualTo(
            BsonDocument.parse(
                "{wtimeout: true, writeConcern: {w: 2, wtimeout: 15, provenance:"
                    + " 'customDefault'}}"));
    // A concern without w takes that from the default, but not the time.
    BsonDocument partly =
        server.run("{insert: 'c', documents: [{}], writeConcern: {j: true, wtimeout: 3}}");
    assertThat(partly.getDocument("writeConcernError").getDocument("errInfo").get("writeConcern"))
        .isEqualTo(BsonDocument.parse("{w: 2, j: true, wtimeout: 3, provenance: 'customDefault'}"));
    assertThat(
            server
                .run("{insert: 'c', documents: [{}], writeConcern: {w: 1}}")
                .containsKey("writeConcernError"))
        .isFalse();
    // It is a document that every member has.
    BsonDocument stored = server.run("{find: 'settings', $db: 'config'}");
    assertThat(stored.getDocument("cursor").getArray("firstBatch")).hasSize(1);
  }

  @Test
  void readsWithoutAConcernHaveTheDefault() {
    assertOk(server.run("{profile: 2}"));
    assertOk(server.run("{find: 'read', comment: 'before'}"));
    assertOk(set("defaultReadConcern: {level: 'majority'}"));
    assertOk(server.run("{find: 'read', comment: 'default'}"));
    assertOk(server.run("{find: 'read', comment: 'own', readConcern: {level: 'local'}}"));
    assertOk(set("defaultReadConcern: {level: 'available'}"));
    assertOk(server.run("{count: 'read', comment: 'changed'}"));
    assertThat(profiled("before")).isEqualTo("{'level': 'local', 'provenance': 'implicitDefault'}");
    assertThat(profiled("default"))
        .isEqualTo("{'level': 'majority', 'provenance': 'customDefault'}");
    assertThat(profiled("own")).isEqualTo("{'level': 'local', 'provenance': 'clientSupplied'}");
    assertThat(profiled("changed"))
        .isEqualTo("{'level': 'available', 'provenance': 'customDefault'}");
    assertOk(server.run("{profile: 0}"));
  }

  /** The read concern of an operation by its comment. */
  private String profiled(String comment) {
    BsonDocument found =
        server
            .run("{find: 'system.profile', filter: {'command.comment': '%s'}}".formatted(comment))
            .getDocument("cursor")
            .getArray("firstBatch")
            .getFirst()
            .asDocument();
    return found.getDocument("readConcern").toJson().replace('"', '\'');
  }

  @Test
  void oneOfThemCanBeChangedAlone() {
    assertOk(set("defaultWriteConcern: {w: 1}"));
    assertOk(set("defaultReadConcern: {level: 'available'}"));
    assertThat(get().getDocument("defaultWriteConcern").getInt32("w").getValue()).isEqualTo(1);
    assertOk(set("defaultReadConcern: {}"));
    assertThat(get().getString("defaultReadConcernSource").getValue()).isEqualTo("implicit");
    assertError(
        set("defaultWriteConcern: {}"),
        20,
        "The global default write concern cannot be unset once it is set.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          comment: 1 | 2 | At least one of the "defaultReadConcern" or "defaultWriteConcern" fields must be present
          defaultReadConcern: {level: 'linearizable'} | 2 | level: 'linearizable' is not suitable for the default read concern
          defaultReadConcern: {level: 'snapshot'} | 2 | level: 'snapshot' is not suitable for the default read concern
          defaultReadConcern: {afterClusterTime: {$timestamp: {t: 1, i: 1}}} | 2 | 'afterClusterTime' is not suitable for the default read concern
          defaultWriteConcern: {w: 0} | 2 | Unacknowledged write concern is not suitable for the default write concern
          defaultWriteConcern: {j: true} | 2 | Default write concern must have 'w' field.
          defaultWriteConcern: {w: 1, provenance: 'customDefault'} | 2 | 'provenance' must be unset in default write concern
          defaultWriteConcern: {w: 9} | 100 | Not enough data-bearing nodes
          defaultWriteConcern: {w: 'nosuch'} | 79 | No write concern mode named 'nosuch' found in replica set configuration
          """)
  void concernsThatAreNoDefaults(String arguments, int code, String message) {
    assertError(set(arguments), code, message);
  }

  /** What is read once is kept; it has to be seen that the document, or its collection, changes. */
  @Test
  void writesOfTheStoredDocumentCount() {
    assertThat(concernOfAnInsert()).isNull();
    assertOk(set("defaultWriteConcern: {w: 2, wtimeout: 15}, writeConcern: {w: 1}"));
    assertThat(concernOfAnInsert().getInt32("wtimeout").getValue()).isEqualTo(15);
    settings(
        "update: 'settings', updates: [{q: {_id: 'ReadWriteConcernDefaults'}, u: {$set:"
            + " {'defaultWriteConcern.wtimeout': 16}}}]");
    assertThat(concernOfAnInsert().getInt32("wtimeout").getValue()).isEqualTo(16);
    settings("delete: 'settings', deletes: [{q: {_id: 'ReadWriteConcernDefaults'}, limit: 1}]");
    assertThat(concernOfAnInsert()).isNull();
    settings(
        "insert: 'settings', documents: [{_id: 'ReadWriteConcernDefaults', defaultWriteConcern: {w:"
            + " 2, wtimeout: 17}}]");
    assertThat(concernOfAnInsert().getInt32("wtimeout").getValue()).isEqualTo(17);
    settings("drop: 'settings'");
    assertThat(concernOfAnInsert()).isNull();
  }

  private void settings(String command) {
    assertOk(server.run("{" + command + ", writeConcern: {w: 1}, $db: 'config'}"));
  }

  /** The concern that an insert waited for in vain; null where it did not wait. */
  private BsonDocument concernOfAnInsert() {
    set.config(FakeReplicaSet.config(2, 1)); // which implies w: 1
    BsonDocument reply = server.run("{insert: 'c', documents: [{}]}");
    return reply.containsKey("writeConcernError")
        ? reply.getDocument("writeConcernError").getDocument("errInfo").getDocument("writeConcern")
        : null;
  }

  @Test
  void onlyThePrimaryChangesThem() {
    set.state(MemberState.SECONDARY);
    assertCode(set("defaultWriteConcern: {w: 1}"), 10107);
    assertOk(get());
  }

  private BsonDocument get() {
    return server.run("{getDefaultRWConcern: 1, $db: 'admin'}");
  }

  private BsonDocument set(String arguments) {
    return server.run("{setDefaultRWConcern: 1, " + arguments + ", $db: 'admin'}");
  }
}
