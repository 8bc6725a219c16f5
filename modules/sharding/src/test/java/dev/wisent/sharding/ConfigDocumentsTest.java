package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.wire.HostAndPort;
import java.util.List;
import java.util.UUID;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** The documents of the config database and the errors about versions, read and written. */
class ConfigDocumentsTest {
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  private static final ObjectId EPOCH = new ObjectId("0123456789abcdef01234567");

  @Test
  void chunks() {
    RawDocument document =
        RawDocument.parse(
            "{_id: {$oid: '0123456789abcdef01234567'}, uuid: {$uuid: '"
                + ID
                + "'},"
                + " min: {a: {$minKey: 1}}, max: {a: 5}, shard: 's1',"
                + " lastmod: {$timestamp: {t: 3, i: 7}},"
                + " onCurrentShardSince: {$timestamp: {t: 100, i: 2}}, history: [{validAfter:"
                + " {$timestamp: {t: 100, i: 2}}, shard: 's1'}, {validAfter: {$timestamp: {t: 90,"
                + " i: 1}}, shard: 's2'}], jumbo: true}");
    ChunkDocument chunk = ChunkDocument.of(document);
    assertThat(chunk.toDocument()).isEqualTo(document);
    assertThat(chunk.history()).hasSize(2);
  }

  @Test
  void chunksOfARoutingTable() {
    var key = ShardKeyPattern.of(RawDocument.parse("{a: 1}"));
    var table = RoutingTableBuilder.of(key, new ChunkVersion(EPOCH, 9, 5, 5));
    var first = new ChunkRange(RawDocument.parse("{a: {$minKey: 1}}"), RawDocument.parse("{a: 5}"));
    var second =
        new ChunkRange(RawDocument.parse("{a: 5}"), RawDocument.parse("{a: {$maxKey: 1}}"));
    long version = 3L << 32 | 7;
    for (ChunkDocument chunk :
        List.of(
            new ChunkDocument(new ObjectId(), ID, first, "s1", version, 1, List.of(), true),
            new ChunkDocument(
                new ObjectId(), ID, second, "s2", version + 1, 1, List.of(), false))) {
      assertThat(ChunkDocument.addTo(table, chunk.toDocument())).isEqualTo(chunk.lastmod());
    }
    RoutingTable built = table.build();
    assertThat(built.version()).isEqualTo(new ChunkVersion(EPOCH, 9, 3, 8));
    assertThat(built.chunkOf(key.encode(RawDocument.parse("{a: 1}"))))
        .isEqualTo(new Chunk(first, "s1", new ChunkVersion(EPOCH, 9, 3, 7), true));
    assertThat(built.chunkOf(key.encode(RawDocument.parse("{a: 7}"))))
        .isEqualTo(new Chunk(second, "s2", new ChunkVersion(EPOCH, 9, 3, 8), false));
  }

  @Test
  void collections() {
    RawDocument plain =
        RawDocument.parse(
            "{_id: 'db.a.b', lastmodEpoch: {$oid: '0123456789abcdef01234567'},"
                + " lastmod: {$date: 1000}, timestamp: {$timestamp: {t: 5, i: 6}},"
                + " uuid: {$uuid: '"
                + ID
                + "'}, key: {a: 1}, unique: false, noBalance: false}");
    CollectionDocument collection = CollectionDocument.of(plain);
    assertThat(collection.toDocument()).isEqualTo(plain);
    assertThat(collection.namespace()).isEqualTo(new Namespace("db", "a.b"));
    assertThat(collection.allowMigrations()).isTrue();
    assertThat(collection.noChunks()).isEqualTo(new ChunkVersion(EPOCH, 5L << 32 | 6, 0, 0));
    RawDocument full =
        RawDocument.parse(
            "{_id: 'db.c', lastmodEpoch: {$oid: '0123456789abcdef01234567'},"
                + " lastmod: {$date: 1000}, timestamp: {$timestamp: {t: 5, i: 6}},"
                + " uuid: {$uuid: '"
                + ID
                + "'}, key: {a: 'hashed'}, defaultCollation: {locale:"
                + " 'de'}, unique: true, noBalance: true, allowMigrations: false,"
                + " maxChunkSizeBytes: {$numberLong: '1048576'}}");
    assertThat(CollectionDocument.of(full).toDocument()).isEqualTo(full);
  }

  @Test
  void databases() {
    RawDocument document =
        RawDocument.parse(
            "{_id: 'db', primary: 's1', partitioned: false, version: {uuid: {$uuid: '"
                + ID
                + "'},"
                + " timestamp: {$timestamp: {t: 5, i: 6}}, lastMod: 3}}");
    DatabaseRouting database = DatabaseRouting.of(document);
    assertThat(database.toDocument()).isEqualTo(document);
    DatabaseVersion version = database.version();
    assertThat(version.isOlderThan(version.next())).isTrue();
    assertThat(version.next().isOlderThan(version)).isFalse();
    assertThat(version.isOlderThan(new DatabaseVersion(ID, 6L << 32, 1))).isTrue();
  }

  @Test
  void shards() {
    RawDocument plain =
        RawDocument.parse(
            "{_id: 's1', host: 'rs1/a:1,b:2', state: 1, topologyTime: {$timestamp: {t: 5, i: 6}}}");
    ShardInfo shard = ShardInfo.of(plain);
    assertThat(shard.setName()).isEqualTo("rs1");
    assertThat(shard.seeds())
        .isEqualTo(List.of(HostAndPort.parse("a:1"), HostAndPort.parse("b:2")));
    assertThat(shard.toDocument()).isEqualTo(plain);
    RawDocument full =
        RawDocument.parse(
            "{_id: 's1', host: 'rs1/a:1', state: 1, topologyTime: {$timestamp: {t: 5, i: 6}},"
                + " tags: ['x', 'y'], draining: true, maxSize: {$numberLong: '5'}}");
    assertThat(ShardInfo.of(full).toDocument()).isEqualTo(full);
  }

  @Test
  void staleVersions() {
    var received = new ChunkVersion(EPOCH, 5, 1, 2);
    var wanted = new ChunkVersion(EPOCH, 5, 2, 0);
    var error = new StaleConfigException("stale", new Namespace("db", "c"), received, wanted, "s1");
    var reply = new BsonBuilder().appendString("errmsg", "stale");
    error.append(reply);
    StaleConfigException read = StaleConfigException.of(reply.toDocument());
    assertThat(read.received()).isEqualTo(received);
    assertThat(read.wanted()).isEqualTo(wanted);
    assertThat(read.namespace()).isEqualTo(error.namespace());
    assertThat(read.shard()).isEqualTo("s1");

    var database = new StaleDatabaseException("stale", "db", new DatabaseVersion(ID, 5, 1), null);
    reply = new BsonBuilder().appendString("errmsg", "stale");
    database.append(reply);
    StaleDatabaseException readDatabase = StaleDatabaseException.of(reply.toDocument());
    assertThat(readDatabase.database()).isEqualTo("db");
    assertThat(readDatabase.received()).isEqualTo(database.received());
    assertThat(readDatabase.wanted()).isNull();
  }
}
