package dev.wisent.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.harness.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with the name of a set and another key: it gets nothing of it. */
@Timeout(180)
class OutsiderTest {
  private static final String NAME = "keyed";
  private static final WriteConcern ALL = new WriteConcern(3).withWTimeout(60, TimeUnit.SECONDS);

  @TempDir private Path directory;
  private EmbeddedSet set;
  private MongoClient root;
  private EmbeddedNode outsider;
  private Document before;

  @BeforeEach
  void start() throws IOException {
    AccessOptions right = access("rightkey");
    set =
        EmbeddedSet.start(
            NAME, 3, directory, options -> options.cacheBytes(32 << 20).access(right));
    try (MongoClient local = MongoClients.create(set.uri())) {
      run(local, "{createUser: 'root', pwd: 'secret', roles: ['root']}");
    }
    root = MongoClients.create(set.uri().replace("mongodb://", "mongodb://root:secret@"));
    insert(1);
    before = config();
    outsider =
        EmbeddedNode.start(
            ServerOptions.builder(directory.resolve("outsider"))
                .port(0)
                .replicaSet(NAME)
                .cacheBytes(32 << 20)
                .access(access("wrongkey"))
                .build());
  }

  @AfterEach
  void stop() {
    if (root != null) {
      root.close();
    }
    if (outsider != null) {
      outsider.close();
    }
    set.close();
  }

  private AccessOptions access(String key) throws IOException {
    Path file = Files.writeString(directory.resolve(key), key);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return new AccessOptions(false, Optional.of(file), ClusterAuthMode.KEY_FILE);
  }

  private static Document run(MongoClient client, String command) {
    return client.getDatabase("admin").runCommand(Document.parse(command));
  }

  private Document config() {
    return run(root, "{replSetGetConfig: 1}").get("config", Document.class);
  }

  /** What the set knows of the outsider. */
  private Document seen() {
    return run(root, "{replSetGetStatus: 1}").getList("members", Document.class).stream()
        .filter(each -> each.getInteger("_id") == 3)
        .findFirst()
        .orElseThrow();
  }

  private void insert(int id) {
    root.getDatabase("test")
        .getCollection("c")
        .withWriteConcern(ALL)
        .insertOne(new Document("_id", id));
  }

  /** The set has its members and takes writes, and the outsider belongs to no set. */
  private void assertNothingGiven() {
    insert(2);
    assertThat(config().getList("members", Document.class))
        .extracting(each -> each.getString("host"))
        .containsAll(set.members().stream().map(EmbeddedNode::address).toList());
    try (MongoClient local = MongoClients.create(outsiderUri())) {
      Document hello = run(local, "{hello: 1}");
      assertThat(hello.getBoolean("isWritablePrimary")).isFalse();
      assertThat(hello.getBoolean("secondary")).isFalse();
      assertThat(hello).doesNotContainKey("setName");
    }
  }

  private String outsiderUri() {
    return "mongodb://" + outsider.address() + "/?directConnection=true";
  }

  @Test
  void asAMemberThatTheSetIsToldToTake() {
    Document wanted = Document.parse(before.toJson());
    wanted.put("version", before.getInteger("version") + 1);
    wanted
        .getList("members", Document.class)
        .add(new Document("_id", 3).append("host", outsider.address()));
    // The others are a majority of the new members, too.
    root.getDatabase("admin").runCommand(new Document("replSetReconfig", wanted));
    Eventually.await(
        "a refused call of the outsider",
        () -> seen().get("lastHeartbeatMessage", "").contains("the login as a member was refused"));
    assertThat(seen().getDouble("health")).isZero();
    assertNothingGiven();
  }

  @Test
  void asTheOneThatTakesTheMembersForItsOwn() {
    Document wanted = new Document("_id", NAME).append("members", new ArrayList<>());
    List<Document> members = wanted.getList("members", Document.class);
    members.add(new Document("_id", 0).append("host", outsider.address()));
    set.members()
        .forEach(
            each ->
                members.add(new Document("_id", members.size()).append("host", each.address())));
    try (MongoClient local = MongoClients.create(outsiderUri())) {
      assertThatThrownBy(
              () -> local.getDatabase("admin").runCommand(new Document("replSetInitiate", wanted)))
          .isInstanceOf(MongoCommandException.class);
    }
    assertThat(config()).isEqualTo(before);
    assertNothingGiven();
  }
}
