package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ShardedProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every port that the processes of a closed cluster listen on, for programs without the key. */
class EveryPortTest {
  private static final String KEY = "secretofthecluster";
  private static final String WRONG_KEY = "guessofthecluster";

  /** In no answer to a program that has not logged in. */
  private static final String TREASURE = "buriedtreasure";

  private static final String USER = "rootofthecluster";
  private static final byte[] HELLO = PortProbe.command("{hello: 1, $db: 'admin'}");
  private static final int UNAUTHORIZED = 13;

  /** What drivers need before a login, and what it tells is the same to all. */
  private static final Set<String> WITHOUT_LOGIN =
      Set.of(
          "authenticate",
          "buildInfo",
          "buildinfo",
          "connectionStatus",
          "getLastError",
          "hello",
          "isMaster",
          "isdbgrid",
          "ismaster",
          "listCommands",
          "logout",
          "ping",
          "saslContinue",
          "saslStart",
          "whatsmyuri");

  @TempDir private static Path directory;
  private static ShardedProcesses cluster;

  /** By process. */
  private static final Map<Member, Set<Integer>> PORTS = new LinkedHashMap<>();

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(ListeningPorts.areKnown(), "only Linux tells what a process listens on");
    Path keyFile = Files.writeString(directory.resolve("key"), KEY);
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    cluster = ShardedProcesses.startWithKeyFile(directory, keyFile, List.of(3, 1));
    for (Member member :
        List.of(
            cluster.routers().getFirst(),
            ShardedProcesses.awaitPrimary(cluster.shard(0)),
            ShardedProcesses.awaitPrimary(cluster.shard(1)))) {
      member.admin(
          new Document("createUser", USER).append("pwd", "pw").append("roles", List.of("root")));
    }
    for (Member member : cluster.all()) {
      try (MongoClient root = root(member)) {
        Eventually.holds(
            "a login on " + member.address(),
            ShardedProcesses.PATIENCE,
            () -> {
              try {
                return root.getDatabase("admin").runCommand(new Document("ping", 1)) != null;
              } catch (MongoException notYet) {
                return false;
              }
            });
      }
      PORTS.put(member, ListeningPorts.of(member.pid()));
    }
    try (MongoClient root = root(cluster.routers().getFirst())) {
      root.getDatabase("test").getCollection("c").insertOne(new Document("_id", TREASURE));
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static MongoClient root(Member member) {
    return client(member, MongoCredential.createCredential(USER, "admin", "pw".toCharArray()));
  }

  private static MongoClient client(Member member, MongoCredential credential) {
    var settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(member.directUri()));
    return MongoClients.create(
        (credential == null ? settings : settings.credential(credential)).build());
  }

  private static List<Integer> ports() {
    return PORTS.values().stream().flatMap(Set::stream).toList();
  }

  @Test
  void membersHaveAPortForClientsAndOneForTheLog() {
    PORTS.forEach(
        (member, ports) -> {
          int expected = cluster.routers().contains(member) ? 1 : 2;
          assertThat(ports).as(member.address()).hasSize(expected).contains(port(member));
        });
    List<Integer> serving = ports().stream().filter(port -> answers(port, HELLO)).sorted().toList();
    assertThat(serving)
        .isEqualTo(cluster.all().stream().map(EveryPortTest::port).sorted().toList());
  }

  private static int port(Member member) {
    return member.options().port();
  }

  private static boolean answers(int port, byte[] request) {
    try {
      return PortProbe.answer(port, request).length > 0;
    } catch (IOException e) {
      throw new AssertionError("port " + port, e);
    }
  }

  /** What a command without arguments says to a client that has not logged in. */
  private static Document tryCommand(MongoDatabase admin, String name) {
    try {
      return admin.runCommand(new Document(name, 1));
    } catch (MongoCommandException e) {
      return Document.parse(e.getResponse().toJson());
    }
  }

  @Test
  void commandsNeedALogin() {
    for (Member member : cluster.all()) {
      Set<String> served = new TreeSet<>();
      Set<String> names;
      try (MongoClient root = root(member)) {
        names =
            root.getDatabase("admin")
                .runCommand(new Document("listCommands", 1))
                .get("commands", Document.class)
                .keySet();
      }
      assertThat(names).hasSizeGreaterThan(100).contains("find");
      try (MongoClient stranger = client(member, null)) {
        for (String name : names) {
          Document answer = tryCommand(stranger.getDatabase("admin"), name);
          if (answer.getInteger("code", 0) != UNAUTHORIZED) {
            served.add(name);
          }
          assertThat(answer.toJson()).doesNotContain(TREASURE, USER, KEY);
        }
      }
      assertThat(served).as(member.address()).isSubsetOf(WITHOUT_LOGIN).contains("ping");
    }
  }

  @Test
  void documentsNeedALogin() {
    List<String> reads = List.of("test.c", "config.shards", "admin.system.users", "local.oplog.rs");
    for (Member member : cluster.all()) {
      try (MongoClient stranger = client(member, null)) {
        for (String namespace : reads) {
          String[] parts = namespace.split("\\.", 2);
          MongoDatabase database = stranger.getDatabase(parts[0]);
          for (Document command :
              List.of(
                  new Document("find", parts[1]),
                  new Document("aggregate", parts[1])
                      .append("pipeline", List.of())
                      .append("cursor", new Document()))) {
            assertThat(
                    catchThrowableOfType(
                        MongoCommandException.class, () -> database.runCommand(command)))
                .as("%s on %s", command, member.address())
                .extracting(MongoCommandException::getErrorCode)
                .isEqualTo(UNAUTHORIZED);
          }
        }
      }
    }
  }

  @Test
  void theLogIsNotServedToProgramsWithoutTheKey() throws Exception {
    byte[] calls = PortProbe.calls(LogMembers.methods());
    List<SSLContext> contexts =
        List.of(
            LogMembers.context(),
            LogMembers.withCertificate(TestAuthority.named("CN=foreign").localhost("CN=member")),
            LogMembers.withKey(setOf("shard0-0"), WRONG_KEY),
            LogMembers.withKey(UUID.randomUUID(), KEY));
    for (int port : ports()) {
      assertThat(PortProbe.answer(port, calls)).as("HTTP/2 at %d", port).isEmpty();
      for (SSLContext context : contexts) {
        assertThat(PortProbe.answer(port, calls, context)).as("gRPC at %d", port).isEmpty();
        assertThat(PortProbe.answer(port, HELLO, context)).as("TLS at %d", port).isEmpty();
      }
    }
    SSLContext member = LogMembers.withKey(setOf("shard0-0"), KEY);
    Set<Integer> ofMember = new TreeSet<>(PORTS.get(cluster.shard(0).getFirst()));
    ofMember.remove(port(cluster.shard(0).getFirst()));
    assertThat(ofMember)
        .allSatisfy(
            port ->
                assertThat(PortProbe.answer(port, calls, member))
                    .as("the probes are what members send")
                    .isNotEmpty());
  }

  /** What a set is called in its log. */
  private static UUID setOf(String member) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve(member).resolve("data/raft"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"))
          .map(UUID::fromString)
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aWrongKeyIsNoLogin() {
    List<Member> tried = new ArrayList<>();
    for (Member member : cluster.all()) {
      for (String[] claim :
          new String[][] {{"__system", "local", WRONG_KEY}, {USER, "admin", WRONG_KEY}}) {
        MongoCredential credential =
            MongoCredential.createScramSha256Credential(claim[0], claim[1], claim[2].toCharArray());
        try (MongoClient wrong = client(member, credential)) {
          assertThatThrownBy(() -> wrong.getDatabase("test").getCollection("c").countDocuments())
              .as("%s on %s", claim[0], member.address())
              .isInstanceOf(MongoSecurityException.class);
        }
      }
      tried.add(member);
    }
    assertThat(tried).hasSize(6);
    try (MongoClient root = root(cluster.routers().getFirst())) {
      assertThat(root.getDatabase("test").getCollection("c").countDocuments()).isEqualTo(1);
    }
  }
}
