package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.security.certificate.ClientContext;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.certificate.TestCertificate;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A local replica set that encrypts all connections and has users, and its second start. */
class ClusterTlsTest {
  private static final int TIMEOUT_MILLIS = 60_000;

  @TempDir private Path directory;

  private final TestAuthority authority = TestAuthority.named("CN=authority");
  private final TestCertificate certificate = authority.localhost("CN=member,OU=members,O=Wisent");

  private List<String> flags(String clusterAuthMode) throws Exception {
    Path key = Files.writeString(directory.resolve("key"), "secretofthecluster");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Path own = Files.writeString(directory.resolve("own.pem"), certificate.encryptedPem("pw"));
    Path ca = authority.write(directory.resolve("ca.pem"));
    return List.of(
        "--members=1",
        "--keyFile=" + key,
        "--clusterAuthMode=" + clusterAuthMode,
        "--tlsMode=requireTLS",
        "--tlsCertificateKeyFile=" + own,
        "--tlsCertificateKeyFilePassword=pw",
        "--tlsAllowInvalidHostnames",
        "--tlsCAFile=" + ca);
  }

  private MongoClient client(String login, int port) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(
                new ConnectionString(
                    "mongodb://" + login + "localhost:" + port + "/?replicaSet=rs0&tls=true"))
            .applyToSslSettings(tls -> tls.context(ClientContext.of(certificate, authority)))
            .build());
  }

  /** What a client that encrypts nothing gets to read. */
  private static int firstPlainByte(int port) throws Exception {
    byte[] ping = new byte[64];
    byte[] body = "isMaster".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer.wrap(ping)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(64)
        .putInt(1)
        .putInt(0)
        .putInt(2013);
    System.arraycopy(body, 0, ping, 26, body.length);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(ping);
      InputStream answer = socket.getInputStream();
      return answer.read();
    } catch (SocketException reset) {
      return -1;
    }
  }

  @Test
  void itsOwnCallsAreEncryptedAndLogIn() throws Exception {
    int port = ClusterCommand.freePorts(1);
    String greeting = "createUser({user: ";
    try (var cluster = ClusterCommand.start(directory, port, flags("sendX509"), greeting)) {
      assertThat(cluster.output()).contains("/?replicaSet=rs0&tls=true");
      assertThat(firstPlainByte(port)).isEqualTo(-1);
      try (MongoClient client = client("", port)) {
        client
            .getDatabase("admin")
            .runCommand(Document.parse("{createUser: 'root', pwd: 'secret', roles: ['root']}"));
      }
    }
    try (var _ = ClusterCommand.start(directory, port, flags("x509"), greeting);
        MongoClient client = client("root:secret@", port)) {
      client.getDatabase("test").getCollection("c").insertOne(new Document("_id", 1));
      assertThat(client.getDatabase("test").getCollection("c").countDocuments()).isEqualTo(1);
    }
  }
}
