package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.testkit.TestCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Random writes and transactions on three shards, while shards elect primaries and one more shard
 * joins: all streams have every change once, in one order, also those that are resumed.
 */
@Execution(ExecutionMode.CONCURRENT)
class StreamsOfChangingClusterTest {
  private static final String NAME = "changing";
  private static final String END = "end";
  private static final int WRITERS = 3;
  private static final int WRITES = 40;
  private static final int KEYS = 300;
  private static final long LIMIT_SECONDS = 120;

  private final long seed = Long.getLong("wisent.seed", 20261118L);
  private final AtomicInteger numbers = new AtomicInteger();

  /** {@code type number} of each change that was acknowledged. */
  private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();

  /** What a stream has given of a change. */
  private record Seen(BsonDocument token, String change) {}

  @Test
  void allStreamsHaveEveryChangeOnceInOneOrder(@TempDir Path directory) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 2);
        TestCluster cluster = TestCluster.start(3, directory);
        EmbeddedNode second = cluster.cluster().newRouter(directory.resolve("r2"), options -> {});
        MongoClient other = MongoClients.create("mongodb://" + second.address() + "/");
        EmbeddedSet added =
            EmbeddedSet.start(
                "shard3", 1, directory, options -> options.clusterRole(ClusterRole.SHARD_SERVER))) {
      MongoDatabase database = cluster.client().getDatabase(NAME);
      cluster.shardAt(NAME + ".c", "k", KEYS / 3, 2 * KEYS / 3);
      BsonTimestamp start =
          cluster.admin(new Document("ping", 1)).get("operationTime", BsonTimestamp.class);
      BsonTimestamp from = new BsonTimestamp(start.getValue() + 1);
      Future<List<Seen>> first = threads.submit(() -> read(database.watch(), from));
      Future<List<Seen>> again = threads.submit(() -> read(other.getDatabase(NAME).watch(), from));
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        var random = new Random(seed + i);
        writers.add(threads.submit(() -> write(cluster.client(), "c", random, WRITES)));
      }
      electAgain(cluster, 1);
      cluster.admin(new Document("addShard", added.connectionString()));
      cluster.admin(Document.parse("{shardCollection: '" + NAME + ".d', key: {k: 'hashed'}}"));
      write(cluster.client(), "d", new Random(seed - 1), WRITES);
      electAgain(cluster, 2);
      for (Future<?> writer : writers) {
        writer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
      try (MongoClient direct = MongoClients.create(added.uri())) {
        assertThat(direct.getDatabase(NAME).getCollection("d").countDocuments()).isPositive();
      }
      end(cluster.client());
      List<Seen> seen = first.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(changes(seen)).containsExactlyInAnyOrderElementsOf(acknowledged);
      assertThat(seen.stream().map(each -> each.token().getString("_data").getValue()))
          .isSorted()
          .doesNotHaveDuplicates();
      assertThat(again.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(seen);
      var random = new Random(seed);
      for (int i = 0; i < 4; i++) {
        int place = random.nextInt(seen.size());
        MongoDatabase through = i % 2 == 0 ? database : other.getDatabase(NAME);
        assertThat(read(through.watch().resumeAfter(seen.get(place).token()), null))
            .as("seed %d, after %s", seed, seen.get(place))
            .isEqualTo(seen.subList(place + 1, seen.size()));
      }
    }
  }

  /**
   * The last change. The client of a transaction has its answer before all shards have applied the
   * commit, which a causally consistent read waits for.
   */
  private static void end(MongoClient client) {
    MongoDatabase database = client.getDatabase(NAME);
    try (ClientSession session = client.startSession()) {
      session.advanceClusterTime(
          client
              .getDatabase("admin")
              .runCommand(new Document("ping", 1))
              .get("$clusterTime", Document.class)
              .toBsonDocument());
      session.advanceOperationTime(session.getClusterTime().getTimestamp("clusterTime"));
      for (String name : List.of("c", "d")) {
        database.getCollection(name).find(session, Filters.ne("k", -1)).into(new ArrayList<>());
      }
      database.getCollection("c").insertOne(session, new Document("_id", END).append("k", 0));
    }
  }

  private static List<String> changes(List<Seen> seen) {
    return seen.stream().map(Seen::change).toList();
  }

  /** All changes of documents up to the end. */
  private static List<Seen> read(ChangeStreamIterable<Document> stream, BsonTimestamp from) {
    var seen = new ArrayList<Seen>();
    if (from != null) {
      stream.startAtOperationTime(from);
    }
    try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> events = stream.cursor()) {
      while (true) {
        ChangeStreamDocument<Document> event = events.next();
        String change = change(event);
        if (change.endsWith(END)) {
          return seen;
        }
        seen.add(new Seen(event.getResumeToken(), change));
      }
    }
  }

  private static String change(ChangeStreamDocument<Document> event) {
    if (event.getOperationType() == OperationType.INSERT) {
      return "insert " + event.getFullDocument().get("_id");
    }
    if (event.getOperationType() == OperationType.UPDATE) {
      return "update " + event.getUpdateDescription().getUpdatedFields().getNumber("n").intValue();
    }
    return event.getOperationType().getValue()
        + " "
        + event.getDocumentKey().getNumber("_id").intValue();
  }

  private void write(MongoClient client, String name, Random random, int count) {
    MongoCollection<Document> collection = client.getDatabase(NAME).getCollection(name);
    var own = new ArrayList<Document>();
    for (int i = 0; i < count; i++) {
      switch (own.isEmpty() ? 0 : random.nextInt(5)) {
        case 0, 1 -> {
          Document document = document(random);
          collection.insertOne(document);
          own.add(document);
          acknowledged.add("insert " + document.get("_id"));
        }
        case 2 -> {
          Document document = own.get(random.nextInt(own.size()));
          int number = numbers.incrementAndGet();
          collection.updateOne(key(document), Updates.set("n", number));
          acknowledged.add("update " + number);
        }
        case 3 -> {
          Document document = own.remove(random.nextInt(own.size()));
          collection.deleteOne(key(document));
          acknowledged.add("delete " + document.get("_id"));
        }
        default -> own.addAll(inTransaction(client, collection, random));
      }
    }
  }

  private List<Document> inTransaction(
      MongoClient client, MongoCollection<Document> collection, Random random) {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      documents.add(document(random));
    }
    try (ClientSession session = client.startSession()) {
      session.withTransaction(
          () -> {
            documents.forEach(document -> collection.insertOne(session, document));
            return null;
          });
    }
    documents.forEach(document -> acknowledged.add("insert " + document.get("_id")));
    return documents;
  }

  private Document document(Random random) {
    return new Document("_id", numbers.incrementAndGet()).append("k", random.nextInt(KEYS));
  }

  private static org.bson.conversions.Bson key(Document document) {
    return Filters.and(Filters.eq(document.get("_id")), Filters.eq("k", document.get("k")));
  }

  /** The only member of a shard steps down, and is elected again. */
  private static void electAgain(TestCluster cluster, int shard) {
    MongoDatabase admin = cluster.shard(shard).getDatabase("admin");
    try {
      admin.runCommand(
          Document.parse("{replSetStepDown: 1, secondaryCatchUpPeriodSecs: 0, force: true}"));
    } catch (MongoException e) {
      // The connection may be closed with it.
    }
  }
}
