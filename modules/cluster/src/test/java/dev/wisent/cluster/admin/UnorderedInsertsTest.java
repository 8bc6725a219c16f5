package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every document of an unordered insert has an outcome while its range moves. */
class UnorderedInsertsTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int MOVES = 30;

  @Test
  void everyDocumentIsInsertedOrRefused() throws Exception {
    CLUSTER.create("unordered", 0);
    CLUSTER.admin("{shardCollection: 'unordered.c', key: {k: 1}}");
    MongoCollection<Document> collection = CLUSTER.collection("unordered.c");
    collection.insertMany(
        IntStream.range(0, 40).mapToObj(i -> new Document("_id", i).append("k", i)).toList());
    CLUSTER.admin("{split: 'unordered.c', middle: {k: 20}}");
    CompletableFuture<Void> moved =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < MOVES; i++) {
                CLUSTER.admin(
                    "{moveRange: 'unordered.c', min: {k: %d}, max: {k: %d}, toShard: 'shard%d'}"
                        .formatted(i % 2 * 20, i % 2 * 20 + 20, (i / 2 + 1) % 2));
              }
            });
    var unordered = new InsertManyOptions().ordered(false);
    int inserted = 0;
    while (!moved.isDone()) {
      int first = 100 + inserted;
      collection.insertMany(
          IntStream.range(first, first + 4)
              .mapToObj(i -> new Document("_id", i).append("k", i % 40))
              .toList(),
          unordered);
      inserted += 4;
      List<Document> duplicates =
          IntStream.of(5, 25, 6, 26).mapToObj(i -> new Document("_id", i).append("k", i)).toList();
      try {
        collection.insertMany(duplicates, unordered);
        throw new AssertionError("inserted twice");
      } catch (MongoBulkWriteException e) {
        assertThat(e.getWriteErrors())
            .as("%s", e.getWriteResult())
            .extracting(error -> error.getIndex() + " " + error.getCode())
            .containsExactly("0 11000", "1 11000", "2 11000", "3 11000");
      }
    }
    moved.get(60, TimeUnit.SECONDS);
    assertThat(collection.countDocuments()).isEqualTo(40 + inserted);
  }
}
