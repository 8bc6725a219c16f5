package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.TestCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where the stages run that read other collections, and that explain shows the same. */
@ExtendWith(SharedCluster.class)
class JoinPlacementTest {
  private static final String NAME = "joins";
  private static final String LOOKUP =
      "{$lookup: {from: '%s', localField: 'k', foreignField: 'k', as: 'j'}}";
  private static TestCluster cluster;
  private static MongoDatabase database;
  private static MongoDatabase primaryShard;

  @BeforeAll
  static void fill(TestCluster shared) {
    cluster = shared;
    cluster.admin(new Document("enableSharding", NAME).append("primaryShard", "shard1"));
    database = cluster.client().getDatabase(NAME);
    primaryShard = cluster.shard(1).getDatabase("admin");
    cluster.shardAt(NAME + ".spread", "k", 10, 20);
    for (String collection : List.of("left", "right", "spread")) {
      database
          .getCollection(collection)
          .insertMany(
              IntStream.range(0, 30).mapToObj(i -> new Document("_id", i).append("k", i)).toList());
    }
    database.getCollection("right").createIndex(new Document("k", 1));
    database.createView("ofRight", "right", List.of());
    database.createView("ofSpread", "spread", List.of());
  }

  @Test
  void aJoinOfUnshardedCollectionsIsOneRequestToTheirShard() {
    for (String other : List.of("right", "ofRight")) {
      long before = aggregatesOfShard();
      assertThat(joined(LOOKUP.formatted(other))).as(other).isEqualTo(30);
      assertThat(aggregatesOfShard()).as(other).isEqualTo(before + 1);
    }
  }

  @Test
  void explainShowsThePlanOfTheShard() {
    Document explained =
        run(
            "{explain: {aggregate: 'left', pipeline: [%s], cursor: {}}, verbosity: 'executionStats'}"
                .formatted(LOOKUP.formatted("right")));
    Document lookup = stage(explained, "$lookup");
    assertThat(lookup.getLong("totalDocsExamined")).isEqualTo(30);
    assertThat(lookup.getList("indexesUsed", String.class)).containsExactly("k_1");
  }

  @Test
  void whatIsShardedIsJoinedAndExplainedByTheRouter() {
    for (String other : List.of("spread", "ofSpread")) {
      assertThat(joined(LOOKUP.formatted(other))).as(other).isEqualTo(30);
      Document explained =
          run(
              "{explain: {aggregate: 'left', pipeline: [%s], cursor: {}}, verbosity: 'queryPlanner'}"
                  .formatted(LOOKUP.formatted(other)));
      assertThat(explained.getString("mergeType")).as(other).isEqualTo("mongos");
      assertThat(
              explained
                  .get("splitPipeline", Document.class)
                  .getList("mergerPart", Document.class)
                  .getFirst())
          .as(other)
          .containsKey("$lookup");
    }
  }

  /** The shard finds out before the first document, so that the router can begin anew. */
  @Test
  void viewsOfShardedCollectionsAreFoundInPipelinesOfStages() {
    String inner = LOOKUP.formatted("ofSpread");
    for (String stage :
        List.of(
            "{$lookup: {from: 'right', let: {k: '$k'}, pipeline: [{$match: {$expr: {$eq: ['$k',"
                + " '$$k']}}}, %s, {$match: {j: {$size: 1}}}], as: 'j'}}".formatted(inner),
            "{$facet: {f: [%s, {$match: {j: {$size: 1}}}]}}, {$unwind: '$f'}, {$set: {j: '$f.j'}}"
                .formatted(inner),
            "{$limit: 1}, {$unionWith: {coll: 'right', pipeline: [{$match: {k: {$gt: 0}}}, "
                + inner
                + "]}}, {$set: {j: ['$k']}}")) {
      assertThat(joined(stage)).as(stage).isEqualTo(30);
    }
  }

  @Test
  void viewsOfAnotherCollationAreRefused() {
    run("{create: 'folded', viewOn: 'right', collation: {locale: 'en', strength: 2}}");
    for (String source : List.of("'left'", "'spread'", "'nothing'", "1")) {
      for (String stage :
          List.of(
              LOOKUP.formatted("folded"),
              "{$lookup: {from: 'folded', pipeline: [], as: 'j'}}",
              "{$graphLookup: {from: 'folded', startWith: '$k', connectFromField: 'k',"
                  + " connectToField: 'k', as: 'j'}}",
              "{$unionWith: 'folded'}")) {
        String first = source.equals("1") ? "{$documents: []}" : "{$match: {k: -1}}";
        assertThatThrownBy(
                () ->
                    run(
                        "{aggregate: %s, pipeline: [%s, %s], cursor: {}}"
                            .formatted(source, first, stage)))
            .as(source + stage)
            .hasMessageContaining("Cannot override a view's default collation");
      }
    }
  }

  @Test
  void aCollectionThatIsShardedMeanwhileIsJoined() {
    run("{insert: 'later', documents: [{_id: 1, k: 1}, {_id: 2, k: 2}]}");
    assertThat(joined(LOOKUP.formatted("later"), "{$match: {'j.0': {$exists: true}}}"))
        .isEqualTo(2);
    run("{createIndexes: 'later', indexes: [{key: {k: 1}, name: 'k'}]}");
    cluster.admin(new Document("shardCollection", NAME + ".later").append("key", keyOfK()));
    assertThat(joined(LOOKUP.formatted("later"), "{$match: {'j.0': {$exists: true}}}"))
        .isEqualTo(2);
  }

  /** The primary shard leaves the view to the router, and its part of the transaction goes on. */
  @Test
  void aTransactionReadsViewsOfShardedCollections() {
    for (boolean first : new boolean[] {true, false}) {
      try (ClientSession session = cluster.client().startSession()) {
        session.startTransaction();
        if (!first) {
          database
              .getCollection("left")
              .updateOne(session, keyOfK(), Document.parse("{$inc: {n: 1}}"));
        }
        assertThat(database.getCollection("ofSpread").find(session)).hasSize(30);
        assertThat(
                database
                    .getCollection("left")
                    .aggregate(session, List.of(Document.parse(LOOKUP.formatted("ofSpread"))))
                    .into(new ArrayList<>()))
            .hasSize(30);
        database
            .getCollection("left")
            .updateOne(session, keyOfK(), Document.parse("{$inc: {n: 1}}"));
        session.commitTransaction();
      }
    }
    assertThat(database.getCollection("left").find(keyOfK()).first()).containsEntry("n", 3);
  }

  private static Document keyOfK() {
    return new Document("k", 1);
  }

  private static long aggregatesOfShard() {
    Document status = primaryShard.runCommand(new Document("serverStatus", 1));
    return status
        .get("metrics", Document.class)
        .get("commands", Document.class)
        .get("aggregate", Document.class)
        .getLong("total");
  }

  /** How many documents have exactly one partner, read in batches from an empty one on. */
  private static long joined(String... stages) {
    var pipeline = new ArrayList<>(Arrays.asList(stages));
    Document reply =
        run(
            "{aggregate: 'left', pipeline: [%s], cursor: {batchSize: 0}}"
                .formatted(String.join(", ", pipeline)));
    var more =
        new Document("getMore", reply.get("cursor", Document.class).getLong("id"))
            .append("collection", "left");
    return database
        .runCommand(more)
        .get("cursor", Document.class)
        .getList("nextBatch", Document.class)
        .stream()
        .filter(each -> each.getList("j", Object.class).size() == 1)
        .count();
  }

  private static Document stage(Document explained, String name) {
    return explained.getList("stages", Document.class).stream()
        .filter(each -> each.containsKey(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(explained.toJson()));
  }

  private static Document run(String command) {
    return database.runCommand(Document.parse(command));
  }
}
