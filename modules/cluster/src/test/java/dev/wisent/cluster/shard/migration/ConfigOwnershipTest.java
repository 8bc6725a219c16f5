package dev.wisent.cluster.shard.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.cluster.call.BatchedFinds;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionDocument;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

class ConfigOwnershipTest {
  private static final Namespace NAMESPACE = new Namespace("d", "c");
  private static final UUID COLLECTION = new UUID(1, 2);
  private static final int CHUNKS = 25;

  private static RawDocument key(int value) {
    return new BsonBuilder().appendInt32("k", value).toDocument();
  }

  private static RawDocument collection() {
    return new CollectionDocument(
            NAMESPACE,
            new ObjectId("0123456789abcdef01234567"),
            1L << 32,
            1,
            COLLECTION,
            key(1),
            false,
            RawDocument.EMPTY,
            false,
            true,
            0)
        .toDocument();
  }

  /** Chunks with a gap after each, that no two are joined. */
  private static RawDocument chunk(int number) {
    var out = new BsonBuilder().appendObjectId("_id", new ObjectId(number, number));
    out.appendUuid("uuid", COLLECTION).appendDocument("min", key(2 * number));
    out.appendDocument("max", key(2 * number + 1)).appendString("shard", "a");
    return out.appendTimestamp("lastmod", (long) (number + 1) << 32).toDocument();
  }

  private static List<RawDocument> found(RawDocument command) {
    if (command.get("find").asString().equals("collections")) {
      return List.of(collection());
    }
    var min = command.get("filter").asDocument().get("min");
    RawDocument after = min == null ? null : min.asDocument().get("$gt").asDocument();
    return IntStream.range(0, CHUNKS)
        .mapToObj(ConfigOwnershipTest::chunk)
        .filter(
            each ->
                after == null
                    || ValueOrder.compare(ChunkDocument.of(each).range().min(), after) > 0)
        .toList();
  }

  /** Of long keys a reply has fewer than were asked for. */
  @Test
  void allChunksAreReadHoweverFewAReplyHas() {
    var ownership = new ConfigOwnership(() -> new BatchedFinds(10, ConfigOwnershipTest::found));
    ConfigOwnership.Owned owned =
        ownership.of(OperationContext.internal(Clock.system()), NAMESPACE, "a");
    assertThat(owned.ranges()).hasSize(CHUNKS);
    assertThat(owned.ranges().getLast())
        .isEqualTo(new ChunkRange(key(2 * CHUNKS - 2), key(2 * CHUNKS - 1)));
    assertThat(owned.version().major()).isEqualTo(CHUNKS);
  }
}
