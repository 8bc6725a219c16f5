package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a node has before the first write of a client. */
class ServersOwnCollectionsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @Test
  void freshNodeHasThreeDatabases() {
    List<String> names = SERVER.client().listDatabaseNames().into(new ArrayList<>());
    assertThat(names).contains("admin", "config", "local");
    BsonDocument reply = SERVER.admin("{listDatabases: 1, filter: {name: 'admin'}}");
    assertThat(reply.getArray("databases").getFirst().asDocument())
        .containsKeys("name", "sizeOnDisk", "empty");
  }

  private static List<String> collections(String database) {
    return SERVER.database(database).listCollectionNames().into(new ArrayList<>());
  }

  @Test
  void collectionsAreListed() {
    assertThat(collections("admin")).containsExactly("system.version");
    assertThat(collections("config")).containsExactly("system.sessions");
    assertThat(collections("local")).containsExactly("startup_log");
    BsonDocument version = batch(SERVER.admin("{listCollections: 1}")).getFirst().asDocument();
    assertThat(version).containsKeys("name", "type", "options", "info", "idIndex");
    assertThat(batch(SERVER.admin("{listIndexes: 'system.version'}"))).hasSize(1);
  }

  @Test
  void versionIsADocument() {
    assertThat(batch(SERVER.admin("{find: 'system.version'}")))
        .containsExactly(
            BsonDocument.parse("{_id: 'featureCompatibilityVersion', version: '8.0'}"),
            BsonDocument.parse("{_id: 'authSchema', currentVersion: 5}"));
    assertCode(SERVER.fail("admin", "{insert: 'system.version', documents: [{_id: 1}]}"), 73);
  }

  @Test
  void everyStartIsADocument() {
    BsonDocument start =
        batch(SERVER.run("local", "{find: 'startup_log', sort: {$natural: -1}, limit: 1}"))
            .getFirst()
            .asDocument();
    assertThat(start)
        .containsKeys("_id", "hostname", "startTime", "startTimeLocal", "cmdLine", "buildinfo");
    assertThat(number(start, "pid")).isEqualTo(ProcessHandle.current().pid());
    assertThat(start.getDocument("buildinfo")).containsKeys("version", "gitVersion");
    assertThat(start.getDocument("cmdLine")).containsKeys("net", "storage");
    assertThat(
            batch(SERVER.run("local", "{listCollections: 1, filter: {name: 'startup_log'}}"))
                .getFirst()
                .asDocument()
                .getDocument("options"))
        .isEqualTo(BsonDocument.parse("{capped: true, size: 10485760}"));
  }

  @Test
  void featureCompatibilityVersion() {
    assertOk(SERVER.admin("{setFeatureCompatibilityVersion: '8.0', confirm: true}"));
    assertCode(SERVER.fail("admin", "{setFeatureCompatibilityVersion: '8.0'}"), 7369100);
    assertCode(SERVER.fail("admin", "{setFeatureCompatibilityVersion: '7.0', confirm: true}"), 238);
    assertCode(
        SERVER.fail("admin", "{setFeatureCompatibilityVersion: '6.0', confirm: true}"), 4926900);
    assertCode(SERVER.fail("admin", "{setFeatureCompatibilityVersion: 8, confirm: true}"), 14);
    assertCode(SERVER.fail("{setFeatureCompatibilityVersion: '8.0', confirm: true}"), 13);
  }
}
