package dev.wisent.conformance.sharding.books;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import com.mongodb.client.gridfs.model.GridFSUploadOptions;
import com.mongodb.client.model.Filters;
import dev.wisent.conformance.sharding.SharedCluster;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.TestCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BsonInt32;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where documents go with different shard keys. */
@ExtendWith(SharedCluster.class)
class KeyExamplesTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final TestCluster cluster;

  KeyExamplesTest(TestCluster cluster) {
    this.cluster = cluster;
  }

  private MongoCollection<Document> collection(String database, String name) {
    return cluster.client().getDatabase(database).getCollection(name);
  }

  private long inserts(int shard) {
    return cluster
        .shard(shard)
        .getDatabase("admin")
        .runCommand(new Document("serverStatus", 1))
        .get("opcounters", Document.class)
        .get("insert", Number.class)
        .longValue();
  }

  @Test
  void anAscendingTimestampSendsAllInsertsToOneShard() {
    Date march = Date.from(Instant.parse("2011-03-01T00:00:00Z"));
    Date april = Date.from(Instant.parse("2011-04-01T00:00:00Z"));
    cluster.shardAt("book_time.events", "timestamp", march, april);
    long[] before = LongStream.range(0, 3).map(i -> inserts((int) i)).toArray();
    Instant now = Instant.parse("2011-04-20T12:00:00Z");
    for (int i = 0; i < 200; i++) {
      collection("book_time", "events")
          .insertOne(new Document("timestamp", Date.from(now.plusSeconds(i))));
    }
    assertThat(inserts(2) - before[2]).isGreaterThanOrEqualTo(200);
    assertThat(inserts(0) - before[0]).isLessThan(20);
    assertThat(inserts(1) - before[1]).isLessThan(20);
    assertThat(new Chunks(cluster, "book_time.events").countOn(2)).isEqualTo(200);
  }

  private static Document monthAndUser(Object month, Object user) {
    return new Document("month", month).append("user", user);
  }

  @Test
  void theWritesOfAMonthAreSpreadByUser() {
    var chunks = new Chunks(cluster, "book_months.clicks");
    zone(chunks, 0, monthAndUser(new MinKey(), new MinKey()), monthAndUser("2011-04", "susan"));
    zone(chunks, 1, monthAndUser("2011-04", "susan"), monthAndUser(new MaxKey(), new MaxKey()));
    chunks.shard(monthAndUser(1, 1));
    MongoCollection<Document> clicks = collection("book_months", "clicks");
    for (String user : List.of("abby", "bob", "carol", "susan", "tom", "zoe")) {
      clicks.insertOne(monthAndUser("2011-04", user));
    }
    assertThat(chunks.countOn(0)).isEqualTo(3);
    assertThat(chunks.countOn(1)).isEqualTo(3);

    // May lies behind all of April: it grows at the end, which opens new chunks.
    Chunks.set(cluster, "chunksize", "value", 1);
    String text = "x".repeat(1000);
    var may = new ArrayList<Document>();
    for (int i = 0; i < 1500; i++) {
      may.add(monthAndUser("2011-05", "user%04d".formatted(i)).append("text", text));
    }
    clicks.insertMany(may);
    assertThat(chunks.countOn(0)).isEqualTo(3);
    Eventually.passes(
        TIMEOUT, () -> assertThat(chunks.mins("month").getLast()).isEqualTo("2011-05"));
    cluster
        .client()
        .getDatabase("config")
        .getCollection("settings")
        .deleteOne(Filters.eq("chunksize"));
  }

  private void zone(Chunks chunks, int shard, Document min, Document max) {
    String zone = "months" + shard;
    cluster.admin(new Document("addShardToZone", "shard" + shard).append("zone", zone));
    cluster.admin(
        new Document("updateZoneKeyRange", chunks.namespace())
            .append("min", min)
            .append("max", max)
            .append("zone", zone));
  }

  @Test
  void hashedIdsAreSpreadFromTheBeginning() {
    var chunks = new Chunks(cluster, "book_hashed.logs");
    cluster.admin(
        new Document("shardCollection", chunks.namespace())
            .append("key", new Document("_id", "hashed"))
            .append("numInitialChunks", 6));
    assertThat(chunks.all())
        .extracting(chunk -> chunk.getString("shard"))
        .containsExactly("shard0", "shard0", "shard1", "shard1", "shard2", "shard2");
    collection("book_hashed", "logs")
        .insertMany(IntStream.range(0, 300).mapToObj(i -> new Document("_id", i)).toList());
    for (int shard = 0; shard < 3; shard++) {
      assertThat(chunks.countOn(shard)).isBetween(60L, 140L);
    }
  }

  @Test
  void floatsAreHashedAsTheirIntegers() {
    var chunks = new Chunks(cluster, "book_floats.numbers");
    chunks.shard(new Document("x", "hashed"));
    MongoCollection<Document> numbers = collection("book_floats", "numbers");
    numbers.insertMany(
        List.of(new Document("x", 2), new Document("x", 2.2), new Document("x", 2.9)));
    assertThat(IntStream.range(0, 3).mapToObj(chunks::countOn))
        .containsExactlyInAnyOrder(0L, 0L, 3L);
    assertThat(numbers.find(Filters.eq("x", 2.9)).into(new ArrayList<>())).hasSize(1);
    assertThat(numbers.find(Filters.eq("x", 2)).into(new ArrayList<>())).hasSize(1);
  }

  @Test
  void gridFsByFile() {
    cluster.shardAt("book_files.fs.chunks", "files_id", 3, 5);
    storesAndReadsFiles("book_files");
    // A file is on one shard as a whole.
    var chunks = new Chunks(cluster, "book_files.fs.chunks");
    assertThat(IntStream.range(0, 3).mapToObj(chunks::countOn)).containsExactly(20L, 20L, 20L);
  }

  @Test
  void gridFsByFileAndPiece() {
    var chunks = new Chunks(cluster, "book_pieces.fs.chunks");
    Document key = new Document("files_id", 1).append("n", 1);
    chunks.shard(key);
    chunks.splitAt(new Document("files_id", 2).append("n", 4));
    storesAndReadsFiles("book_pieces");
    assertThat(chunks.count()).isEqualTo(2);
  }

  private void storesAndReadsFiles(String database) {
    GridFSBucket bucket = GridFSBuckets.create(cluster.client().getDatabase(database));
    byte[] content = new byte[10 * 1024];
    new Random(7).nextBytes(content);
    for (int id = 1; id <= 6; id++) {
      bucket.uploadFromStream(
          new BsonInt32(id),
          "file" + id,
          new ByteArrayInputStream(content),
          new GridFSUploadOptions().chunkSizeBytes(1024));
    }
    for (int id = 1; id <= 6; id++) {
      var read = new ByteArrayOutputStream();
      bucket.downloadToStream(new BsonInt32(id), read);
      assertThat(read.toByteArray()).isEqualTo(content);
    }
  }

  @Test
  void postsByDateAndAuthor() {
    var chunks = new Chunks(cluster, "book_blog.posts");
    Document first = new Document("date", "2010-02").append("author", new MinKey());
    zoneOfPosts(
        chunks, 0, new Document("date", new MinKey()).append("author", new MinKey()), first);
    zoneOfPosts(
        chunks, 1, first, new Document("date", new MaxKey()).append("author", new MaxKey()));
    chunks.shard(new Document("date", 1).append("author", 1));
    MongoDatabase blog = cluster.client().getDatabase("book_blog");
    for (String date : List.of("2010-01", "2010-02", "2010-03")) {
      for (String author : List.of("kristina", "mike")) {
        blog.getCollection("posts").insertOne(new Document("date", date).append("author", author));
      }
    }
    assertThat(stage(blog, Filters.eq("date", "2010-01"))).isEqualTo("SINGLE_SHARD");
    assertThat(stage(blog, Filters.gte("date", "2010-02"))).isEqualTo("SINGLE_SHARD");
    assertThat(stage(blog, Filters.eq("author", "mike"))).isEqualTo("SHARD_MERGE");
    assertThat(blog.getCollection("posts").countDocuments(Filters.eq("author", "mike")))
        .isEqualTo(3);
  }

  private void zoneOfPosts(Chunks chunks, int shard, Document min, Document max) {
    cluster.admin(new Document("addShardToZone", "shard" + shard).append("zone", "p" + shard));
    cluster.admin(
        new Document("updateZoneKeyRange", chunks.namespace())
            .append("min", min)
            .append("max", max)
            .append("zone", "p" + shard));
  }

  private static String stage(MongoDatabase blog, Bson filter) {
    return blog.getCollection("posts")
        .find(filter)
        .explain()
        .get("queryPlanner", Document.class)
        .get("winningPlan", Document.class)
        .getString("stage");
  }
}
