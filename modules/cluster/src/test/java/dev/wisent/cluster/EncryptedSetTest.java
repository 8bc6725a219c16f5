package dev.wisent.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import dev.wisent.base.log.ServerLog;
import dev.wisent.security.certificate.ClientContext;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.node.WisentServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A set whose members encrypt what they say to each other. */
class EncryptedSetTest {
  private static final TestAuthority CA = TestAuthority.named("CN=ca");

  @TempDir private Path directory;

  private MongoClient client(ClusterConnectionMode mode, int... ports) {
    SSLContext context = ClientContext.of(CA.localhost("CN=client"), CA);
    List<ServerAddress> hosts = new ArrayList<>();
    for (int port : ports) {
      hosts.add(new ServerAddress("127.0.0.1", port));
    }
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyToSslSettings(ssl -> ssl.enabled(true).context(context))
            .applyToClusterSettings(cluster -> cluster.mode(mode).hosts(hosts))
            .build());
  }

  @Test
  void membersReachEachOther() throws Exception {
    Path certificate = CA.localhost("CN=member").write(directory.resolve("member.pem"));
    Path ca = CA.write(directory.resolve("ca.pem"));
    TlsOptions tls =
        TlsOptions.builder(TlsOptions.Mode.REQUIRE)
            .certificate(certificate, null)
            .caFile(ca)
            .build();
    List<WisentServer> members = new ArrayList<>();
    try {
      int[] ports = new int[3];
      List<Document> config = new ArrayList<>();
      for (int i = 0; i < ports.length; i++) {
        members.add(
            WisentServer.start(
                ServerOptions.builder(directory.resolve("m" + i))
                    .port(0)
                    .cacheBytes(32 << 20)
                    .replicaSet("rs")
                    .tls(tls)
                    .build(),
                ServerLog.silent()));
        ports[i] = members.get(i).port();
        config.add(new Document("_id", i).append("host", "127.0.0.1:" + ports[i]));
      }
      try (MongoClient first = client(ClusterConnectionMode.SINGLE, ports[0])) {
        first
            .getDatabase("admin")
            .runCommand(
                new Document(
                    "replSetInitiate", new Document("_id", "rs").append("members", config)));
      }
      try (MongoClient set = client(ClusterConnectionMode.MULTIPLE, ports)) {
        var collection =
            set.getDatabase("test").getCollection("c").withWriteConcern(new WriteConcern(3));
        collection.insertOne(new Document("_id", 1));
        assertThat(collection.countDocuments()).isEqualTo(1);
      }
    } finally {
      members.forEach(WisentServer::close);
    }
  }
}
