package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pipelines, mapReduce, geo and text queries of a collection on three shards. */
@ExtendWith(SharedCluster.class)
class ShardedPipelinesTest {
  private static final String NAME = "pipelines";
  private static TestCluster cluster;
  private static MongoDatabase database;

  @BeforeAll
  static void fill(TestCluster shared) {
    cluster = shared;
    database = cluster.client().getDatabase(NAME);
    cluster.shardAt(NAME + ".c", "k", 10, 20);
    database
        .getCollection("c")
        .insertMany(IntStream.range(0, 30).mapToObj(ShardedPipelinesTest::document).toList());
    database.getCollection("c").createIndex(Document.parse("{at: '2dsphere'}"));
    database.getCollection("c").createIndex(Document.parse("{words: 'text'}"));
  }

  private static Document document(int i) {
    return new Document("_id", i)
        .append("k", i)
        .append("r", i % 3)
        .append("next", i + 10)
        .append("words", "apple ".repeat(1 + i % 5) + (i % 7 == 0 ? "pear" : ""))
        .append(
            "at",
            new Document("type", "Point").append("coordinates", List.of((i * 7 % 30) / 10.0, 0)));
  }

  /** The index of the shard key has another collation than the collection. */
  @Test
  void collatedCollectionsHaveBoundsOfStrings() {
    run("{create: 'collated', collation: {locale: 'en', strength: 2}}");
    cluster.shardAt(
        NAME + ".collated",
        Document.parse("{k: 1}"),
        List.of(Document.parse("{k: 'b'}"), Document.parse("{k: 'm'}")),
        Document.parse("{collation: {locale: 'simple'}}"));
    run("{insert: 'collated', documents: [{k: 'A'}, {k: 'a'}, {k: 'c'}, {k: 'x'}]}");
    assertThat(run("{count: 'collated', query: {k: 'A'}}")).containsEntry("n", 2);
  }

  @Test
  void viewsOfAnotherCollationAreRefusedAlsoWithoutDocuments() {
    run("{create: 'simple', viewOn: 'c', pipeline: []}");
    for (String join :
        List.of(
            "{$lookup: {from: 'simple', localField: 'k', foreignField: 'k', as: 'j'}}",
            "{$lookup: {from: 'simple', pipeline: [], as: 'j'}}",
            "{$graphLookup: {from: 'simple', startWith: '$k', connectFromField: 'k',"
                + " connectToField: 'k', as: 'j'}}")) {
      for (String filter : List.of("{}", "{k: -1}")) {
        assertThatThrownBy(
                () ->
                    run(
                        "{aggregate: 'c', pipeline: [{$match: %s}, %s], cursor: {},"
                                .formatted(filter, join)
                            + " collation: {locale: 'en', strength: 2}}"))
            .as(join + filter)
            .hasMessageContaining("Cannot override a view's default collation");
      }
    }
  }

  private static Document run(String command) {
    return database.runCommand(Document.parse(command));
  }

  private static List<Document> aggregate(String collection, String... stages) {
    return database
        .getCollection(collection)
        .aggregate(Arrays.stream(stages).map(Document::parse).toList())
        .batchSize(4)
        .into(new ArrayList<>());
  }

  private static List<Integer> ids(List<Document> documents) {
    return documents.stream().map(each -> each.getInteger("_id")).toList();
  }

  private static final String SUMS =
      "{mapReduce: 'c', map: 'function() { emit(this.r, this.k); }',"
          + " reduce: 'function(key, values) { return Array.sum(values); }', out: %s}";

  private static Map<Integer, Integer> values(List<Document> results) {
    var values = new TreeMap<Integer, Integer>();
    results.forEach(
        each ->
            values.put(
                each.get("_id", Number.class).intValue(),
                each.get("value", Number.class).intValue()));
    return values;
  }

  private static Map<Integer, Integer> stored(String collection) {
    return values(database.getCollection(collection).find().into(new ArrayList<>()));
  }

  @Test
  void mapReduceInTheReply() {
    Document reply = run(SUMS.formatted("{inline: 1}"));
    assertThat(values(reply.getList("results", Document.class)))
        .isEqualTo(Map.of(0, 135, 1, 145, 2, 155));
  }

  @Test
  void mapReduceIntoCollections() {
    assertThat(run(SUMS.formatted("'replaced'"))).containsEntry("result", "replaced");
    assertThat(stored("replaced")).isEqualTo(Map.of(0, 135, 1, 145, 2, 155));
    cluster.shardAt(NAME + ".reduced", "_id", 1, 2);
    run(SUMS.formatted("{merge: 'reduced', sharded: true}"));
    run(SUMS.formatted("{reduce: 'reduced'}"));
    assertThat(stored("reduced")).isEqualTo(Map.of(0, 270, 1, 290, 2, 310));
    run(SUMS.formatted("{merge: 'reduced'}"));
    assertThat(stored("reduced")).isEqualTo(Map.of(0, 135, 1, 145, 2, 155));
    assertThatThrownBy(() -> run(SUMS.formatted("{replace: 'reduced'}")))
        .isInstanceOf(MongoCommandException.class);
    run(SUMS.formatted("{replace: 'elsewhere', db: 'pipelines_2'}"));
    assertThat(
            cluster.client().getDatabase("pipelines_2").getCollection("elsewhere").countDocuments())
        .isEqualTo(3);
    assertThatNothingTemporaryIsLeft();
  }

  @Test
  void mapReduceOfAnUnshardedCollectionIntoAShardedOne() {
    database.getCollection("plain").insertMany(List.of(document(1), document(2), document(4)));
    cluster.shardAt(NAME + ".ofPlain", "_id", 1, 2);
    run(SUMS.replace("'c'", "'plain'").formatted("{merge: 'ofPlain'}"));
    assertThat(stored("ofPlain")).isEqualTo(Map.of(1, 5, 2, 2));
  }

  static void assertThatNothingTemporaryIsLeft() {
    for (int i = 0; i < 3; i++) {
      assertThat(cluster.shard(i).getDatabase(NAME).listCollectionNames().into(new ArrayList<>()))
          .noneMatch(name -> name.startsWith("tmp"));
    }
  }

  @Test
  void theNearestComeFirst() {
    String near =
        "{$geoNear: {near: {type: 'Point', coordinates: [0, 0]}, distanceField: 'd', key: 'at'}}";
    List<Document> found = aggregate("c", near);
    assertThat(found).hasSize(30);
    assertThat(found).extracting(each -> each.getDouble("d")).isSorted();
    assertThat(ids(aggregate("c", near, "{$limit: 4}"))).isEqualTo(ids(found).subList(0, 4));
    List<Document> queried =
        database
            .getCollection("c")
            .find(
                Document.parse("{at: {$near: {$geometry: {type: 'Point', coordinates: [0, 0]}}}}"))
            .limit(4)
            .into(new ArrayList<>());
    assertThat(ids(queried)).isEqualTo(ids(found).subList(0, 4));
    assertThat(
            database
                .getCollection("c")
                .countDocuments(
                    Document.parse("{at: {$geoWithin: {$centerSphere: [[0, 0], 0.01]}}}")))
        .isPositive();
  }

  @Test
  void textIsFoundByScore() {
    List<Document> found =
        database
            .getCollection("c")
            .find(Document.parse("{$text: {$search: 'pear'}}"))
            .projection(Document.parse("{score: {$meta: 'textScore'}}"))
            .sort(Document.parse("{score: {$meta: 'textScore'}, _id: 1}"))
            .into(new ArrayList<>());
    assertThat(ids(found)).containsExactlyInAnyOrder(0, 7, 14, 21, 28);
    assertThat(found).extracting(each -> -each.getDouble("score")).isSorted();
    List<Document> piped =
        aggregate(
            "c",
            "{$match: {$text: {$search: 'pear'}}}",
            "{$sort: {score: {$meta: 'textScore'}, _id: 1}}",
            "{$project: {score: {$meta: 'textScore'}}}");
    assertThat(ids(piped)).isEqualTo(ids(found));
  }

  @Test
  void aSampleIsOfAllShards() {
    assertThat(aggregate("c", "{$sample: {size: 5}}")).hasSize(5).doesNotHaveDuplicates();
    assertThat(aggregate("c", "{$sample: {size: 100}}")).hasSize(30);
  }

  @Test
  void aGraphGoesOverShards() {
    List<Document> found =
        aggregate(
            "c",
            "{$match: {_id: 3}}",
            "{$graphLookup: {from: 'c', startWith: '$next', connectFromField: 'next',"
                + " connectToField: 'k', as: 'path'}}");
    assertThat(ids(found.getFirst().getList("path", Document.class)))
        .containsExactlyInAnyOrder(13, 23);
  }

  @Test
  void outAndMergeIntoCollections() {
    aggregate("c", "{$match: {k: {$gte: 5}}}", "{$out: 'copied'}");
    assertThat(database.getCollection("copied").countDocuments()).isEqualTo(25);
    cluster.shardAt(NAME + ".merged", "k", 8, 25);
    aggregate("c", "{$merge: {into: 'merged'}}");
    aggregate("copied", "{$set: {again: true}}", "{$merge: {into: 'merged'}}");
    assertThat(database.getCollection("merged").countDocuments()).isEqualTo(30);
    assertThat(database.getCollection("merged").countDocuments(new Document("again", true)))
        .isEqualTo(25);
    assertThatThrownBy(() -> aggregate("c", "{$out: 'merged'}"))
        .isInstanceOf(MongoCommandException.class)
        .hasMessageContaining("is sharded so it can't be used for $out");
    aggregate("c", "{$merge: {into: {db: 'pipelines_3', coll: 'x'}}}");
    aggregate("c", "{$out: {db: 'pipelines_3', coll: 'y'}}");
    MongoDatabase other = cluster.client().getDatabase("pipelines_3");
    assertThat(other.getCollection("x").countDocuments()).isEqualTo(30);
    assertThat(other.getCollection("y").countDocuments()).isEqualTo(30);
    assertThatNothingTemporaryIsLeft();
  }

  /** To 100 KB each, of 400 documents. */
  private static final String[] LARGE = {
    "{$lookup: {from: 'c', pipeline: [{$limit: 14}, {$project: {_id: 1}}], as: 'times'}}",
    "{$unwind: '$times'}",
    "{$set: {_id: {a: '$_id', b: '$times._id'}, x: {$reduce: {input: {$range: [0, 14]},"
        + " initialValue: 'abcdefgh', in: {$concat: ['$$value', {$cond: [{$lt: ['$$this', 14]},"
        + " '$$value', '']}]}}}}}",
  };

  private static String[] largeAnd(String... last) {
    var stages = new ArrayList<>(List.of(LARGE));
    stages.addAll(List.of(last));
    return stages.toArray(String[]::new);
  }

  @Test
  void largeResultsReplaceACollectionInOneStep() {
    database.getCollection("large").insertOne(new Document("_id", "before"));
    database.getCollection("large").createIndex(new Document("k", 1));
    aggregate("c", largeAnd("{$out: 'large'}"));
    assertThat(database.getCollection("large").countDocuments()).isEqualTo(30 * 14);
    assertThat(database.getCollection("large").listIndexes().into(new ArrayList<>())).hasSize(2);
    assertThatNothingTemporaryIsLeft();
  }

  @Test
  void whatAFailedPipelineHasGatheredGoes() {
    database.getCollection("kept").insertOne(new Document("_id", "before"));
    assertThatThrownBy(
            () ->
                aggregate(
                    "c",
                    largeAnd(
                        "{$sort: {_id: 1}}",
                        "{$set: {y: {$divide: [1, {$subtract: ['$k', 29]}]}}}",
                        "{$out: 'kept'}")))
        .isInstanceOf(MongoCommandException.class);
    assertThat(database.getCollection("kept").find().into(new ArrayList<>()))
        .containsExactly(new Document("_id", "before"));
    Eventually.passes(
        Duration.ofMinutes(1), ShardedPipelinesTest::assertThatNothingTemporaryIsLeft);
  }

  /** As after the death of a router, which continues nothing. */
  @Test
  void whatARouterHasGatheredGoesWithItsCursor() {
    MongoDatabase shard = cluster.shard(0).getDatabase("admin");
    Document begun =
        shard.runCommand(
            Document.parse(
                "{_shardsvrReplaceCollection: 'pipelines.gone', output: {$numberLong: '0'},"
                    + " documents: [{_id: 1}]}"));
    assertThat(cluster.shard(0).getDatabase(NAME).listCollectionNames().into(new ArrayList<>()))
        .anyMatch(name -> name.startsWith("tmp"));
    cluster
        .shard(0)
        .getDatabase(NAME)
        .runCommand(
            new Document("killCursors", "gone").append("cursors", List.of(begun.get("output"))));
    assertThatNothingTemporaryIsLeft();
  }

  /** As after the death of a router that has said nothing: its heartbeats end. */
  @Test
  void whatNoRouterAsksForAnyMoreGoesByItself() {
    cluster
        .shard(0)
        .getDatabase("admin")
        .runCommand(
            Document.parse(
                "{_shardsvrReplaceCollection: 'pipelines.silent', output: {$numberLong: '0'},"
                    + " documents: [{_id: 1}], idleMillisMax: 1}"));
    Eventually.passes(
        Duration.ofMinutes(1), ShardedPipelinesTest::assertThatNothingTemporaryIsLeft);
    assertThat(cluster.shard(0).getDatabase(NAME).listCollectionNames().into(new ArrayList<>()))
        .doesNotContain("silent");
  }

  @Test
  void viewsOfShardedCollections() {
    database.createView("low", "c", List.of(Document.parse("{$match: {k: {$lt: 15}}}")));
    database.createView("lowest", "low", List.of(Document.parse("{$match: {k: {$lt: 12}}}")));
    assertThat(database.getCollection("lowest").countDocuments()).isEqualTo(12);
    assertThat(number(run("{count: 'lowest', query: {r: 0}}"), "n")).isEqualTo(4);
    assertThat(run("{distinct: 'lowest', key: 'r'}").getList("values", Integer.class))
        .containsExactlyInAnyOrder(0, 1, 2);
    assertThat(
            ids(
                database
                    .getCollection("lowest")
                    .find()
                    .sort(new Document("k", -1))
                    .skip(1)
                    .limit(2)
                    .into(new ArrayList<>())))
        .containsExactly(10, 9);
    assertThat(run("{explain: {find: 'lowest'}}").get("shards", Document.class))
        .containsOnlyKeys("shard0", "shard1");
    assertThat(
            aggregate(
                    "c", "{$match: {_id: 1}}", "{$lookup: {from: 'low', pipeline: [], as: 'all'}}")
                .getFirst()
                .getList("all", Document.class))
        .hasSize(15);
    assertThatThrownBy(() -> database.getCollection("low").insertOne(new Document()))
        .hasMessageContaining("is a view");
    assertThatThrownBy(() -> run("{find: 'low', collation: {locale: 'en'}}"))
        .hasMessageContaining("Cannot override a view's default collation");
  }

  private static long number(Document from, String field) {
    return from.get(field, Number.class).longValue();
  }
}
