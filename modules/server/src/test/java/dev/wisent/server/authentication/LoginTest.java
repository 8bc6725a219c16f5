package dev.wisent.server.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import dev.wisent.security.scram.ScramClientConversation;
import dev.wisent.security.scram.ScramException;
import dev.wisent.security.scram.ScramKeys;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.harness.EmbeddedServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Logins of drivers. */
class LoginTest {
  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(
          options ->
              options.access(new AccessOptions(true, Optional.empty(), ClusterAuthMode.KEY_FILE)));

  private static final MongoCredential ROOT =
      MongoCredential.createCredential("root", "admin", "secret".toCharArray());

  @BeforeAll
  static void users() {
    try (MongoClient local = client(null)) {
      run(local, "{createUser: 'root', pwd: 'secret', roles: ['root']}");
    }
    try (MongoClient root = client(ROOT)) {
      run(root, "{createUser: 'old', pwd: 'p', roles: [], mechanisms: ['SCRAM-SHA-1']}");
      run(root, "{createUser: 'new', pwd: 'IX', roles: [], mechanisms: ['SCRAM-SHA-256']}");
      run(
          root,
          "{createUser: 'away', pwd: 'p', roles: [],"
              + " authenticationRestrictions: [{clientSource: ['10.0.0.0/8']}]}");
      run(
          root,
          "{createUser: 'here', pwd: 'p', roles: [], authenticationRestrictions:"
              + " [{clientSource: ['127.0.0.0/8'], serverAddress: ['127.0.0.1']}]}");
    }
  }

  private static MongoClient client(MongoCredential credential) {
    var settings =
        MongoClientSettings.builder()
            .applyToClusterSettings(
                cluster ->
                    cluster
                        .hosts(List.of(new ServerAddress("127.0.0.1", SERVER.server().port())))
                        .mode(ClusterConnectionMode.SINGLE))
            .applyToConnectionPoolSettings(pool -> pool.maxSize(1));
    if (credential != null) {
      settings.credential(credential);
    }
    return MongoClients.create(settings.build());
  }

  private static Document run(MongoClient client, String command) {
    return client.getDatabase("admin").runCommand(Document.parse(command));
  }

  private static List<Document> usersOf(MongoClient client) {
    return run(client, "{connectionStatus: 1, showPrivileges: true}")
        .get("authInfo", Document.class)
        .getList("authenticatedUsers", Document.class);
  }

  private static void logsIn(MongoCredential credential) {
    try (MongoClient client = client(credential)) {
      assertThat(usersOf(client))
          .containsExactly(new Document("user", credential.getUserName()).append("db", "admin"));
    }
  }

  private static void fails(MongoCredential credential, String reason) {
    int before = SERVER.logLines("Failed to authenticate", reason).size();
    try (MongoClient client = client(credential)) {
      assertThatThrownBy(() -> usersOf(client))
          .isInstanceOf(MongoSecurityException.class)
          .cause()
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              e -> {
                assertThat(e.getCode()).isEqualTo(18);
                assertThat(e.getErrorMessage()).isEqualTo("Authentication failed.");
              });
    }
    assertThat(SERVER.logLines("Failed to authenticate", reason)).hasSizeGreaterThan(before);
  }

  @Test
  void eachMechanismLogsIn() {
    logsIn(ROOT);
    logsIn(MongoCredential.createScramSha1Credential("root", "admin", "secret".toCharArray()));
    logsIn(MongoCredential.createScramSha256Credential("root", "admin", "secret".toCharArray()));
    logsIn(MongoCredential.createCredential("old", "admin", "p".toCharArray()));
    logsIn(MongoCredential.createCredential("new", "admin", "I\u00adX".toCharArray()));
    assertThat(SERVER.logLines("Successfully authenticated", "\"user\":\"root\"")).isNotEmpty();
  }

  @Test
  void failuresTellNothing() {
    fails(MongoCredential.createCredential("root", "admin", "other".toCharArray()), "storedKey");
    fails(MongoCredential.createCredential("ghost", "admin", "x".toCharArray()), "UserNotFound");
    fails(
        MongoCredential.createScramSha256Credential("old", "admin", "p".toCharArray()),
        "MechanismUnavailable");
    fails(
        MongoCredential.createCredential("root", "other", "secret".toCharArray()), "UserNotFound");
    fails(
        MongoCredential.createScramSha256Credential("__system", "local", "x".toCharArray()),
        "members do not log in");
    assertThat(SERVER.logLines("Failed to authenticate"))
        .allSatisfy(line -> assertThat(line).doesNotContain("secret"));
  }

  @Test
  void restrictionsLookAtAddresses() {
    logsIn(MongoCredential.createCredential("here", "admin", "p".toCharArray()));
    fails(
        MongoCredential.createCredential("away", "admin", "p".toCharArray()),
        "AuthenticationRestrictionUnmet");
  }

  @Test
  void anUnknownUserIsAnsweredAsOthersAre() {
    try (MongoClient client = client(null)) {
      Document hello = run(client, "{hello: 1, saslSupportedMechs: 'admin.ghost'}");
      Document known = run(client, "{hello: 1, saslSupportedMechs: 'admin.root'}");
      assertThat(hello.get("saslSupportedMechs")).isEqualTo(known.get("saslSupportedMechs"));
      assertThat(saltOf(client, "ghost")).isEqualTo(saltOf(client, "ghost"));
      assertThat(saltOf(client, "ghost")).hasSameSizeAs(saltOf(client, "root"));
      assertThat(run(client, "{hello: 1, saslSupportedMechs: 'admin.old'}"))
          .containsEntry("saslSupportedMechs", List.of("SCRAM-SHA-1"));
    }
  }

  /** With the number of iterations behind it. */
  private static String saltOf(MongoClient client, String user) {
    Document reply = client.getDatabase("admin").runCommand(start(user));
    assertThat(reply).containsEntry("conversationId", 1).containsEntry("done", false);
    String payload =
        new String(reply.get("payload", Binary.class).getData(), StandardCharsets.UTF_8);
    return payload.substring(payload.indexOf(",s="));
  }

  private static Document start(String user) {
    byte[] payload = ("n,,n=" + user + ",r=abcdefgh").getBytes(StandardCharsets.UTF_8);
    return new Document("saslStart", 1)
        .append("mechanism", "SCRAM-SHA-256")
        .append("payload", new Binary(payload));
  }

  /** What the client proves is the password of the user that there was when it began. */
  @Test
  void aUserThatIsReplacedDuringItsLoginIsRefused() throws ScramException {
    ScramMechanism sha256 = ScramMechanism.SHA_256;
    var conversation =
        new ScramClientConversation(
            sha256,
            "twin",
            (salt, iterations) -> ScramKeys.derive(sha256, "p", salt, iterations),
            new byte[24]);
    try (MongoClient root = client(ROOT);
        MongoClient client = client(null)) {
      run(root, "{createUser: 'twin', pwd: 'p', roles: []}");
      Document first = start("twin").append("payload", new Binary(conversation.first()));
      Binary challenge = client.getDatabase("admin").runCommand(first).get("payload", Binary.class);
      run(root, "{dropUser: 'twin'}");
      run(root, "{createUser: 'twin', pwd: 'other', roles: ['root']}");
      var next = new Document("saslContinue", 1).append("conversationId", 1);
      client
          .getDatabase("admin")
          .runCommand(
              new Document(next)
                  .append("payload", new Binary(conversation.prove(challenge.getData()))));
      assertCode(client, new Document(next).append("payload", new Binary(new byte[0])), 18);
      assertThat(usersOf(client)).isEmpty();
    }
    assertThat(SERVER.logLines("Failed to authenticate", "Another user got the name")).hasSize(1);
  }

  @Test
  void conversationsHaveAnOrder() {
    try (MongoClient client = client(null)) {
      var next = new Document("saslContinue", 1).append("payload", new Binary(new byte[0]));
      assertCode(client, new Document(next).append("conversationId", 1), 17);
      client.getDatabase("admin").runCommand(start("root"));
      assertCode(client, new Document(next).append("conversationId", 2), 17);
      assertCode(client, new Document(next).append("conversationId", 1), 18);
      assertCode(client, new Document(next).append("conversationId", 1), 17);
      assertCode(client, start("root").append("mechanism", "PLAIN"), 334);
      assertCode(client, start("root").append("payload", new Binary(new byte[5000])), 18);
      assertCode(client, start("root").append("surprise", 1), 40415);
      assertCode(client, Document.parse("{saslStart: 1, mechanism: 'SCRAM-SHA-1'}"), 40414);
      assertCode(client, Document.parse("{authenticate: 1, mechanism: 'MONGODB-CR'}"), 2);
      assertCode(client, Document.parse("{authenticate: 1, mechanism: 'MONGODB-X509'}"), 17);
    }
  }

  private static void assertCode(MongoClient client, Document command, int code) {
    assertThatThrownBy(() -> client.getDatabase("admin").runCommand(command))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(code));
  }

  @Test
  void aSpeculativeLoginThatFailsIsNotAnswered() {
    try (MongoClient client = client(null)) {
      Document refused = start("root").append("mechanism", "PLAIN").append("db", "admin");
      var hello = new Document("hello", 1).append("speculativeAuthenticate", refused);
      assertThat(client.getDatabase("admin").runCommand(hello))
          .doesNotContainKey("speculativeAuthenticate");
      hello.append("speculativeAuthenticate", start("root").append("db", "admin"));
      assertThat(
              client
                  .getDatabase("admin")
                  .runCommand(hello)
                  .get("speculativeAuthenticate", Document.class))
          .containsEntry("done", false);
    }
  }

  @Test
  void aLogoutEndsTheLogin() {
    try (MongoClient client = client(ROOT)) {
      client.getDatabase("other").runCommand(new Document("logout", 1));
      assertThat(usersOf(client)).hasSize(1);
      run(client, "{logout: 1}");
      assertThat(usersOf(client)).isEmpty();
    }
  }

  @Test
  void rolesAndPrivilegesAreShown() {
    try (MongoClient client = client(ROOT)) {
      Document status = run(client, "{connectionStatus: 1, showPrivileges: true}");
      Document info = status.get("authInfo", Document.class);
      assertThat(status).containsKey("uuid");
      assertThat(info.getList("authenticatedUserRoles", Document.class))
          .contains(new Document("role", "root").append("db", "admin"));
      assertThat(info.getList("authenticatedUserPrivileges", Document.class))
          .anySatisfy(
              each ->
                  assertThat(each.get("resource"))
                      .isEqualTo(new Document("db", "").append("collection", "")))
          .allSatisfy(each -> assertThat(each.getList("actions", String.class)).isSorted());
    }
  }

  @Test
  void loginsAreCountedAndTheirParametersCanBeChanged() {
    try (MongoClient client = client(ROOT)) {
      Document scram =
          run(client, "{serverStatus: 1}")
              .get("security", Document.class)
              .get("authentication", Document.class)
              .get("mechanisms", Document.class)
              .get("SCRAM-SHA-256", Document.class);
      for (String kind : List.of("authenticate", "speculativeAuthenticate")) {
        Document counts = scram.get(kind, Document.class);
        assertThat(counts.getLong("successful")).isPositive();
        assertThat(counts.getLong("received")).isPositive();
      }
      assertThat(run(client, "{getParameter: 1, authenticationMechanisms: 1}"))
          .containsEntry(
              "authenticationMechanisms", List.of("MONGODB-X509", "SCRAM-SHA-1", "SCRAM-SHA-256"));
      assertCode(client, Document.parse("{setParameter: 1, authenticationMechanisms: 'x'}"), 20);
      assertCode(client, Document.parse("{setParameter: 1, scramIterationCount: 100}"), 2);
      run(client, "{setParameter: 1, scramIterationCount: 6000}");
      run(client, "{createUser: 'counted', pwd: 'p', roles: []}");
      Document user =
          run(client, "{usersInfo: 'counted', showCredentials: true}")
              .getList("users", Document.class)
              .getFirst();
      assertThat(
              user.get("credentials", Document.class)
                  .get("SCRAM-SHA-1", Document.class)
                  .getInteger("iterationCount"))
          .isEqualTo(6000);
    }
  }
}
