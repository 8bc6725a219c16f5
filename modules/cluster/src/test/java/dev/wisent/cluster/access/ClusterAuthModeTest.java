package dev.wisent.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.security.certificate.ClientContext;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.authentication.MemberLogin;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From a key file to certificates: any two servers with neighbouring modes log in to each other.
 */
class ClusterAuthModeTest {
  private static final TestAuthority CA = TestAuthority.named("CN=authority");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private Path keyFile;
  private TlsOptions tls;

  @BeforeEach
  void write() throws IOException {
    keyFile = Files.writeString(directory.resolve("key"), "secretofthecluster");
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    Path own = CA.localhost("CN=member,OU=members,O=Wisent").write(directory.resolve("own.pem"));
    tls =
        TlsOptions.builder(TlsOptions.Mode.REQUIRE)
            .certificate(own, null)
            .caFile(CA.write(directory.resolve("ca.pem")))
            .build();
  }

  private ServerOptions.Builder secured(ServerOptions.Builder options, ClusterAuthMode mode) {
    Optional<Path> key = mode == ClusterAuthMode.X509 ? Optional.empty() : Optional.of(keyFile);
    return options.cacheBytes(32 << 20).tls(tls).access(new AccessOptions(true, key, mode));
  }

  private static MongoClient client(String uri) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(uri))
            .applyToSslSettings(
                ssl -> ssl.context(ClientContext.of(CA.localhost("CN=client,O=Users"), CA)))
            .build());
  }

  private static MongoClient root(String uri) {
    return client(uri.replace("mongodb://", "mongodb://root:secret@"));
  }

  private static void createRoot(String uri) {
    try (MongoClient local = client(uri)) {
      local
          .getDatabase("admin")
          .runCommand(Document.parse("{createUser: 'root', pwd: 'secret', roles: ['root']}"));
    }
  }

  private static MongoCollection<Document> onAll(MongoClient client, int members) {
    return client
        .getDatabase("test")
        .getCollection("c")
        .withWriteConcern(
            new WriteConcern(members).withWTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  private void checkSetOf(ClusterAuthMode... modes) {
    var started = new AtomicInteger();
    try (EmbeddedSet set =
        EmbeddedSet.start(
            "mixed",
            modes.length,
            directory,
            options -> secured(options, modes[started.getAndIncrement()]))) {
      createRoot(set.uri());
      try (MongoClient client = root(set.uri())) {
        onAll(client, modes.length).insertOne(new Document("_id", 1));
      }
    }
  }

  @Test
  void aSetMayHaveMembersThatSendKeysAndCertificates() {
    checkSetOf(ClusterAuthMode.SEND_KEY_FILE, ClusterAuthMode.SEND_X509);
  }

  @Test
  void aClusterOfCertificatesAloneNeedsNoKey() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(1, directory, options -> secured(options, ClusterAuthMode.X509))) {
      assertThat(cluster.uri()).contains("tls=true");
      createRoot(cluster.uri());
      try (MongoClient client = root(cluster.uri())) {
        MongoCollection<Document> c = client.getDatabase("test").getCollection("c");
        c.insertMany(IntStream.range(0, 20).mapToObj(i -> new Document("_id", i)).toList());
        assertThat(c.countDocuments()).isEqualTo(20);
      }
    }
  }

  /** What a server of a mode says to a member that logs in by its key, and by its certificate. */
  private boolean accepts(ClusterAuthMode mode, ClusterAuthMode sent) {
    Path data = directory.resolve(mode + "-" + sent);
    ServerOptions server = secured(ServerOptions.builder(data).port(0), mode).build();
    BackgroundLoops loops = BackgroundLoops.silent();
    var caller = new AccessOptions(true, Optional.of(keyFile), sent);
    try (EmbeddedNode node = EmbeddedNode.start(server);
        var calls =
            new PooledNodeClient(
                MemberLogin.connections(caller, tls, RandomSource.system()).options("test"),
                loops.clock(),
                loops)) {
      calls
          .call(
              HostAndPort.parse(node.address()),
              NodeRequest.admin(command -> command.appendInt32("ping", 1), PATIENCE))
          .join();
      return true;
    } catch (RuntimeException e) {
      assertThatThrownBy(
              () -> {
                throw e;
              })
          .hasMessageContaining("the login as a member was refused");
      return false;
    }
  }

  @Test
  void modesDecideWhatIsAcceptedAndSent() {
    List<ClusterAuthMode> keys =
        List.of(ClusterAuthMode.KEY_FILE, ClusterAuthMode.SEND_KEY_FILE, ClusterAuthMode.SEND_X509);
    for (ClusterAuthMode mode : ClusterAuthMode.values()) {
      assertThat(accepts(mode, ClusterAuthMode.SEND_KEY_FILE))
          .as("%s accepts keys", mode)
          .isEqualTo(keys.contains(mode));
      assertThat(accepts(mode, ClusterAuthMode.SEND_X509))
          .as("%s accepts certificates", mode)
          .isEqualTo(mode != ClusterAuthMode.KEY_FILE);
    }
  }

  private EmbeddedNode start(int member, int port, ClusterAuthMode mode) {
    return EmbeddedNode.start(
        secured(ServerOptions.builder(directory.resolve("m" + member)), mode)
            .port(port)
            .replicaSet("rolled")
            .build());
  }

  /** Each member is restarted with the next mode, while a client writes to all of them. */
  @Test
  @Tag("faults")
  void aSetGoesFromKeysToCertificatesMemberByMember() {
    var nodes = new EmbeddedNode[3];
    var ports = new int[nodes.length];
    var uri = new StringBuilder("mongodb://root:secret@");
    try {
      var config = new Document("_id", "rolled");
      var members = new ArrayList<Document>();
      for (int i = 0; i < nodes.length; i++) {
        nodes[i] = start(i, 0, ClusterAuthMode.KEY_FILE);
        ports[i] = nodes[i].port();
        members.add(new Document("_id", i).append("host", nodes[i].address()));
        uri.append(i == 0 ? "" : ",").append(nodes[i].address());
      }
      String all = uri.append("/?replicaSet=rolled&tls=true").toString();
      String first = "mongodb://" + nodes[0].address() + "/?directConnection=true&tls=true";
      try (MongoClient local = client(first)) {
        local
            .getDatabase("admin")
            .runCommand(new Document("replSetInitiate", config.append("members", members)));
      }
      createRoot(all.replace("root:secret@", ""));
      int written = 0;
      try (MongoClient client = client(all)) {
        onAll(client, nodes.length).insertOne(new Document("_id", written++));
        for (ClusterAuthMode mode :
            List.of(
                ClusterAuthMode.SEND_KEY_FILE, ClusterAuthMode.SEND_X509, ClusterAuthMode.X509)) {
          for (int i = 0; i < nodes.length; i++) {
            nodes[i].close();
            nodes[i] = start(i, ports[i], mode);
            onAll(client, nodes.length).insertOne(new Document("_id", written++));
          }
        }
        assertThat(client.getDatabase("test").getCollection("c").countDocuments())
            .isEqualTo(written);
      }
    } finally {
      for (EmbeddedNode node : nodes) {
        if (node != null) {
          node.close();
        }
      }
    }
  }
}
