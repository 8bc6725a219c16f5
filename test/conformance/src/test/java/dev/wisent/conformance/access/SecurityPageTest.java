package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.security.certificate.ClientContext;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.certificate.TestCertificate;
import dev.wisent.security.keyfile.KeyFile;
import dev.wisent.testkit.ScriptResult;
import dev.wisent.testkit.page.MarkdownPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What {@code docs/security.md} tells administrators to type does what it says. */
@Execution(ExecutionMode.CONCURRENT)
class SecurityPageTest {
  private static final MarkdownPage PAGE = MarkdownPage.read("docs/security.md");
  private static final String COMMENT = " # ";

  @TempDir private Path directory;

  @Test
  void aClosedSetInTenCommands() throws Exception {
    List<String> commands = PAGE.block("A closed set in ten commands", "sh").commands();
    assertThat(commands).hasSize(10);
    try (PageShell shell = PageShell.open(directory)) {
      int refused = 0;
      for (String command : commands) {
        ScriptResult result = shell.run(command);
        int comment = command.lastIndexOf(COMMENT);
        if (comment < 0) {
          assertThat(result.exitCode()).as(() -> command + "\n" + result.text()).isZero();
        } else {
          String expected = command.substring(comment + COMMENT.length());
          assertThat(result.exitCode()).as(() -> command + "\n" + result.text()).isNotZero();
          assertThat(result.stderr()).as(command).contains(expected);
          refused++;
        }
      }
      assertThat(refused).isEqualTo(2);
      try (MongoClient app =
          MongoClients.create(
              "mongodb://app:other@localhost:"
                  + shell.defaultPort()
                  + "/?authSource=shop&replicaSet=rs0")) {
        assertThat(app.getDatabase("shop").getCollection("orders").find().first())
            .containsEntry("customer", 17);
      }
    }
  }

  @Test
  void encryptionAndTheUserOfACertificate() throws Exception {
    List<String> commands = PAGE.block("Encryption", "sh").commands();
    String createUser = PAGE.block("Encryption", "js").text().strip();
    assertThat(commands).hasSize(2);
    TestAuthority authority = TestAuthority.named("CN=authority");
    TestCertificate app = authority.localhost("CN=app,OU=clients,O=Example");
    authority.write(directory.resolve("ca.pem"));
    authority.localhost("CN=server,OU=servers,O=Example").write(directory.resolve("server.pem"));
    app.write(directory.resolve("client.pem"));
    try (PageShell shell = PageShell.open(directory)) {
      shell.start(commands.getFirst());
      ScriptResult created = shell.run(commands.getLast() + " --eval '" + createUser + "'");
      assertThat(created.exitCode()).as(created::text).isZero();
      MongoClientSettings settings =
          MongoClientSettings.builder()
              .applyConnectionString(
                  new ConnectionString("mongodb://localhost:" + shell.defaultPort() + "/?tls=true"))
              .applyToSslSettings(tls -> tls.context(ClientContext.of(app, authority)))
              .credential(MongoCredential.createMongoX509Credential())
              .build();
      try (MongoClient client = MongoClients.create(settings)) {
        Document status =
            client.getDatabase("shop").runCommand(new Document("connectionStatus", 1));
        Document info = status.get("authInfo", Document.class);
        assertThat(info.getList("authenticatedUsers", Document.class))
            .extracting(user -> user.getString("user"))
            .containsExactly("CN=app,OU=clients,O=Example");
        assertThat(info.getList("authenticatedUserRoles", Document.class))
            .containsExactly(new Document("role", "readWrite").append("db", "shop"));
      }
    }
  }

  @Test
  void theAuditLog() throws Exception {
    List<String> commands = PAGE.block("Audit log", "sh").commands();
    assertThat(commands).hasSize(1);
    try (PageShell shell = PageShell.openWithoutMongosh(directory)) {
      shell.start(commands.getFirst());
      String host = "localhost:" + shell.defaultPort();
      try (MongoClient local = MongoClients.create("mongodb://" + host)) {
        local
            .getDatabase("admin")
            .runCommand(Document.parse("{createUser: 'admin', pwd: 'secret', roles: ['root']}"));
      }
      try (MongoClient admin = MongoClients.create("mongodb://admin:secret@" + host)) {
        var collection = admin.getDatabase("shop").getCollection("orders");
        collection.createIndex(new Document("customer", 1));
        collection.drop();
      }
      // An event is there before the client is answered.
      assertThat(Files.readAllLines(shell.file("audit.json")))
          .extracting(line -> Document.parse(line).getString("atype"))
          .contains("createUser", "authenticate", "dropCollection")
          .doesNotContain("createCollection", "createIndex");
    }
  }

  @Test
  void twoKeys() throws Exception {
    Path file = directory.resolve("keyfile");
    Files.writeString(file, PAGE.block("Members of a set or cluster", "yaml").text());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    assertThat(KeyFile.read(file)).hasSize(2).doesNotHaveDuplicates();
  }
}
