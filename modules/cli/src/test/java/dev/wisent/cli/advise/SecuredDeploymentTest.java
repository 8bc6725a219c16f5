package dev.wisent.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.security.certificate.ClientContext;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.certificate.TestCertificate;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that wants TLS and a login, reached by connection strings. */
class SecuredDeploymentTest {
  private static final String SUBJECT = "CN=reader,OU=clients,O=Wisent";

  @TempDir static Path directory;

  private static final TestAuthority CA = TestAuthority.named("CN=authority");
  private static final TestCertificate CLIENT = CA.localhost(SUBJECT);
  private static final RandomSource RANDOM = RandomSource.system();
  private static Wisent server;
  private static String files;

  @BeforeAll
  static void start() throws Exception {
    Path own = CA.localhost("CN=server").write(directory.resolve("server.pem"));
    Path ca = CA.write(directory.resolve("ca.pem"));
    Path client = CLIENT.write(directory.resolve("client.pem"));
    files = "tls=true&tlsCAFile=" + ca + "&tlsCertificateKeyFile=" + client;
    server =
        Wisent.start(
            ServerOptions.builder(directory.resolve("data"))
                .port(0)
                .cacheBytes(32 << 20)
                .access(new AccessOptions(true, Optional.empty(), ClusterAuthMode.KEY_FILE))
                .tls(
                    TlsOptions.builder(TlsOptions.Mode.REQUIRE)
                        .certificate(own, null)
                        .caFile(ca)
                        .build())
                .build());
    try (MongoClient first = client(null)) {
      first
          .getDatabase("admin")
          .runCommand(Document.parse("{createUser: 'root', pwd: 'secret', roles: ['root']}"));
    }
    try (MongoClient root =
        client(MongoCredential.createCredential("root", "admin", "secret".toCharArray()))) {
      createReaders(root);
    }
  }

  private static MongoClient client(MongoCredential credential) {
    var settings =
        MongoClientSettings.builder()
            .applyToClusterSettings(
                cluster -> cluster.hosts(List.of(new ServerAddress("localhost", server.port()))))
            .applyToSslSettings(tls -> tls.enabled(true).context(ClientContext.of(CLIENT, CA)));
    if (credential != null) {
      settings.credential(credential);
    }
    return MongoClients.create(settings.build());
  }

  private static void createReaders(MongoClient root) {
    MongoDatabase blog = root.getDatabase("blog");
    blog.getCollection("posts").insertOne(new Document("_id", 1));
    blog.runCommand(Document.parse("{createUser: 'anna@', pwd: 'p:w', roles: ['read']}"));
    root.getDatabase("admin")
        .runCommand(
            Document.parse(
                "{createUser: 'old', pwd: 'pw', mechanisms: ['SCRAM-SHA-1'],"
                    + " roles: ['readAnyDatabase']}"));
    root.getDatabase("$external")
        .runCommand(
            Document.parse("{createUser: '" + SUBJECT + "', roles: [{role: 'read', db: 'blog'}]}"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static long count(String start, String end) throws AdviseException {
    String uri = "mongodb://" + start + "localhost:" + server.port() + end + files;
    try (Deployment deployment = Deployment.connect(uri, RANDOM)) {
      return deployment
          .call("blog", new BsonBuilder().appendString("count", "posts").toDocument())
          .get("n")
          .toLong();
    }
  }

  @Test
  void logsInAsDriversDo() throws AdviseException {
    assertThat(count("anna%40:p%3Aw@", "/blog?")).isEqualTo(1);
    assertThat(count("anna%40:p%3Aw@", "/?authSource=blog&authMechanism=SCRAM-SHA-256&"))
        .isEqualTo(1);
    assertThat(count("old:pw@", "/?")).isEqualTo(1);
    assertThat(count("old:pw@", "/?authMechanism=SCRAM-SHA-1&")).isEqualTo(1);
    assertThat(count("", "/?authMechanism=MONGODB-X509&")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"anna%40:wrong@", "stranger:pw@"})
  void tellsThatALoginWasRefused(String user) {
    assertThatThrownBy(() -> count(user, "/blog?"))
        .isInstanceOf(AdviseException.class)
        .hasMessageContaining("was refused: Authentication failed.");
  }

  @Test
  void doesNotTrustAnyServer() throws Exception {
    Path other = TestAuthority.named("CN=other").write(directory.resolve("other.pem"));
    String wrong = files.replaceFirst("tlsCAFile=[^&]*", "tlsCAFile=" + other);
    String uri = "mongodb://root:secret@localhost:" + server.port() + "/?" + wrong;
    assertThatThrownBy(() -> Deployment.connect(uri, RANDOM).close())
        .isInstanceOf(AdviseException.class)
        .hasMessageContaining("TLS with localhost");
    try (Deployment any = Deployment.connect(uri + "&tlsAllowInvalidCertificates=true", RANDOM)) {
      assertThat(any.isRouter()).isFalse();
    }
    assertThatThrownBy(
            () -> Deployment.connect("mongodb://localhost:" + server.port(), RANDOM).close())
        .isInstanceOf(AdviseException.class)
        .hasMessageContaining("does not answer");
  }
}
