package dev.wisent.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica set gets other keys by restarts, one member at a time, while it is written to. */
@Tag("faults")
class KeyRotationTest {
  private static final int MEMBERS = 3;
  private static final String OLD = "oldkey";
  private static final String BOTH = "- oldkey\n- newkey\n";
  private static final String NEW = "newkey";
  private static final String SET = "rolled";
  private static final WriteConcern ALL =
      new WriteConcern(MEMBERS).withWTimeout(60, TimeUnit.SECONDS);

  @TempDir private Path directory;
  private final EmbeddedNode[] members = new EmbeddedNode[MEMBERS];
  private final int[] ports = new int[MEMBERS];

  @AfterEach
  void stop() {
    for (EmbeddedNode member : members) {
      if (member != null) {
        member.close();
      }
    }
  }

  private void start(int member, String keys) throws IOException {
    Path file = directory.resolve("key" + member);
    Files.writeString(file, keys);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    members[member] =
        EmbeddedNode.start(
            ServerOptions.builder(directory.resolve("member" + member))
                .port(ports[member])
                .replicaSet(SET)
                .cacheBytes(32 << 20)
                .access(new AccessOptions(false, Optional.of(file), ClusterAuthMode.KEY_FILE))
                .build());
    ports[member] = members[member].port();
  }

  private void initiate() {
    List<Document> configs = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      configs.add(new Document("_id", i).append("host", members[i].address()));
    }
    try (MongoClient local =
        MongoClients.create("mongodb://" + members[0].address() + "/?directConnection=true")) {
      local
          .getDatabase("admin")
          .runCommand(
              new Document("replSetInitiate", new Document("_id", SET).append("members", configs)));
    }
    try (MongoClient local = client("")) {
      local
          .getDatabase("admin")
          .runCommand(Document.parse("{createUser: 'root', pwd: 'secret', roles: ['root']}"));
    }
  }

  private MongoClient client(String login) {
    String hosts =
        IntStream.of(ports).mapToObj(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    return MongoClients.create(
        "mongodb://"
            + login
            + hosts
            + "/?replicaSet="
            + SET
            + "&w=majority&serverSelectionTimeoutMS=60000");
  }

  /** Gives all members other keys. */
  private void roll(String keys, MongoCollection<Document> collection, SteadyWrites writes)
      throws Exception {
    for (int i = 0; i < MEMBERS; i++) {
      members[i].close();
      start(i, keys);
      // Also the one that was restarted gets the log, from members with other keys.
      collection.withWriteConcern(ALL).insertOne(new Document("member", i).append("keys", keys));
      writes.awaitMore();
    }
  }

  private void assertTaken(String key) {
    for (EmbeddedNode member : members) {
      assertThat(MemberCall.status(member.address(), List.of(key)).toJson())
          .contains("\"user\": \"__system\"");
    }
  }

  private void assertRefused(String key) {
    for (EmbeddedNode member : members) {
      assertThatThrownBy(() -> MemberCall.status(member.address(), List.of(key)))
          .hasMessageContaining("the login as a member was refused");
    }
  }

  @Test
  void writesGoOn() throws Exception {
    for (int i = 0; i < MEMBERS; i++) {
      start(i, OLD);
    }
    initiate();
    assertTaken(OLD);
    assertRefused(NEW);
    try (MongoClient client = client("root:secret@")) {
      MongoCollection<Document> steps = client.getDatabase("test").getCollection("steps");
      MongoCollection<Document> written = client.getDatabase("test").getCollection("written");
      steps.withWriteConcern(ALL).insertOne(new Document("keys", OLD));
      try (SteadyWrites writes = SteadyWrites.start(written)) {
        roll(BOTH, steps, writes);
        assertTaken(OLD);
        assertTaken(NEW);
        roll(NEW, steps, writes);
        int acknowledged = writes.end();
        assertThat(written.countDocuments()).isGreaterThanOrEqualTo(acknowledged);
      }
      assertThat(steps.countDocuments()).isEqualTo(1 + 2 * MEMBERS);
    }
    assertTaken(NEW);
    assertRefused(OLD);
  }
}
