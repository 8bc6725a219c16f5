package dev.wisent.cluster.transaction;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;

/** A cluster whose collections have known documents on known shards. */
final class TransactionCluster implements AutoCloseable {
  /** How many keys each shard has, from 0 on. */
  static final int KEYS_PER_SHARD = 100;

  private final EmbeddedCluster cluster;
  private final MongoClient client;
  private final List<MongoClient> shardClients;
  private final int shards;

  TransactionCluster(int shards, Path directory) {
    this.shards = shards;
    this.cluster =
        EmbeddedCluster.start(
            shards, directory, options -> options.setParameter("enableTestCommands", "1"));
    this.client = MongoClients.create(cluster.uri());
    this.shardClients =
        cluster.shards().stream().map(shard -> MongoClients.create(shard.uri())).toList();
    for (int i = 0; i < shards; i++) {
      admin(new Document("addShardToZone", "shard" + i).append("zone", "zone" + i));
    }
  }

  EmbeddedCluster cluster() {
    return cluster;
  }

  MongoClient client() {
    return client;
  }

  /** A client of a shard, behind the router's back. */
  MongoClient shardClient(int number) {
    return shardClients.get(number);
  }

  Document admin(Document command) {
    return client.getDatabase("admin").runCommand(command);
  }

  /** A new collection that is sharded by a field, of which each shard has a range. */
  MongoCollection<Document> sharded(String namespace, String field) {
    for (int i = 0; i < shards; i++) {
      Object low = i == 0 ? new MinKey() : (Object) (i * KEYS_PER_SHARD);
      Object high = i == shards - 1 ? new MaxKey() : (Object) ((i + 1) * KEYS_PER_SHARD);
      admin(
          new Document("updateZoneKeyRange", namespace)
              .append("min", new Document(field, low))
              .append("max", new Document(field, high))
              .append("zone", "zone" + i));
    }
    admin(new Document("shardCollection", namespace).append("key", new Document(field, 1)));
    int dot = namespace.indexOf('.');
    return client
        .getDatabase(namespace.substring(0, dot))
        .getCollection(namespace.substring(dot + 1));
  }

  @Override
  public void close() {
    client.close();
    shardClients.forEach(MongoClient::close);
    cluster.close();
  }
}
