package dev.wisent.bench.migration;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.wisent.bench.data.DocumentGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.RawBsonDocument;

/**
 * A collection that is sharded by {@code _id} with all chunks on the first shard. Used by one
 * thread.
 */
public final class MovedCollection {
  public static final String DATABASE = "wisent_bench";
  public static final String COLLECTION = "moved";
  private static final String NAMESPACE = DATABASE + "." + COLLECTION;
  private static final String FROM = "shard0";
  private static final String TO = "shard1";
  private static final int BATCH = 1000;

  private final MongoClient client;
  private final DocumentGenerator documents;
  private long bytes;

  public MovedCollection(MongoClient client, DocumentGenerator documents) {
    this.client = client;
    this.documents = documents;
  }

  /** Creates and fills it, and splits it so that each chunk has so many documents. */
  public void load(long documentsPerChunk) {
    admin(new Document("balancerStop", 1));
    admin(new Document("enableSharding", DATABASE).append("primaryShard", FROM));
    admin(new Document("shardCollection", NAMESPACE).append("key", new Document("_id", 1)));
    MongoCollection<RawBsonDocument> collection =
        client.getDatabase(DATABASE).getCollection(COLLECTION, RawBsonDocument.class);
    List<RawBsonDocument> batch = new ArrayList<>();
    for (long i = 0; i < documents.records(); i++) {
      RawBsonDocument document = documents.document(i).bson();
      bytes += document.getByteBuffer().remaining();
      batch.add(document);
      if (batch.size() == BATCH || i + 1 == documents.records()) {
        collection.insertMany(batch);
        batch.clear();
      }
    }
    for (long at = documentsPerChunk; at < documents.records(); at += documentsPerChunk) {
      admin(
          new Document("split", NAMESPACE)
              .append("middle", new Document("_id", DocumentGenerator.id(at))));
    }
  }

  /** Of all documents, as they were inserted. */
  public long bytes() {
    return bytes;
  }

  /** The chunks of the upper half of the keys, those with the highest keys first. */
  public List<Document> chunksToMove() {
    Document collection =
        client
            .getDatabase("config")
            .getCollection("collections")
            .find(Filters.eq(NAMESPACE))
            .first();
    List<Document> chunks =
        client
            .getDatabase("config")
            .getCollection("chunks")
            .find(Filters.eq("uuid", collection.get("uuid")))
            .sort(Sorts.descending("min"))
            .into(new ArrayList<>());
    return chunks.subList(0, chunks.size() / 2);
  }

  /** Returns when the chunk is on the other shard; its documents are deleted later. */
  public void move(Document chunk) {
    move(chunk, TO);
  }

  /** Brings a chunk back to where it was. */
  public void moveBack(Document chunk) {
    move(chunk, FROM);
  }

  private void move(Document chunk, String to) {
    admin(
        new Document("moveRange", NAMESPACE)
            .append("min", chunk.get("min"))
            .append("max", chunk.get("max"))
            .append("toShard", to));
  }

  /** How long the steps of the last migrations took on their donor, in milliseconds. */
  public Map<String, Long> steps(int migrations) {
    Map<String, Long> sums = new LinkedHashMap<>();
    client
        .getDatabase("config")
        .getCollection("changelog")
        .find(Filters.eq("what", "moveChunk.from"))
        .sort(Sorts.descending("time"))
        .limit(migrations)
        .forEach(line -> addSteps(line.get("details", Document.class), sums));
    return sums;
  }

  private static void addSteps(Document details, Map<String, Long> sums) {
    List<String> names = details.getList("steps", String.class);
    for (int i = 0; i < names.size(); i++) {
      long millis = details.getLong("step %d of %d".formatted(i + 1, names.size()));
      sums.merge(names.get(i), millis, Long::sum);
    }
  }

  /** How long migrations of the first shard have paused to let clients go first. */
  public Duration paused() {
    Document shard =
        client.getDatabase("config").getCollection("shards").find(Filters.eq(FROM)).first();
    String host = shard.getString("host");
    String uri = "mongodb://" + host.substring(host.indexOf('/') + 1) + "/?directConnection=true";
    try (MongoClient direct = MongoClients.create(uri)) {
      Document figures =
          direct
              .getDatabase("admin")
              .runCommand(new Document("serverStatus", 1))
              .get("shardingStatistics", Document.class);
      return Duration.ofMillis(figures.getLong("totalDonorPauseTimeMillis"));
    }
  }

  private void admin(Document command) {
    client.getDatabase("admin").runCommand(command);
  }
}
