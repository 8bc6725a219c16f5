package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.server.ClusterRole;
import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.FreePort;
import dev.wisent.testkit.page.MarkdownPage;
import dev.wisent.tools.ToolHarness;
import dev.wisent.tools.backup.RestoredServers.Member;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters and shards come back from a backup of the cluster, by the commands of the pages. */
class RestoredClusterTest {
  private static final int HALF = 100;
  private static final List<String> TOOLS =
      MarkdownPage.read("docs/tools.md").runBy(RestoredClusterTest.class).getFirst().commands();
  private static final List<String> OPERATIONS =
      MarkdownPage.read("docs/operations.md")
          .runBy(RestoredClusterTest.class)
          .getFirst()
          .commands();

  @TempDir Path directory;

  private RestoredServers servers;
  private EmbeddedCluster cluster;
  private MongoClient router;
  private int routerPort;

  /** Two shards, with a collection on both: below -50 on the second, the rest on the first. */
  @BeforeEach
  void start() throws IOException {
    servers = new RestoredServers(directory);
    cluster =
        servers.add(
            EmbeddedCluster.start(
                2,
                directory,
                // Not ports of the system's choice: they have to be free again later.
                options -> servers.closed(options.port(FreePort.find()))));
    RestoredServers.createUser(cluster.uri());
    routerPort = cluster.router().port();
    router = servers.connect(cluster.uri());
    admin("{balancerStop: 1}");
    admin("{enableSharding: 'test', primaryShard: 'shard0'}");
    admin("{shardCollection: 'test.c', key: {_id: 1}}");
    for (int key : new int[] {-50, 0, 50}) {
      admin("{split: 'test.c', middle: {_id: %d}}".formatted(key));
    }
    collection()
        .insertMany(IntStream.range(-HALF, HALF).mapToObj(i -> new Document("_id", i)).toList());
    router.getDatabase("test").getCollection("plain").insertOne(new Document("_id", 1));
    admin("{moveChunk: 'test.c', find: {_id: -100}, to: 'shard1', _waitForDelete: true}");
  }

  @AfterEach
  void stop() throws Exception {
    servers.close();
  }

  private Document admin(String command) {
    return router.getDatabase("admin").runCommand(Document.parse(command));
  }

  private MongoCollection<Document> collection() {
    return router.getDatabase("test").getCollection("c");
  }

  /** Runs a command of a page; in pairs, what the page has and what is here. */
  private void run(String command, String... here) throws ToolException {
    assertThat(command).startsWith("./wisent backup ");
    String text = command.replace("cluster-backups", directory.resolve("backups").toString());
    for (int i = 0; i < here.length; i += 2) {
      assertThat(text).contains(here[i]);
      text = text.replace(here[i], here[i + 1]);
    }
    new ToolHarness().run(text.substring("./wisent ".length()).split(" +"));
  }

  private void backUp() throws ToolException {
    assertThat(TOOLS).hasSize(3);
    run(TOOLS.getFirst(), "mongodb://router.example.net", RestoredServers.withUser(cluster.uri()));
  }

  private Path dbPath(String part) {
    return directory.resolve(part + "-0");
  }

  private List<Document> inconsistencies() {
    return admin("{checkMetadataConsistency: 1}")
        .get("cursor", Document.class)
        .getList("firstBatch", Document.class);
  }

  private static long countOn(Member shard) {
    return shard.client().getDatabase("test").getCollection("c").countDocuments();
  }

  private void restoreAll() throws ToolException {
    assertThat(OPERATIONS).hasSize(1);
    run(TOOLS.get(1), "/var/lib/wisent-config", dbPath("config").toString());
    run(TOOLS.get(2), "/var/lib/wisent-shard0", dbPath("shard0").toString());
    run(
        OPERATIONS.getFirst(),
        "/var/lib/wisent",
        dbPath("shard1").toString(),
        "--shard shard0",
        "--shard shard1");
  }

  @Test
  void aClusterComesBackAsItWas() throws ToolException, IOException {
    backUp();
    int configPort = cluster.config().members().getFirst().port();
    List<Integer> ports =
        cluster.shards().stream().map(shard -> shard.members().getFirst().port()).toList();
    // What was written after the backup is lost.
    collection().insertOne(new Document("_id", HALF));
    router.close();
    cluster.close();
    for (String part : List.of("config", "shard0", "shard1")) {
      DirectoryTree.delete(dbPath(part));
    }

    restoreAll();
    Member config =
        servers.start("config", ClusterRole.CONFIG_SERVER, dbPath("config"), configPort);
    config.initiate();
    Member first = servers.startShard("shard0", dbPath("shard0"), ports.get(0), "{}");
    // As on a machine that is known by another name than its own.
    Member second =
        servers.startShard(
            "shard1",
            dbPath("shard1"),
            ports.get(1),
            "{_id: 'shard1', members: [{_id: 0, host: '127.0.0.1:%d'}]}".formatted(ports.get(1)));
    router =
        servers.startRouter(
            directory.resolve("other-router"), routerPort, "config/" + config.address());

    assertThat(collection().find().sort(new Document("_id", 1)).into(new ArrayList<>()))
        .extracting(each -> each.getInteger("_id"))
        .containsExactlyElementsOf(IntStream.range(-HALF, HALF).boxed().toList());
    assertThat(router.getDatabase("test").getCollection("plain").countDocuments()).isOne();
    assertThat(countOn(first)).isEqualTo(150);
    assertThat(countOn(second)).isEqualTo(50);
    assertThat(inconsistencies()).isEmpty();

    // The balancer moves what belongs to the other shard from now on.
    admin("{addShardToZone: 'shard1', zone: 'upper'}");
    admin(
        "{updateZoneKeyRange: 'test.c', min: {_id: 50}, max: {_id: {$maxKey: 1}}, zone: 'upper'}");
    admin("{balancerStart: 1}");
    Eventually.holds(
        "the balancer has moved a range",
        RestoredServers.PATIENCE,
        () -> admin("{balancerCollectionStatus: 'test.c'}").getBoolean("balancerCompliant"));
    assertThat(countOn(second)).isEqualTo(100);
    collection().insertOne(new Document("_id", HALF));
    assertThat(countOn(second)).isEqualTo(101);
    assertThat(collection().countDocuments()).isEqualTo(2 * HALF + 1);
  }

  @Test
  void aShardComesBackIntoItsCluster() throws ToolException, IOException {
    backUp();
    // Since the backup it has given one range away, and got another.
    admin("{moveChunk: 'test.c', find: {_id: 0}, to: 'shard1', _waitForDelete: true}");
    admin("{moveChunk: 'test.c', find: {_id: -100}, to: 'shard0', _waitForDelete: true}");
    assertThat(collection().countDocuments()).isEqualTo(2 * HALF);
    EmbeddedNode lost = cluster.shards().getFirst().members().getFirst();
    lost.close();
    DirectoryTree.delete(dbPath("shard0"));

    admin("{balancerStop: 1}");
    run(OPERATIONS.getFirst(), "/var/lib/wisent", dbPath("shard0").toString());
    Member shard = servers.startShard("shard0", dbPath("shard0"), lost.port(), "{}");

    Eventually.holds(
        "an answer",
        RestoredServers.PATIENCE,
        () -> collection().countDocuments(Filters.gte("_id", 50)) == 50);
    // All but the range that it got: that of the other shard is there once.
    assertThat(collection().find().sort(new Document("_id", 1)).into(new ArrayList<>()))
        .extracting(each -> each.getInteger("_id"))
        .containsExactlyElementsOf(IntStream.range(-50, HALF).boxed().toList());
    Eventually.holds(
        "what it gave away is deleted", RestoredServers.PATIENCE, () -> countOn(shard) == 100);
    assertThat(router.getDatabase("test").getCollection("plain").countDocuments()).isOne();

    MongoCollection<Document> missing =
        shard.client().getDatabase("config").getCollection("missingRanges");
    assertThat(missing.countDocuments()).isOne();
    assertThat(inconsistencies())
        .extracting(each -> each.getString("type"))
        .containsExactly("RangeMissingInBackup");
    collection()
        .insertMany(IntStream.range(-HALF, -50).mapToObj(i -> new Document("_id", i)).toList());
    missing.deleteMany(new Document());
    admin("{balancerStart: 1}");
    assertThat(inconsistencies()).isEmpty();
    assertThat(collection().countDocuments()).isEqualTo(2 * HALF);
  }
}
