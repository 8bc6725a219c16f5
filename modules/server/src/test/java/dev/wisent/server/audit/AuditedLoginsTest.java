package dev.wisent.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.security.audit.AuditOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.harness.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What logins and refused commands leave in the audit log. */
class AuditedLoginsTest {
  private static final Path FILE = file();

  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(
          options ->
              options
                  .audit(AuditOptions.toFile(FILE, Optional.empty()))
                  .access(new AccessOptions(true, Optional.empty(), ClusterAuthMode.KEY_FILE)));

  private static Path file() {
    try {
      return Files.createTempFile("audit", ".json");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeAll
  static void createUser() {
    SERVER.admin("{createUser: 'root', pwd: 'wurzel', roles: ['root']}");
    try (MongoClient root = login("root", "wurzel")) {
      root.getDatabase("admin")
          .runCommand(
              Document.parse(
                  "{createUser: 'anna', pwd: 'geheim', roles: [{role: 'read', db: 'shop'}]}"));
    }
  }

  @AfterAll
  static void delete() throws IOException {
    Files.deleteIfExists(FILE);
  }

  private static MongoClient login(String user, String password) {
    return MongoClients.create(
        SERVER.uri().replace("://", "://" + user + ":" + password + "@") + "&authSource=admin");
  }

  private static List<BsonDocument> events(String action, int result) throws IOException {
    return Files.readAllLines(FILE).stream()
        .map(BsonDocument::parse)
        .filter(event -> event.getString("atype").getValue().equals(action))
        .filter(event -> event.getInt32("result").getValue() == result)
        .toList();
  }

  @Test
  void loginsAndRefusedCommandsNameTheirUser() throws IOException {
    try (MongoClient anna = login("anna", "geheim")) {
      anna.getDatabase("shop").getCollection("items").countDocuments();
      assertThatThrownBy(
              () ->
                  anna.getDatabase("other")
                      .runCommand(Document.parse("{insert: 'a', documents: [{a: 1}]}")))
          .isInstanceOf(MongoCommandException.class);
    }
    assertThat(events("authenticate", 0))
        .anySatisfy(
            event ->
                assertThat(event.toJson())
                    .contains(
                        "\"users\": [{\"user\": \"anna\", \"db\": \"admin\"}], \"roles\":"
                            + " [{\"role\": \"read\", \"db\": \"shop\"}]",
                        "\"mechanism\": \"SCRAM-SHA-256\""));
    assertThat(events("authCheck", 13))
        .anySatisfy(
            event ->
                assertThat(event.toJson())
                    .contains("\"command\": \"insert\", \"ns\": \"other.a\"", "anna"));
  }

  @Test
  void refusedKillsAreRecordedAndCut() throws IOException {
    List<Integer> comment = Collections.nCopies(1_000, 17);
    try (MongoClient anna = login("anna", "geheim")) {
      for (String op : List.of("1999999999", "'shard0:1'")) {
        Document kill = Document.parse("{killOp: 1, op: " + op + "}").append("comment", comment);
        assertThatThrownBy(() -> anna.getDatabase("admin").runCommand(kill))
            .isInstanceOfSatisfying(
                MongoCommandException.class,
                e ->
                    assertThat(e.getErrorMessage())
                        .startsWith("not authorized on admin to execute command { killOp: 1")
                        .endsWith("...")
                        .hasSizeLessThan(2_100));
      }
    }
    assertThat(events("authCheck", 13))
        .filteredOn(event -> event.toJson().contains("\"command\": \"killOp\""))
        .hasSize(2);
  }

  @Test
  void theEndOfADroppedUsersLoginIsRecorded() throws IOException {
    try (MongoClient root = login("root", "wurzel")) {
      var admin = root.getDatabase("admin");
      admin.runCommand(Document.parse("{createUser: 'zoe', pwd: 'weg', roles: []}"));
      try (MongoClient zoe = login("zoe", "weg")) {
        Document ping = Document.parse("{connectionStatus: 1}");
        zoe.getDatabase("admin").runCommand(ping);
        admin.runCommand(Document.parse("{dropUser: 'zoe'}"));
        admin.runCommand(Document.parse("{createUser: 'zoe', pwd: 'weg', roles: ['root']}"));
        // The connection has proven to be of the first one.
        assertThatThrownBy(
                () -> zoe.getDatabase("admin").runCommand(Document.parse("{listDatabases: 1}")))
            .hasMessageContaining("requires authentication");
      }
    }
    assertThat(events("logout", 0))
        .anySatisfy(
            event ->
                assertThat(event.getDocument("param").toJson())
                    .contains("dropped user", "\"user\": \"zoe\""));
  }

  @Test
  void aWrongPasswordIsRecorded() throws IOException {
    try (MongoClient anna = login("anna", "falsch")) {
      assertThatThrownBy(() -> anna.getDatabase("shop").getCollection("a").countDocuments())
          .isInstanceOf(MongoSecurityException.class);
    }
    assertThat(events("authenticate", 18)).isNotEmpty();
    assertThat(Files.readString(FILE)).doesNotContain("geheim", "falsch");
  }
}
