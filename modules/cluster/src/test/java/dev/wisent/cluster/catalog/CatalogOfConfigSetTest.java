package dev.wisent.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.PooledNodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalog over real connections to a replica set, with more chunks than fit into a batch. */
class CatalogOfConfigSetTest {
  private static final int CHUNKS = 300;
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  private static final ChunkVersion FIRST = new ChunkVersion(new ObjectId(), 5L << 32 | 1, 1, 0);
  private static final Namespace NAMESPACE = new Namespace("db", "c");

  @Test
  void readsAllChunksAndThenChanges(@TempDir Path directory) {
    var loops = BackgroundLoops.silent();
    try (EmbeddedSet set =
            EmbeddedSet.start("cfg", 1, directory, options -> options.cacheBytes(32 << 20));
        MongoClient client = MongoClients.create(set.uri());
        var nodes = new PooledNodeClient(NodeClientOptions.plain("test"), Clock.system(), loops);
        var monitor =
            new ReplicaSetMonitor(nodes, "cfg", Set.of(member(set)), Clock.system(), loops)) {
      MongoCollection<BsonDocument> chunks =
          client.getDatabase("config").getCollection("chunks", BsonDocument.class);
      client
          .getDatabase("config")
          .getCollection("collections", BsonDocument.class)
          .insertOne(collection().toDocument().toBsonDocument());
      var documents = new ArrayList<BsonDocument>();
      for (int i = 0; i < CHUNKS; i++) {
        documents.add(chunk(i, "s" + i % 3, 1).toDocument().toBsonDocument());
      }
      chunks.insertMany(documents);
      var catalog = new CachedCatalog(nodes, monitor, Clock.system());
      assertThat(read(catalog).table().chunkCount()).isEqualTo(CHUNKS);
      assertThat(read(catalog).table().shards()).containsExactlyInAnyOrder("s0", "s1", "s2");

      BsonDocument moved = chunk(7, "s9", 2).toDocument().toBsonDocument();
      chunks.replaceOne(new BsonDocument("_id", moved.get("_id")), moved);
      assertThat(read(catalog).table().shards()).doesNotContain("s9");
      catalog.staleCollection(NAMESPACE, version(2, 7));
      assertThat(read(catalog).table().versionOf("s9")).isEqualTo(version(2, 7));
    }
  }

  private static CollectionRouting read(CachedCatalog catalog) {
    return catalog.collection(OperationContext.internal(Clock.system()), NAMESPACE);
  }

  private static HostAndPort member(EmbeddedSet set) {
    return HostAndPort.parse(new ConnectionString(set.uri()).getHosts().getFirst());
  }

  private static CollectionDocument collection() {
    return new CollectionDocument(
        NAMESPACE,
        FIRST.epoch(),
        FIRST.timestamp(),
        1,
        ID,
        RawDocument.parse("{a: 1}"),
        false,
        RawDocument.EMPTY,
        false,
        true,
        0);
  }

  private static ChunkDocument chunk(int i, String shard, int major) {
    String min = i == 0 ? "{$minKey: 1}" : String.valueOf(i);
    String max = i == CHUNKS - 1 ? "{$maxKey: 1}" : String.valueOf(i + 1);
    var range =
        new ChunkRange(
            RawDocument.parse("{a: " + min + "}"), RawDocument.parse("{a: " + max + "}"));
    return ChunkDocument.first(
        new ObjectId(i, 0), ID, new Chunk(range, shard, version(major, i), false), 1);
  }

  private static ChunkVersion version(int major, int minor) {
    return new ChunkVersion(FIRST.epoch(), FIRST.timestamp(), major, minor);
  }
}
