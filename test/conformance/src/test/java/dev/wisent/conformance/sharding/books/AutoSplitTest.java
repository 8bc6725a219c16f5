package dev.wisent.conformance.sharding.books;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import dev.wisent.conformance.sharding.SharedCluster;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Chunks are split by the size of what is in them. */
@ExtendWith(SharedCluster.class)
class AutoSplitTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int MEGABYTE = 1 << 20;

  private final TestCluster cluster;

  AutoSplitTest(TestCluster cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void smallChunks() {
    Chunks.set(cluster, "chunksize", "value", 1);
  }

  @AfterEach
  void chunksOfTheUsualSize() {
    cluster.client().getDatabase("config").getCollection("settings").deleteMany(new Document());
  }

  private MongoCollection<Document> collection(Chunks chunks) {
    int dot = chunks.namespace().indexOf('.');
    return cluster
        .client()
        .getDatabase(chunks.namespace().substring(0, dot))
        .getCollection(chunks.namespace().substring(dot + 1));
  }

  /** {@code {_id: i, x: 1, y: 2, z: i, date, foo: "bar"}}: 78 bytes with the doubles of a shell. */
  private void fill(MongoCollection<Document> collection, int from, int to) {
    var batch = new ArrayList<Document>();
    for (int i = from; i < to; i++) {
      batch.add(
          new Document("_id", (double) i)
              .append("x", 1.0)
              .append("y", 2.0)
              .append("z", (double) i)
              .append("date", new Date())
              .append("foo", "bar"));
      if (batch.size() == 1000 || i == to - 1) {
        collection.insertMany(batch);
        batch.clear();
      }
    }
  }

  private long bytes(Chunks chunks, Document chunk) {
    return cluster
        .shard(Integer.parseInt(chunk.getString("shard").substring("shard".length())))
        .getDatabase("admin")
        .runCommand(
            new Document("dataSize", chunks.namespace())
                .append("keyPattern", new Document("_id", 1))
                .append("min", chunk.get("min"))
                .append("max", chunk.get("max")))
        .get("size", Number.class)
        .longValue();
  }

  @Test
  void aTwentiethOfTheFiveHundredThousandDocuments() {
    var chunks = new Chunks(cluster, "split_a.foo");
    chunks.shard(new Document("_id", 1));
    splitsWhileItIsFilled(chunks, 25_000, 2, 4);
  }

  @Test
  @Tag("faults")
  void fiveHundredThousandDocumentsAreAboutThirtyOneChunksOfAMegabyte() {
    var chunks = new Chunks(cluster, "split_b.foo");
    chunks.shard(new Document("_id", 1));
    splitsWhileItIsFilled(chunks, 500_000, 24, 42);
  }

  private void splitsWhileItIsFilled(Chunks chunks, int documents, int least, int most) {
    fill(collection(chunks), 0, documents);
    Eventually.passes(
        TIMEOUT,
        () -> {
          List<Document> all = chunks.all();
          assertThat(all).hasSizeBetween(least, most);
          assertThat(all)
              .allSatisfy(chunk -> assertThat(bytes(chunks, chunk)).isLessThan(2L * MEGABYTE));
        });
    assertThat(chunks.all().getLast().get("max", Document.class).get("_id"))
        .isInstanceOf(MaxKey.class);
    assertThat(collection(chunks).countDocuments()).isEqualTo(documents);
  }

  @Test
  @Tag("faults")
  void fiveHundredThousandDocumentsAreOneChunkOfTheUsualSize() {
    chunksOfTheUsualSize();
    var before = new Chunks(cluster, "split_d.before");
    fill(collection(before), 0, 500_000);
    before.shard(new Document("_id", 1));
    assertThat(before.count()).isEqualTo(1);
    var after = new Chunks(cluster, "split_d.after");
    after.shard(new Document("_id", 1));
    fill(collection(after), 0, 500_000);
    awaitTurns(3);
    assertThat(after.count()).isEqualTo(1);
  }

  @Test
  void aCollectionHasAChunkSizeOfItsOwn() {
    chunksOfTheUsualSize();
    var small = new Chunks(cluster, "split_c.small");
    small.shard(new Document("_id", 1));
    cluster.admin(
        new Document("configureCollectionBalancing", small.namespace()).append("chunkSize", 1));
    fill(collection(small), 0, 25_000);
    Eventually.passes(TIMEOUT, () -> assertThat(small.count()).isBetween(2, 4));
  }

  @Test
  void largeDataIsSplitAtOnceWhenItIsSharded() {
    var chunks = new Chunks(cluster, "split_e.users");
    collection(chunks).createIndex(new Document("name", 1));
    for (String name : List.of("anna", "bert", "carl", "dora")) {
      collection(chunks).insertMany(users(name, 700));
    }
    chunks.shard(new Document("name", 1));
    assertThat(chunks.mins("name")).contains("bert", "carl", "dora");
    chunksOfTheUsualSize();
    var large = new Chunks(cluster, "split_e.more");
    fill(collection(large), 0, 1000);
    large.shard(new Document("_id", 1));
    assertThat(large.count()).isEqualTo(1);
  }

  private static List<Document> users(String name, int count) {
    String text = "x".repeat(1000);
    var users = new ArrayList<Document>();
    for (int i = 0; i < count; i++) {
      users.add(new Document("name", name).append("text", text));
    }
    return users;
  }

  @Test
  void aChunkOfOneKeyIsJumboUntilItHasAnother() {
    var chunks = new Chunks(cluster, "split_f.users");
    chunks.shard(new Document("name", 1));
    collection(chunks).insertMany(users("smith", 1500));
    Eventually.passes(
        TIMEOUT, () -> assertThat(chunks.all().getFirst()).containsEntry("jumbo", true));
    cluster.admin(
        new Document("clearJumboFlag", chunks.namespace())
            .append("find", new Document("name", "smith")));
    assertThat(chunks.all().getFirst()).doesNotContainKey("jumbo");
    collection(chunks).insertMany(users("smythe", 1500));
    Eventually.passes(TIMEOUT, () -> assertThat(chunks.mins("name")).contains("smythe"));
  }

  @Test
  void autoSplitIsSwitchedOffAndOn() {
    var chunks = new Chunks(cluster, "split_g.foo");
    chunks.shard(new Document("_id", 1));
    Chunks.set(cluster, "autosplit", "enabled", false);
    awaitTurns(8);
    fill(collection(chunks), 0, 15_000);
    awaitTurns(3);
    assertThat(chunks.count()).isEqualTo(1);
    Chunks.set(cluster, "autosplit", "enabled", true);
    awaitTurns(8);
    fill(collection(chunks), 15_000, 20_000);
    Eventually.passes(TIMEOUT, () -> assertThat(chunks.count()).isGreaterThan(1));
  }

  /** Until all shards have looked at their chunks so many times. */
  private void awaitTurns(int turns) {
    for (int i = 0; i < cluster.cluster().shards().size(); i++) {
      int shard = i;
      long before = turns(shard);
      Eventually.holds("turns of the splitter", TIMEOUT, () -> turns(shard) >= before + turns);
    }
  }

  private long turns(int shard) {
    return loop(shard).get("turns", Number.class).longValue();
  }

  private Document loop(int shard) {
    return cluster
        .shard(shard)
        .getDatabase("admin")
        .runCommand(new Document("serverStatus", 1))
        .get("backgroundLoops", Document.class)
        .get("chunk-splitter", Document.class);
  }

  @Test
  void theLoopGoesOnAfterAFailure() {
    cluster
        .shard(0)
        .getDatabase("admin")
        .runCommand(
            new Document("configureFailPoint", "failBackgroundLoop")
                .append("mode", new Document("times", 1))
                .append("data", new Document("loop", "chunk-splitter")));
    awaitTurns(2);
    assertThat(loop(0).get("failures", Number.class).longValue()).isPositive();
  }
}
