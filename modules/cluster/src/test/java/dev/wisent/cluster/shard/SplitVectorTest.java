package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.failure;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Where ranges are split. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SplitVectorTest {
  private TestShard shard;

  @BeforeAll
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 1);
    var collection = shard.client().getDatabase("test").getCollection("c");
    collection.createIndex(new Document("k", 1));
    collection.createIndex(new Document("h", "hashed"));
    String text = "x".repeat(1000);
    collection.insertMany(
        IntStream.range(0, 100)
            .mapToObj(i -> new Document("k", i).append("h", i).append("text", text))
            .toList());
  }

  @AfterAll
  void stop() {
    shard.close();
  }

  private List<Document> split(String more) {
    return shard
        .admin(Document.parse("{splitVector: 'test.c', " + more + "}"))
        .getList("splitKeys", Document.class);
  }

  @Test
  void piecesAreHalfOfTheGreatestSize() {
    List<Document> keys = split("keyPattern: {k: 1}, maxChunkSizeBytes: 42000");
    assertThat(keys.stream().map(key -> key.getInteger("k"))).containsExactly(20, 41, 62, 83);
    assertThat(split("keyPattern: {k: 1}, maxChunkSizeBytes: 42000, maxSplitPoints: 2")).hasSize(2);
    assertThat(split("keyPattern: {k: 1}, maxChunkSize: 64")).isEmpty();
    assertThat(split("keyPattern: {h: 'hashed'}, maxChunkSizeBytes: 42000")).hasSize(4);
  }

  @Test
  void aRangeIsSplitInTheMiddle() {
    assertThat(split("keyPattern: {k: 1}, min: {k: 10}, max: {k: 20}, force: true"))
        .containsExactly(new Document("k", 15));
  }

  @Test
  void argumentsAreChecked() {
    assertThat(
            failure(() -> split("keyPattern: {z: 1}, maxChunkSize: 1")).getInt32("code").getValue())
        .isEqualTo(27);
    assertThat(failure(() -> split("keyPattern: {k: 1}")).getInt32("code").getValue())
        .isEqualTo(72);
    assertThat(
            failure(() -> split("keyPattern: {k: 1}, min: {k: 1}, maxChunkSize: 1"))
                .getInt32("code")
                .getValue())
        .isEqualTo(72);
  }

  private String refusal(String more) {
    return failure(() -> split(more)).getString("errmsg").getValue();
  }

  @Test
  void argumentsAreRefusedAsMongoDbDoes() {
    assertThat(refusal("keyPattern: {}, maxChunkSize: 1"))
        .isEqualTo("no key pattern found in splitVector");
    assertThat(refusal("keyPattern: {k: 1}, min: {k: 1}, maxChunkSize: 1"))
        .isEqualTo("either provide both min and max or leave both empty");
    assertThat(refusal("keyPattern: {k: 1}"))
        .isEqualTo("need to specify the desired max chunk size");
    assertThat(refusal("keyPattern: {k: 1}, maxChunkSize: 0"))
        .isEqualTo("maxChunkSize must lie within the range [1MB, 1024MB]");
    assertThat(refusal("keyPattern: {k: 1}, maxChunkSize: 1025"))
        .isEqualTo("maxChunkSize must lie within the range [1MB, 1024MB]");
    assertThat(refusal("keyPattern: {k: 1}, maxChunkSize: 1, maxChunkObjects: 0"))
        .isEqualTo("maxChunkObjects must be greater than 0");
    assertThat(refusal("keyPattern: {k: 1}, min: {k: 1000}, max: {k: 2000}, force: true"))
        .isEqualTo("can't open a cursor to scan the range (desired range is possibly empty)");
  }

  @Test
  void chunksHaveAtMostSoManyDocuments() {
    List<Document> keys = split("keyPattern: {k: 1}, maxChunkSizeBytes: 90000, maxChunkObjects: 9");
    assertThat(keys.stream().map(key -> key.getInteger("k"))).startsWith(9, 19, 29).hasSize(10);
  }

  @Test
  void aRangeOfHashesIsSplit() {
    List<Document> halves = split("keyPattern: {h: 'hashed'}, force: true");
    assertThat(halves).hasSize(1);
    long middle = halves.getFirst().getLong("h");
    String upper = "min: {h: {$numberLong: '" + middle + "'}}, max: {h: {$maxKey: 1}}";
    List<Document> quarters = split("keyPattern: {h: 'hashed'}, force: true, " + upper);
    assertThat(quarters).hasSize(1);
    assertThat(quarters.getFirst().getLong("h")).isGreaterThan(middle);
  }
}
