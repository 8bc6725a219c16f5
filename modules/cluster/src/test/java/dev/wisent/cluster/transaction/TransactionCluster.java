package dev.wisent.cluster.transaction;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;

/** A cluster whose collections have known documents on known shards. */
final class TransactionCluster implements AutoCloseable {
  /** How many keys each shard has, from 0 on. */
  static final int KEYS_PER_SHARD = 100;

  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final BackgroundLoops loops = BackgroundLoops.silent();
  private final PooledNodeClient raw =
      new PooledNodeClient(NodeClientOptions.plain("test"), loops.clock(), loops);
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
    // Tests move chunks out of their zones.
    admin(new Document("balancerStop", 1));
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

  /** The only member of a shard. */
  String shardAddress(int number) {
    return cluster.shards().get(number).members().getFirst().address();
  }

  /** Runs a command to which no driver adds anything. */
  Document raw(String address, String database, Document command) {
    ByteBuffer bytes =
        new RawBsonDocument(
                command, MongoClientSettings.getDefaultCodecRegistry().get(Document.class))
            .getByteBuffer()
            .asNIO();
    byte[] sent = new byte[bytes.remaining()];
    bytes.get(sent);
    NodeRequest request = new NodeRequest(database, RawDocument.of(sent), List.of(), TIMEOUT);
    return Document.parse(raw.call(HostAndPort.parse(address), request).join().toJson());
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

  /** Two accounts with ten each on each of the first two shards. */
  MongoCollection<Document> accounts(String name) {
    MongoCollection<Document> accounts = sharded("bank." + name, "_id");
    for (int key : List.of(0, 1, KEYS_PER_SHARD, KEYS_PER_SHARD + 1)) {
      accounts.insertOne(new Document("_id", key).append("x", 10));
    }
    return accounts;
  }

  @Override
  public void close() {
    raw.close();
    client.close();
    shardClients.forEach(MongoClient::close);
    cluster.close();
  }
}
