package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A local cluster whose processes have a key file, as programs without the key see it. */
class ClusterKeyFileTest {
  private static final int UNAUTHORIZED = 13;
  private static final int TIMEOUT_MILLIS = 60_000;

  /** The first byte of a TLS message that ends a connection. */
  private static final int TLS_ALERT = 0x15;

  @TempDir private Path directory;

  private Path keyFile() throws IOException {
    Path file = directory.resolve("key");
    Files.writeString(file, "secretofthecluster");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private static MongoClient client(String login, int port) {
    return MongoClients.create(
        "mongodb://" + login + "localhost:" + port + "/?directConnection=true");
  }

  private static void assertFindIsRefused(int port) {
    try (MongoClient client = client("", port)) {
      assertThat(
              catchThrowableOfType(
                  MongoCommandException.class,
                  () -> client.getDatabase("test").getCollection("c").find().first()))
          .as("a find on port %d", port)
          .extracting(MongoCommandException::getErrorCode)
          .isEqualTo(UNAUTHORIZED);
    }
  }

  private static void createRoot(int port) {
    try (MongoClient client = client("", port)) {
      client
          .getDatabase("admin")
          .runCommand(Document.parse("{createUser: 'root', pwd: 'secret', roles: ['root']}"));
    }
  }

  private static void checkCollection(int port) {
    try (MongoClient client = client("root:secret@", port)) {
      client
          .getDatabase("admin")
          .runCommand(Document.parse("{shardCollection: 'test.c', key: {_id: 'hashed'}}"));
      MongoCollection<Document> c = client.getDatabase("test").getCollection("c");
      c.insertMany(IntStream.range(0, 100).mapToObj(i -> new Document("_id", i)).toList());
      assertThat(c.countDocuments()).isEqualTo(100);
      assertThat(c.find(new Document("_id", 17)).first()).isEqualTo(new Document("_id", 17));
      Document shards =
          client
              .getDatabase("test")
              .runCommand(Document.parse("{collStats: 'c'}"))
              .get("shards", Document.class);
      assertThat(shards).containsOnlyKeys("shard0", "shard1");
    }
  }

  /** What the log's port says to a program that speaks its protocol without TLS. */
  private static void assertLogPortIsClosed(Path member) throws IOException {
    int port = Integer.parseInt(Files.readString(member.resolve("data/raft/port")).strip());
    byte[] answer;
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket
          .getOutputStream()
          .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      answer = socket.getInputStream().readAllBytes();
    } catch (SocketException reset) {
      return;
    }
    assertThat(answer.length == 0 || answer[0] == TLS_ALERT).as("closed: %s", member).isTrue();
  }

  @Test
  void onlyUsersAndMembersGetIn() throws Exception {
    Path data = directory.resolve("cluster");
    List<String> flags = List.of("--shards", "2", "--keyFile", keyFile().toString());
    int router = ClusterCommand.freePorts(4);
    try (var cluster = ClusterCommand.start(directory, router, flags, "createUser({user: ")) {
      assertThat(cluster.output()).contains("Clients have to log in");
      IntStream.range(router, router + 4).forEach(ClusterKeyFileTest::assertFindIsRefused);
      for (String member : List.of("config/member0", "shard0/member0", "shard1/member0")) {
        assertLogPortIsClosed(data.resolve(member));
      }

      createRoot(router);

      checkCollection(router);
      IntStream.range(router, router + 4).forEach(ClusterKeyFileTest::assertFindIsRefused);
      try (MongoClient wrong = client("root:other@", router)) {
        assertThat(
                catchThrowableOfType(
                    MongoSecurityException.class,
                    () -> wrong.getDatabase("test").getCollection("c").find().first()))
            .isNotNull();
      }
    }
  }
}
