package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Rule H9 through a router: a cursor that was opened before a range moved gives every document
 * once, also when the range is deleted on the shard that gave it, and when it has come back.
 */
class MovedRangeCursorsTest {
  private static final int DOCUMENTS = 600;

  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static MongoCollection<Document> sharded(String namespace, String key) {
    String database = namespace.substring(0, namespace.indexOf('.'));
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s', key: %s}".formatted(namespace, key));
    MongoCollection<Document> collection = CLUSTER.collection(namespace);
    collection.insertMany(
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i -> new Document("_id", i).append("k", i).append("n", 0))
            .toList());
    return collection;
  }

  private static void move(String namespace, int from, int to, int shard) {
    CLUSTER.admin(
        "{moveRange: '%s', min: {k: %d}, max: {k: %d}, toShard: 'shard%d', waitForDelete: true}"
            .formatted(namespace, from, to, shard));
  }

  private static List<Integer> rest(MongoCursor<Document> cursor) {
    var ids = new ArrayList<Integer>();
    cursor.forEachRemaining(each -> ids.add(each.getInteger("_id")));
    return ids;
  }

  private static List<MongoCursor<Document>> open(MongoCollection<Document> collection) {
    return List.of(
        collection.find().batchSize(10).cursor(),
        collection.find().sort(new Document("k", -1)).batchSize(10).cursor(),
        collection.find().sort(new Document("n", 1).append("_id", 1)).batchSize(10).cursor(),
        collection
            .aggregate(List.of(Document.parse("{$match: {k: {$gte: 0}}}")))
            .batchSize(10)
            .cursor());
  }

  private static long documentsOn(int shard, String database) {
    return CLUSTER.onShard(shard, database).getCollection("c").countDocuments();
  }

  @Test
  void cursorsGiveEveryDocumentOnce() {
    MongoCollection<Document> collection = sharded("cursors.c", "{k: 1}");
    List<MongoCursor<Document>> before = open(collection);
    move("cursors.c", 200, 400, 1);
    assertThat(documentsOn(0, "cursors")).isEqualTo(DOCUMENTS - 200);
    List<MongoCursor<Document>> between = open(collection);
    move("cursors.c", 200, 400, 0);
    assertThat(documentsOn(1, "cursors")).isZero();
    List<MongoCursor<Document>> after = open(collection);
    List<Integer> all = IntStream.range(0, DOCUMENTS).boxed().toList();
    for (List<MongoCursor<Document>> each : List.of(before, between, after)) {
      for (MongoCursor<Document> cursor : each) {
        assertThat(rest(cursor)).containsExactlyInAnyOrderElementsOf(all);
      }
    }
    for (int shard = 0; shard < 2; shard++) {
      Document pinned =
          CLUSTER
              .onShard(shard, "admin")
              .runCommand(new Document("serverStatus", 1))
              .get("shardingStatistics", Document.class)
              .get("pinnedSnapshots", Document.class);
      assertThat(pinned).isEqualTo(new Document("snapshots", 0).append("cursors", 0));
    }
  }

  @Test
  void scansAreExactWhileRangesMoveAndAreDeleted() throws Exception {
    MongoCollection<Document> collection = sharded("scans.c", "{k: 1}");
    List<Integer> all = IntStream.range(0, DOCUMENTS).boxed().toList();
    var stopped = new AtomicBoolean();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      var readers = new ArrayList<Future<Integer>>();
      for (int i = 0; i < 2; i++) {
        readers.add(
            threads.submit(
                () -> {
                  int scans = 0;
                  do {
                    for (MongoCursor<Document> cursor : open(collection)) {
                      assertThat(rest(cursor)).containsExactlyInAnyOrderElementsOf(all);
                      scans++;
                    }
                  } while (!stopped.get());
                  return scans;
                }));
      }
      try {
        for (int i = 0; i < 6; i++) {
          move("scans.c", 200, 400, 1);
          move("scans.c", 200, 400, 0);
        }
      } finally {
        stopped.set(true);
      }
      for (Future<Integer> each : readers) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isPositive();
      }
    }
  }
}
