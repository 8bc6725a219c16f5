package dev.wisent.conformance.sharding;

import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.bson.Document;

/** Moves chunks of a database to other shards, before commands and during reads. For one thread. */
final class RandomMoves {
  private final RandomGenerator random;
  private final TestCluster cluster;
  private final String database;
  private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);
  private int count;

  RandomMoves(RandomGenerator random, TestCluster cluster, String database) {
    this.random = random;
    this.cluster = cluster;
    this.database = database;
  }

  /** Now and then moves a chunk, or begins to: the next read runs meanwhile. */
  void maybe() {
    if (random.nextInt(3) > 0) {
      return;
    }
    await();
    Document command = command();
    count++;
    running =
        CompletableFuture.runAsync(
            () -> {
              var unused = cluster.admin(command);
            },
            run -> Thread.ofPlatform().start(run));
    if (random.nextBoolean()) {
      await();
    }
  }

  /** Waits for what is under way. */
  void await() {
    running.join();
  }

  int count() {
    return count;
  }

  private Document command() {
    MongoDatabase config = cluster.client().getDatabase("config");
    List<Document> collections =
        config
            .getCollection("collections")
            .find(new Document("_id", new Document("$regex", "^" + database + "\\.")))
            .sort(new Document("_id", 1))
            .into(new ArrayList<>());
    Document collection = collections.get(random.nextInt(collections.size()));
    List<Document> chunks =
        config
            .getCollection("chunks")
            .find(new Document("uuid", collection.get("uuid")))
            .sort(new Document("min", 1))
            .into(new ArrayList<>());
    Document chunk = chunks.get(random.nextInt(chunks.size()));
    int shards = cluster.cluster().shards().size();
    int from = Integer.parseInt(chunk.getString("shard").substring("shard".length()));
    return new Document("moveRange", collection.getString("_id"))
        .append("min", chunk.get("min"))
        .append("max", chunk.get("max"))
        .append("toShard", "shard" + (from + 1 + random.nextInt(shards - 1)) % shards);
  }
}
