package dev.wisent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCompressor;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.base.Clock;
import dev.wisent.base.log.ServerLog;
import dev.wisent.security.certificate.ClientContext;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.certificate.TestCertificate;
import dev.wisent.security.tls.TlsContexts;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.server.node.WisentServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver on encrypted connections. */
class TlsClientsTest {
  private static final TestAuthority CA = TestAuthority.named("CN=ca,O=wisent");
  private static final TestAuthority OTHER_CA = TestAuthority.named("CN=other,O=else");
  private static final TestCertificate CLIENT = CA.localhost("CN=client,OU=people,O=wisent");
  private static final Document PING = new Document("ping", 1);

  @TempDir private Path directory;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private WisentServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private Path certificateFile() {
    return directory.resolve("server.pem");
  }

  private void start(TlsOptions.Mode mode, UnaryOperator<TlsOptions.Builder> options)
      throws Exception {
    if (!Files.exists(certificateFile())) {
      CA.localhost("CN=server,OU=servers,O=wisent").write(certificateFile());
    }
    TlsOptions tls =
        options
            .apply(
                TlsOptions.builder(mode)
                    .certificate(certificateFile(), null)
                    .caFile(CA.write(directory.resolve("ca.pem"))))
            .build();
    server =
        WisentServer.start(
            ServerOptions.builder(directory.resolve("data"))
                .port(0)
                .cacheBytes(32 << 20)
                .tls(tls)
                .build(),
            new ServerLog(log::add, Clock.system()));
  }

  private MongoClientSettings.Builder settings() {
    return MongoClientSettings.builder()
        .applyToClusterSettings(
            cluster ->
                cluster
                    .hosts(List.of(new ServerAddress("127.0.0.1", server.port())))
                    .serverSelectionTimeout(30, TimeUnit.SECONDS));
  }

  /** Null is for a client without a certificate. */
  private MongoClient tlsClient(TestCertificate certificate) {
    return MongoClients.create(tlsSettings(certificate, CA).build());
  }

  private MongoClientSettings.Builder tlsSettings(TestCertificate certificate, TestAuthority ca) {
    var context = ClientContext.of(certificate, ca);
    return settings().applyToSslSettings(ssl -> ssl.enabled(true).context(context));
  }

  private static void ping(MongoClient client) {
    assertThat(client.getDatabase("admin").runCommand(PING).getDouble("ok")).isEqualTo(1);
  }

  /** Fails soon, and not after the time in which a server might yet come. */
  private void assertRefused(MongoClientSettings.Builder settings) {
    settings.applyToClusterSettings(
        cluster -> cluster.serverSelectionTimeout(1500, TimeUnit.MILLISECONDS));
    try (MongoClient client = MongoClients.create(settings.build())) {
      assertThatThrownBy(() -> client.getDatabase("admin").runCommand(PING))
          .isInstanceOf(MongoException.class);
    }
  }

  private Document serverStatus(MongoClient client) {
    return client.getDatabase("admin").runCommand(new Document("serverStatus", 1));
  }

  @Test
  void clientsShowTheirCertificate() throws Exception {
    start(TlsOptions.Mode.REQUIRE, UnaryOperator.identity());
    try (MongoClient client = tlsClient(CLIENT)) {
      ping(client);
      Document status = serverStatus(client);
      assertThat(status.get("transportSecurity", Document.class).getLong("1.3")).isPositive();
      Document security = status.get("security", Document.class);
      assertThat(security.getString("SSLServerSubjectName")).contains("CN=server");
      assertThat(security.getBoolean("SSLServerHasCertificateAuthority")).isTrue();
      assertThat(security.getDate("SSLServerCertificateExpirationDate")).isNotNull();
    }
    assertRefused(tlsSettings(null, CA));
    assertRefused(settings());
    assertThat(log).anyMatch(line -> line.contains("only allow TLS connections"));
  }

  @Test
  void badCertificatesAreRefused() throws Exception {
    TestCertificate revoked = CA.localhost("CN=revoked");
    Path crl = directory.resolve("crl.pem");
    Files.writeString(crl, CA.revocationList(revoked.certificate()));
    start(TlsOptions.Mode.REQUIRE, tls -> tls.crlFile(crl));
    try (MongoClient client = tlsClient(CLIENT)) {
      ping(client);
    }
    assertRefused(tlsSettings(CA.issue("CN=old", Duration.ofDays(-1), "localhost"), CA));
    assertRefused(tlsSettings(OTHER_CA.localhost("CN=client"), CA));
    assertRefused(tlsSettings(revoked, CA));
    assertThat(log).anyMatch(line -> line.contains("handshake of TLS has failed"));
  }

  @Test
  void clientsVerifyTheServer() throws Exception {
    CA.issue("CN=elsewhere", Duration.ofDays(10), "elsewhere.example").write(certificateFile());
    start(TlsOptions.Mode.REQUIRE, tls -> tls.connectionsWithoutCertificates(true));
    assertRefused(tlsSettings(null, CA)); // for its host name
    assertRefused(tlsSettings(null, OTHER_CA));
    assertThat(log).anyMatch(line -> line.contains("Server certificate will expire soon"));
  }

  @Test
  void withoutCertificatesOnlyIfAllowed() throws Exception {
    start(TlsOptions.Mode.ALLOW, tls -> tls.connectionsWithoutCertificates(true));
    try (MongoClient client = tlsClient(null);
        MongoClient plain = MongoClients.create(settings().build())) {
      ping(client);
      ping(plain);
    }
    assertRefused(tlsSettings(OTHER_CA.localhost("CN=client"), CA));
  }

  @Test
  void invalidCertificatesEncrypt() throws Exception {
    start(TlsOptions.Mode.REQUIRE, tls -> tls.invalidCertificates(true));
    try (MongoClient client = tlsClient(OTHER_CA.localhost("CN=client"))) {
      ping(client);
    }
  }

  @Test
  void oldVersionsAreNotSpoken() throws Exception {
    start(
        TlsOptions.Mode.REQUIRE, tls -> tls.disabledProtocols(Set.of(TlsOptions.Protocol.TLS1_3)));
    try (MongoClient client = tlsClient(CLIENT)) {
      ping(client);
      assertThat(serverStatus(client).get("transportSecurity", Document.class).getLong("1.2"))
          .isPositive();
    }
    TlsContexts contexts =
        TlsContexts.load(
            TlsOptions.builder(TlsOptions.Mode.REQUIRE)
                .certificate(certificateFile(), null)
                .caFile(directory.resolve("ca.pem"))
                .build());
    assertThat(contexts.serverEngine().getEnabledProtocols())
        .containsExactlyInAnyOrder("TLSv1.2", "TLSv1.3");
  }

  @Test
  void largeMessagesAndManyConnections() throws Exception {
    start(TlsOptions.Mode.PREFER, UnaryOperator.identity());
    var settings =
        tlsSettings(CLIENT, CA).compressorList(List.of(MongoCompressor.createZlibCompressor()));
    String text = "0123456789abcdef".repeat(50_000);
    try (MongoClient plainSized = tlsClient(CLIENT);
        MongoClient compressed = MongoClients.create(settings.build())) {
      for (MongoClient client : List.of(plainSized, compressed)) {
        MongoCollection<Document> collection =
            client.getDatabase("test").getCollection("large" + System.identityHashCode(client));
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
          documents.add(new Document("_id", i).append("text", text));
        }
        collection.insertMany(documents);
        List<Document> found = collection.find().batchSize(30).into(new ArrayList<>());
        assertThat(found).hasSize(30).allMatch(each -> each.getString("text").equals(text));
      }
      var threads = new ArrayList<Thread>();
      var failures = new CopyOnWriteArrayList<Throwable>();
      for (int i = 0; i < 60; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        for (int round = 0; round < 10; round++) {
                          ping(plainSized);
                        }
                      } catch (RuntimeException | AssertionError e) {
                        failures.add(e);
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void certificatesAreRotatedWhileConnectionsAreOpen() throws Exception {
    start(TlsOptions.Mode.REQUIRE, UnaryOperator.identity());
    Document rotate = new Document("rotateCertificates", 1).append("message", "yearly");
    try (MongoClient old = tlsClient(CLIENT)) {
      ping(old);
      Files.writeString(certificateFile(), "garbage");
      assertThatThrownBy(() -> old.getDatabase("admin").runCommand(rotate))
          .isInstanceOfSatisfying(
              MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(140));
      try (MongoClient another = tlsClient(CLIENT)) {
        ping(another);
      }
      CA.localhost("CN=next").write(certificateFile());
      assertThat(old.getDatabase("admin").runCommand(rotate).getDouble("ok")).isEqualTo(1);
      ping(old);
      try (MongoClient another = tlsClient(CLIENT)) {
        assertThat(
                serverStatus(another)
                    .get("security", Document.class)
                    .getString("SSLServerSubjectName"))
            .isEqualTo("CN=next");
      }
      assertThat(log).anyMatch(line -> line.contains("yearly"));
      assertThatThrownBy(() -> old.getDatabase("test").runCommand(rotate))
          .hasMessageContaining("admin");
    }
  }

  @Test
  void theModeIsUpgradedStepByStep() throws Exception {
    start(TlsOptions.Mode.ALLOW, UnaryOperator.identity());
    try (MongoClient client = tlsClient(CLIENT)) {
      assertThatThrownBy(() -> setMode(client, "requireTLS"))
          .hasMessageContaining("Illegal state transition for tlsMode");
      setMode(client, "preferTLS");
      setMode(client, "requireTLS");
      assertThat(
              client
                  .getDatabase("admin")
                  .runCommand(new Document("getParameter", 1).append("tlsMode", 1))
                  .getString("tlsMode"))
          .isEqualTo("requireTLS");
      assertRefused(settings());
      ping(client);
    }
  }

  private static void setMode(MongoClient client, String mode) {
    client.getDatabase("admin").runCommand(new Document("setParameter", 1).append("tlsMode", mode));
  }

  @Test
  void optionsAreShownWithoutPasswords() throws Exception {
    Files.writeString(
        certificateFile(), CA.localhost("CN=server").encryptedPem("a secret password"));
    start(TlsOptions.Mode.PREFER, tls -> tls.certificate(certificateFile(), "a secret password"));
    try (MongoClient client = tlsClient(CLIENT)) {
      Document options = client.getDatabase("admin").runCommand(new Document("getCmdLineOpts", 1));
      assertThat(options.toJson()).doesNotContain("a secret").contains("<password>");
      assertThat(
              options
                  .get("parsed", Document.class)
                  .get("net", Document.class)
                  .get("tls", Document.class)
                  .getString("mode"))
          .isEqualTo("preferTLS");
    }
    assertThat(log).noneMatch(line -> line.contains("a secret"));
  }
}
