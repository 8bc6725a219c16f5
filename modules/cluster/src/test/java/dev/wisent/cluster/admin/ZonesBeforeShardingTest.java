package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ranges of zones that were given before their collection is sharded. */
class ZonesBeforeShardingTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final String RANGE =
      "{updateZoneKeyRange: '%s', min: %s, max: %s, zone: %s}"; // null removes it

  @BeforeAll
  static void zones() {
    CLUSTER.admin("{addShardToZone: 'shard0', zone: 'europe'}");
    CLUSTER.create("shop", 0);
  }

  private static void assertRefused(String name, String key, String min, String max, String why) {
    CLUSTER.admin(RANGE.formatted(name, min, max, "'europe'"));
    BsonDocument refused =
        CLUSTER.fail("admin", "{shardCollection: '%s', key: %s}".formatted(name, key));
    assertThat(refused.getNumber("code").intValue()).isEqualTo(72);
    assertThat(refused.getString("errmsg").getValue()).contains(why);
    assertThat(CLUSTER.metadata("collections").find(Filters.eq(name)).first()).isNull();
    CLUSTER.admin(RANGE.formatted(name, min, max, "null"));
    CLUSTER.admin("{shardCollection: '%s', key: %s}".formatted(name, key));
  }

  @Test
  void aRangeThatDoesNotHaveTheFieldsOfTheKeyIsRefused() {
    assertRefused(
        "shop.prefix",
        "{country: 1, user: 1}",
        "{country: 'AT'}",
        "{country: 'GB'}",
        "the proposed shard key { country: 1, user: 1 } does not match with the shard key of the"
            + " existing zone { country: \"AT\" } -->> { country: \"GB\" }");
    assertRefused("shop.other", "{k: 1}", "{x: 5}", "{x: 9}", "does not match");
    assertRefused("shop.longer", "{k: 1}", "{k: 5, l: 1}", "{k: 9, l: 1}", "does not match");
    assertRefused("shop.order", "{k: 1, l: 1}", "{l: 5, k: 1}", "{l: 9, k: 1}", "does not match");
    assertRefused("shop.hashed", "{k: 'hashed'}", "{k: 5}", "{k: 9}", "cannot do hash sharding");
  }

  @Test
  void itIsRefusedForACollectionWithDocumentsAsWell() {
    CLUSTER.collection("shop.full").insertOne(new Document("country", "AT").append("user", 1));
    CLUSTER.collection("shop.full").createIndex(Document.parse("{country: 1, user: 1}"));
    assertRefused(
        "shop.full",
        "{country: 1, user: 1}",
        "{country: 'AT'}",
        "{country: 'GB'}",
        "does not match");
  }

  @Test
  void rangesOfTheWholeKeyAreTaken() {
    String key = "{country: '%s', user: {$minKey: 1}}";
    CLUSTER.admin(
        RANGE.formatted("shop.whole", key.formatted("AT"), key.formatted("GB"), "'europe'"));
    CLUSTER.admin("{shardCollection: 'shop.whole', key: {country: 1, user: 1}}");
    BsonDocument collection =
        CLUSTER.metadata("collections").find(Filters.eq("shop.whole")).first();
    assertThat(
            CLUSTER.metadata("chunks").countDocuments(Filters.eq("uuid", collection.get("uuid"))))
        .isEqualTo(3);
    CLUSTER.admin(
        RANGE.formatted("shop.hashes", "{k: {$numberLong: '0'}}", "{k: {$maxKey: 1}}", "'europe'"));
    CLUSTER.admin("{shardCollection: 'shop.hashes', key: {k: 'hashed'}}");
  }

  private static List<BsonDocument> chunks(String name) {
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq(name)).first();
    return CLUSTER
        .metadata("chunks")
        .find(Filters.eq("uuid", collection.get("uuid")))
        .sort(Document.parse("{lastmod: 1}"))
        .into(new ArrayList<>());
  }

  private static void fill(String name, int documents) {
    CLUSTER
        .collection(name)
        .insertMany(
            IntStream.range(0, documents)
                .mapToObj(i -> new Document("k", i).append("text", "x".repeat(10_000)))
                .toList());
  }

  /** As older metadata may have them. */
  @Test
  void boundsThatAreTooShortKeepNoOtherCollectionFromBeingSplit() {
    CLUSTER.create("splits", 0);
    for (int i = 0; i < 6; i++) {
      String name = "splits.c" + i;
      CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(name));
      CLUSTER.admin("{configureCollectionBalancing: '%s', chunkSize: 1}".formatted(name));
      CLUSTER.admin("{split: '%s', middle: {k: -1}}".formatted(name));
      fill(name, 1);
    }
    for (int i = 0; i < 5; i++) {
      List<BsonDocument> both = chunks("splits.c" + i);
      Document bound = new Document();
      CLUSTER
          .metadata("chunks")
          .updateOne(Filters.eq(both.getFirst().get("_id")), Updates.set("max", bound));
      CLUSTER
          .metadata("chunks")
          .updateOne(Filters.eq(both.getLast().get("_id")), Updates.set("min", bound));
    }
    for (int i = 0; i < 6; i++) {
      fill("splits.c" + i, 300);
    }
    CLUSTER.await("a split", () -> chunks("splits.c5").size() > 2);
  }
}
