package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.Document;

/**
 * Servers that begin with what a restore has made, inside this JVM. A key file closes them, and
 * clients log in as {@code root}.
 */
final class RestoredServers implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final AccessOptions access;

  /**
   * @param directory gets the key file
   */
  RestoredServers(Path directory) throws IOException {
    Path keyFile = directory.resolve("keyfile");
    Files.writeString(keyFile, "somekey");
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("r--------"));
    access = new AccessOptions(false, Optional.of(keyFile), ClusterAuthMode.KEY_FILE);
  }

  /** Options of every server, also of those that are backed up. */
  void closed(ServerOptions.Builder options) {
    options.cacheBytes(16 << 20).access(access);
  }

  /** The first user, by the localhost exception. */
  static void createUser(String uri) {
    try (MongoClient local = MongoClients.create(uri)) {
      createUser(local);
    }
  }

  private static void createUser(MongoClient local) {
    local
        .getDatabase("admin")
        .runCommand(Document.parse("{createUser: 'root', pwd: 'secret', roles: ['root']}"));
  }

  /** Starts a member of a set with its directory. */
  Member start(String set, ClusterRole role, Path directory, int port) {
    EmbeddedNode node =
        startNode(ServerOptions.builder(directory).port(port).replicaSet(set).clusterRole(role));
    return new Member(node, connect("mongodb://" + node.address() + "/?directConnection=true"));
  }

  Member start(String set, Path directory, int port) {
    return start(set, ClusterRole.NONE, directory, port);
  }

  /**
   * Starts a member of a shard and initiates the set. The users of the cluster are those of the
   * config servers, so that is done without a login.
   *
   * @param configuration for {@code rs.initiate}
   */
  Member startShard(String shard, Path directory, int port, String configuration) {
    Member member = start(shard, ClusterRole.SHARD_SERVER, directory, port);
    try (MongoClient local =
        MongoClients.create("mongodb://" + member.address() + "/?directConnection=true")) {
      new Member(member.node(), local).initiate(configuration);
      createUser(local);
    }
    return member;
  }

  /** Starts a router. */
  MongoClient startRouter(Path directory, int port, String configDb) {
    EmbeddedNode node = startNode(ServerOptions.builder(directory).port(port).configDb(configDb));
    return connect("mongodb://" + node.address() + "/");
  }

  private EmbeddedNode startNode(ServerOptions.Builder builder) {
    closed(builder);
    return add(EmbeddedNode.start(builder.build()));
  }

  static String withUser(String uri) {
    return uri.replace("mongodb://", "mongodb://root:secret@");
  }

  /** A client that is closed with the servers. */
  MongoClient connect(String uri) {
    MongoClient client = MongoClients.create(withUser(uri));
    opened.add(client);
    return client;
  }

  /** Adds what is closed with the servers, before those that were there earlier. */
  <T extends AutoCloseable> T add(T closeable) {
    opened.add(closeable);
    return closeable;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  /**
   * {@code rs.add} and {@code rs.remove}: the configuration with other members. Done again where
   * the lead changes meanwhile.
   *
   * @param set follows the primary
   */
  static void reconfigure(MongoClient set, Consumer<List<Document>> change) {
    MongoDatabase admin = set.getDatabase("admin");
    Eventually.holds(
        "a primary stays to change the configuration",
        PATIENCE,
        () -> {
          Document config =
              admin.runCommand(new Document("replSetGetConfig", 1)).get("config", Document.class);
          List<Document> members = new ArrayList<>(config.getList("members", Document.class));
          change.accept(members);
          config.append("members", members).append("version", config.getInteger("version") + 1);
          try {
            admin.runCommand(new Document("replSetReconfig", config));
            return true;
          } catch (MongoNotPrimaryException | MongoNodeIsRecoveringException e) {
            return false;
          }
        });
  }

  static void add(MongoClient set, int id, Member member) {
    reconfigure(
        set,
        members -> {
          members.removeIf(each -> each.getInteger("_id") == id);
          members.add(new Document("_id", id).append("host", member.address()));
        });
  }

  /** A member, and a client of it alone. */
  record Member(EmbeddedNode node, MongoClient client) {
    String address() {
      return node.address();
    }

    Document admin(String command) {
      return client.getDatabase("admin").runCommand(Document.parse(command));
    }

    private boolean says(String state) {
      return admin("{hello: 1}").getBoolean(state, false);
    }

    /** {@code rs.initiate()}. */
    void initiate() {
      initiate("{}");
    }

    /** {@code rs.initiate(CONFIGURATION)}. */
    void initiate(String configuration) {
      admin("{replSetInitiate: " + configuration + "}");
      awaitPrimary();
    }

    void awaitPrimary() {
      Eventually.holds(address() + " leads", PATIENCE, () -> says("isWritablePrimary"));
    }

    void awaitSecondary() {
      Eventually.holds(address() + " is a secondary", PATIENCE, () -> says("secondary"));
    }

    Stream<String> log() {
      return admin("{getLog: 'global'}").getList("log", String.class).stream();
    }

    /** The state of a member of the set as this one knows it. */
    String stateOf(Member other) {
      return admin("{replSetGetStatus: 1}").getList("members", Document.class).stream()
          .filter(each -> each.getString("name").equals(other.address()))
          .map(each -> each.getString("stateStr"))
          .findFirst()
          .orElseThrow();
    }

    /** Another member has the data; it may have no users that could ask it before. */
    void awaitSecondary(Member other) {
      Eventually.holds(
          other.address() + " is a secondary", PATIENCE, () -> stateOf(other).equals("SECONDARY"));
    }

    /** What the pages say that the log says. */
    void assertThatItKeptItsData() {
      assertThat(admin("{replSetGetStatus: 1}")).doesNotContainKey("initialSyncStatus");
      assertThat(log())
          .anyMatch(line -> line.contains("Kept the data"))
          .noneMatch(line -> line.contains("Installed a checkpoint"));
    }
  }
}
