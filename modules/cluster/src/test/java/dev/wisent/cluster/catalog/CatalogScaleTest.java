package dev.wisent.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.ReplaceOneModel;
import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.ClusterRole;
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
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints what it takes a router to read a million chunks from a config server, and those that have
 * changed since. What is asserted holds on any machine.
 */
@Tag("faults")
class CatalogScaleTest {
  private static final int CHUNKS = Integer.getInteger("wisent.chunks", 1_000_000);
  private static final int SHARDS = 100;
  private static final int BATCH = 10_000;
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  private static final ChunkVersion FIRST = new ChunkVersion(new ObjectId(), 5L << 32 | 1, 1, 0);
  private static final Namespace NAMESPACE = new Namespace("db", "c");

  @Test
  void aMillionChunksAreReadFromAConfigServer(@TempDir Path directory) {
    var loops = BackgroundLoops.silent();
    try (EmbeddedSet set =
            EmbeddedSet.start(
                "cfg",
                1,
                directory,
                options -> options.clusterRole(ClusterRole.CONFIG_SERVER).cacheBytes(256L << 20));
        MongoClient client = MongoClients.create(set.uri());
        var nodes = new PooledNodeClient(NodeClientOptions.plain("test"), Clock.system(), loops);
        var monitor =
            new ReplicaSetMonitor(nodes, "cfg", Set.of(member(set)), Clock.system(), loops)) {
      // It would read the chunks, too.
      client.getDatabase("admin").runCommand(Document.parse("{_configsvrBalancerStop: 1}"));
      MongoCollection<BsonDocument> chunks =
          client
              .getDatabase("config")
              .getCollection("chunks", BsonDocument.class)
              .withWriteConcern(WriteConcern.MAJORITY);
      client
          .getDatabase("config")
          .getCollection("collections", BsonDocument.class)
          .withWriteConcern(WriteConcern.MAJORITY)
          .insertOne(collection().toDocument().toBsonDocument());
      fill(chunks);
      readAll(nodes, monitor); // compiles the code, so that the next reading is measured
      CachedCatalog catalog = readAll(nodes, monitor);
      int major = 2;
      for (int changes : new int[] {1, 10, 1_000}) {
        for (int round = 0; round < 3; round++) {
          change(chunks, major, changes);
          catalog.staleCollection(NAMESPACE, version(major, changes - 1));
          long start = System.nanoTime();
          CollectionRouting changed = read(catalog);
          print("refresh of %,d chunks".formatted(changes), start);
          assertThat(changed.table().version()).isEqualTo(version(major, changes - 1));
          assertThat(changed.table().chunkCount()).isEqualTo(CHUNKS);
          major++;
        }
      }
    }
  }

  private static void fill(MongoCollection<BsonDocument> chunks) {
    var unordered = new InsertManyOptions().ordered(false);
    var documents = new ArrayList<BsonDocument>(BATCH);
    for (int i = 0; i < CHUNKS; i++) {
      documents.add(chunk(i, "shard" + i % SHARDS, version(1, i)).toBsonDocument());
      if (documents.size() == BATCH || i == CHUNKS - 1) {
        chunks.insertMany(documents, unordered);
        documents.clear();
      }
    }
  }

  private static CachedCatalog readAll(PooledNodeClient nodes, ReplicaSetMonitor monitor) {
    var catalog = new CachedCatalog(nodes, monitor, Clock.system());
    long before = usedBytes();
    long start = System.nanoTime();
    CollectionRouting routing = read(catalog);
    print("%,d chunks".formatted(CHUNKS), start);
    assertThat(routing.table().chunkCount()).isEqualTo(CHUNKS);
    long bytes = usedBytes() - before;
    System.out.printf("%,d bytes are kept%n", bytes);
    assertThat(read(catalog)).isSameAs(routing);
    return catalog;
  }

  /** Moves some chunks that are far from each other. */
  private static void change(MongoCollection<BsonDocument> chunks, int major, int changes) {
    var writes = new ArrayList<ReplaceOneModel<BsonDocument>>();
    for (int i = 0; i < changes; i++) {
      int at = (int) ((long) i * CHUNKS / changes);
      BsonDocument moved = chunk(at, "other", version(major, i)).toBsonDocument();
      writes.add(new ReplaceOneModel<>(new BsonDocument("_id", moved.get("_id")), moved));
    }
    chunks.bulkWrite(writes);
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
        RawDocument.parse("{user: 1, n: 1}"),
        false,
        RawDocument.EMPTY,
        false,
        true,
        0);
  }

  private static RawDocument chunk(int i, String shard, ChunkVersion version) {
    var range = new ChunkRange(bound(i), bound(i + 1));
    return ChunkDocument.first(new ObjectId(i, 0), ID, new Chunk(range, shard, version, false), 1)
        .toDocument();
  }

  private static RawDocument bound(int i) {
    return RawDocument.parse(
        i == 0
            ? "{user: {$minKey: 1}, n: {$minKey: 1}}"
            : i == CHUNKS
                ? "{user: {$maxKey: 1}, n: {$maxKey: 1}}"
                : "{user: 'user%09d', n: %d}".formatted(i, i));
  }

  private static ChunkVersion version(int major, int minor) {
    return new ChunkVersion(FIRST.epoch(), FIRST.timestamp(), major, minor);
  }

  private static void print(String what, long startNanos) {
    System.out.printf(
        "%s: %,d ms%n", what, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
  }

  private static long usedBytes() {
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
