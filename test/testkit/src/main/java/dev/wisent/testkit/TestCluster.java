package dev.wisent.testkit;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;

/** A sharded cluster in this JVM, with test commands enabled and the balancer stopped. */
public final class TestCluster implements TestServer {
  private final EmbeddedCluster cluster;
  private final MongoClient client;
  private final List<MongoClient> shards;
  private final List<String> names = new ArrayList<>();

  private TestCluster(EmbeddedCluster cluster) {
    this.cluster = cluster;
    this.client = MongoClients.create(cluster.uri());
    this.shards = cluster.shards().stream().map(shard -> MongoClients.create(shard.uri())).toList();
    for (int i = 0; i < shards.size(); i++) {
      names.add("shard" + i);
    }
  }

  /** Starts a config server, shards of one member each, and a router. */
  public static TestCluster start(int shards, Path directory) {
    var started =
        new TestCluster(
            EmbeddedCluster.start(
                shards, directory, options -> options.setParameter("enableTestCommands", "1")));
    // Tests say themselves which shard has which chunk.
    started.admin(new Document("balancerStop", 1));
    return started;
  }

  /** Starts a cluster whose config server is its last shard. */
  public static TestCluster startWithConfigShard(int shards, Path directory) {
    TestCluster cluster = start(shards - 1, directory);
    cluster.admin(new Document("transitionFromDedicatedConfigServer", 1));
    cluster.names.add("config");
    return cluster;
  }

  @Override
  public String uri() {
    return cluster.uri();
  }

  /** A client of the router. */
  public MongoClient client() {
    return client;
  }

  /** A client of a shard, behind the router's back. */
  public MongoClient shard(int number) {
    return shards.get(number);
  }

  /** Runs a command of the admin database through the router. */
  public Document admin(Document command) {
    return client.getDatabase("admin").runCommand(command);
  }

  public EmbeddedCluster cluster() {
    return cluster;
  }

  /**
   * Shards an empty collection by one field, with chunks that begin at the given bounds, and
   * spreads them over the shards in turn: shard0 has what lies below the first bound.
   */
  public void shardAt(String namespace, String field, Object... bounds) {
    shardAt(
        namespace,
        new Document(field, 1),
        Arrays.stream(bounds).map(bound -> new Document(field, bound)).toList());
  }

  /** The same with a shard key of any kind; each bound has all fields of the key. */
  public void shardAt(String namespace, Document key, List<Document> bounds) {
    shardAt(namespace, key, bounds, new Document());
  }

  /** The same with options of {@code shardCollection}. */
  public void shardAt(String namespace, Document key, List<Document> bounds, Document options) {
    int count = names.size();
    for (int i = 0; i < count; i++) {
      admin(new Document("addShardToZone", names.get(i)).append("zone", "zone" + i));
    }
    Document low = everyField(key, new MinKey());
    for (int i = 0; i <= bounds.size(); i++) {
      Document high = i == bounds.size() ? everyField(key, new MaxKey()) : bounds.get(i);
      admin(
          new Document("updateZoneKeyRange", namespace)
              .append("min", low)
              .append("max", high)
              .append("zone", "zone" + i % count));
      low = high;
    }
    var command = new Document("shardCollection", namespace).append("key", key);
    command.putAll(options);
    admin(command);
  }

  private static Document everyField(Document key, Object value) {
    var all = new Document();
    key.keySet().forEach(field -> all.append(field, value));
    return all;
  }

  @Override
  public void close() {
    client.close();
    shards.forEach(MongoClient::close);
    cluster.close();
  }
}
