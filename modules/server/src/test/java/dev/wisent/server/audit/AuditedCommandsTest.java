package dev.wisent.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.security.audit.AuditOptions;
import dev.wisent.server.harness.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What commands leave in the audit log of a server. */
class AuditedCommandsTest {
  private static final Path FILE = file();

  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(options -> options.audit(AuditOptions.toFile(FILE, Optional.empty())));

  private static Path file() {
    try {
      return Files.createTempFile("audit", ".json");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterAll
  static void delete() throws IOException {
    Files.deleteIfExists(FILE);
  }

  private static List<BsonDocument> events(String action, String text) throws IOException {
    return Files.readAllLines(FILE).stream()
        .filter(line -> line.contains("\"atype\": \"" + action + "\"") && line.contains(text))
        .map(BsonDocument::parse)
        .toList();
  }

  private static BsonDocument only(String action, String text) throws IOException {
    List<BsonDocument> events = events(action, text);
    assertThat(events).hasSize(1);
    return events.getFirst();
  }

  @Test
  void definitionsAreRecordedBeforeTheirReply() throws IOException {
    SERVER.run("ddl", "{create: 'c', validator: {a: 1}}");
    assertThat(only("createCollection", "ddl.c").getDocument("param"))
        .isEqualTo(BsonDocument.parse("{ns: 'ddl.c'}"));
    SERVER.run("ddl", "{create: 'v', viewOn: 'c', pipeline: [{$limit: 1}]}");
    assertThat(only("createCollection", "ddl.v").getDocument("param"))
        .isEqualTo(BsonDocument.parse("{ns: 'ddl.v', viewOn: 'c', pipeline: [{$limit: 1}]}"));
    SERVER.run("ddl", "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}]}");
    assertThat(events("createIndex", "a_1"))
        .extracting(e -> e.getDocument("param").getString("indexBuildState").getValue())
        .containsExactly("IndexBuildStarted", "IndexBuildSucceeded");
    SERVER.run("ddl", "{dropIndexes: 'c', index: 'a_1'}");
    assertThat(only("dropIndex", "a_1").getDocument("param"))
        .isEqualTo(BsonDocument.parse("{ns: 'ddl.c', indexName: 'a_1'}"));
    SERVER.admin("{renameCollection: 'ddl.c', to: 'ddl.d'}");
    assertThat(only("renameCollection", "ddl.d").getDocument("param"))
        .isEqualTo(BsonDocument.parse("{old: 'ddl.c', new: 'ddl.d'}"));
    SERVER.run("ddl", "{drop: 'd'}");
    only("dropCollection", "ddl.d");
    SERVER.run("ddl", "{dropDatabase: 1}");
    assertThat(only("dropDatabase", "ddl").getInt32("result").getValue()).isZero();
  }

  @Test
  void whatAWriteCreatesIsRecorded() throws IOException {
    SERVER.run("implied", "{insert: 'a', documents: [{_id: 1}]}");
    SERVER.run("implied", "{insert: 'a', documents: [{_id: 2}]}");
    SERVER.run("implied", "{create: 'b'}");
    SERVER.run("implied", "{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x_1'}]}");
    only("createDatabase", "\"implied\"");
    only("createCollection", "implied.a");
    only("createCollection", "implied.b");
    only("createCollection", "implied.c");
  }

  @Test
  void failuresAreRecordedWithTheirError() throws IOException {
    SERVER.run("failing", "{create: 'c'}");
    SERVER.fail("failing", "{create: 'c', capped: true, size: 4096}");
    assertThat(events("createCollection", "failing.c"))
        .extracting(e -> e.getInt32("result").getValue())
        .containsExactly(0, 48);
    SERVER.fail("failing", "{createIndexes: 'c', indexes: [{key: {a: 'wrong'}, name: 'bad'}]}");
    assertThat(events("createIndex", "bad"))
        .extracting(e -> e.getInt32("result").getValue())
        .containsExactly(0, 276);
  }

  @Test
  void changesOfUsersAndRolesAreRecordedWithoutPasswords() throws IOException {
    SERVER.run("people", "{createRole: 'reader', roles: ['read'], privileges: []}");
    SERVER.run(
        "people", "{createUser: 'eve', pwd: 'geheim', roles: ['reader'], customData: {a: 1}}");
    SERVER.run("people", "{updateUser: 'eve', pwd: 'geheimer'}");
    SERVER.run("people", "{revokeRolesFromUser: 'eve', roles: ['reader']}");
    SERVER.run("people", "{dropUser: 'eve'}");
    SERVER.run("people", "{dropRole: 'reader'}");

    assertThat(only("createRole", "reader").getDocument("param"))
        .isEqualTo(
            BsonDocument.parse(
                "{role: 'reader', db: 'people', roles: [{role: 'read', db: 'people'}], privileges:"
                    + " []}"));
    assertThat(only("createUser", "eve").getDocument("param"))
        .isEqualTo(
            BsonDocument.parse(
                "{user: 'eve', db: 'people', customData: {a: 1}, roles: [{role: 'reader', db:"
                    + " 'people'}]}"));
    assertThat(only("updateUser", "eve").getDocument("param"))
        .isEqualTo(BsonDocument.parse("{user: 'eve', passwordChanged: true, db: 'people'}"));
    only("revokeRolesFromUser", "eve");
    only("dropUser", "eve");
    only("dropRole", "reader");
    assertThat(Files.readString(FILE)).doesNotContain("geheim");
  }

  @Test
  void eachRestoredUserIsRecorded() throws IOException {
    SERVER.run("dump", "{createUser: 'old', pwd: 'p', roles: []}");
    var restored = SERVER.database("admin").getCollection("restored");
    restored.insertOne(
        Document.parse(
            "{_id: 'dump.fay', user: 'fay', db: 'dump', credentials: {x: 1}, roles: []}"));
    String merge =
        "{_mergeAuthzCollections: 1, tempUsersCollection: 'admin.restored', db: 'dump', drop:"
            + " true}";
    SERVER.admin(merge);
    SERVER.admin(merge);
    assertThat(only("createUser", "\"fay\"").getDocument("param"))
        .isEqualTo(BsonDocument.parse("{user: 'fay', db: 'dump', roles: []}"));
    only("updateUser", "\"fay\"");
    assertThat(only("dropUser", "\"dump\"").getDocument("param"))
        .isEqualTo(BsonDocument.parse("{user: 'old', db: 'dump'}"));
  }

  @Test
  void serverAndClientsIntroduceThemselves() throws IOException {
    SERVER.admin("{ping: 1}");
    BsonDocument startup = only("startup", "startupOptions");
    assertThat(startup.getDocument("remote")).isEqualTo(BsonDocument.parse("{isSystemUser: true}"));
    assertThat(events("clientMetadata", "\"name\": \"tests\"")).isNotEmpty();
  }

  @Test
  void applicationsWriteMessages() throws IOException {
    SERVER.admin("{logApplicationMessage: 'nightly import'}");
    assertThat(only("applicationMessage", "nightly").getDocument("param"))
        .isEqualTo(BsonDocument.parse("{msg: 'nightly import'}"));
    assertThat(SERVER.fail("admin", "{logApplicationMessage: 3}").getInt32("code").getValue())
        .isEqualTo(14);
  }

  @Test
  void otherCommandsAreNoEvents() throws IOException {
    long before = Files.size(FILE);
    SERVER.admin("{serverStatus: 1}");
    SERVER.run("{find: 'nothing'}");
    assertThat(Files.readString(FILE).substring((int) before)).doesNotContain("authCheck", "find");
  }
}
