package dev.wisent.cluster.router.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.Limits;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SortSettings;
import dev.wisent.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AggregatedReadsTest {
  private static final SortSettings SORTING = TestShards.sorting();
  private static TestShards shards;
  private static AggregatedReads reads;
  private final OperationContext operation = TestShards.operation();

  @BeforeAll
  static void start() {
    shards = new TestShards(3);
    reads =
        new AggregatedReads(
            shards,
            shards,
            new StaleRetry(null),
            SORTING,
            new OpenOutputs(shards, Clock.system(), RandomSource.system()));
    shards.create("");
    shards.forEachDatabase(
        database ->
            shards.run(
                database,
                "{createIndexes: 'c', indexes: [{key: {t: 'text'}, name: 't'},"
                    + " {key: {p: '2dsphere'}, name: 'p'}]}"));
    var documents = new ArrayList<RawDocument>();
    var others = new ArrayList<RawDocument>();
    for (int i = 0; i < 200; i++) {
      documents.add(
          RawDocument.parse(
              "{_id: %d, a: %d, b: 'x%d', g: [%d, %d], t: '%s', p: [%d, %d], w: %s}"
                  .formatted(
                      i,
                      i * 7 % 10,
                      i % 4,
                      i % 5,
                      i % 3,
                      "tea ".repeat(1 + i % 5) + "milk",
                      i * 5 % 31,
                      i % 13,
                      i % 3 == 0 ? "0.1" : "{$numberDecimal: '0.3'}")));
      if (i < 12) {
        others.add(RawDocument.parse("{_id: %d, a: %d, up: %d}".formatted(i, i % 6, i / 2)));
      }
    }
    shards.spread(documents, i -> i % 7 % 3);
    shards.insert(0, "o", others);
  }

  @AfterAll
  static void stop() {
    shards.close();
  }

  private ResultCursor open(Namespace namespace, String pipeline) {
    RawDocument stages = RawDocument.parse("{p: " + pipeline + "}").get("p").asDocument();
    Pipeline parsed = Pipeline.parse(stages, QueryContexts.of(operation, null));
    return reads.aggregate(operation, new AggregateRequest(namespace, parsed, null));
  }

  private List<RawDocument> aggregate(String pipeline) {
    return TestShards.drain(open(TestShards.COLLECTION, pipeline));
  }

  private static List<RawDocument> whole(String pipeline) {
    return shards.whole(
        RawDocument.parse("{aggregate: 'c', cursor: {}, pipeline: " + pipeline + "}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{$sort: {a: -1, _id: 1}}, {$skip: 20}, {$limit: 50}, {$project: {b: 1}}]",
        "[{$group: {_id: '$a', n: {$sum: 1}, avg: {$avg: '$_id'}, sd: {$stdDevPop: '$_id'},"
            + " w: {$sum: '$w'}, max: {$max: '$b'}}}, {$sort: {_id: 1}}]",
        "[{$match: {a: {$gt: 4}}}, {$sort: {_id: -1}}, {$group: {_id: '$b', f: {$first: '$_id'},"
            + " all: {$push: '$a'}}}, {$sort: {_id: 1}}]",
        "[{$unwind: '$g'}, {$sortByCount: '$g'}]",
        "[{$match: {a: 3}}, {$count: 'n'}]",
        "[{$bucketAuto: {groupBy: '$_id', buckets: 4}}]",
        "[{$facet: {x: [{$sort: {_id: 1}}, {$limit: 3}], n: [{$count: 'n'}]}}]",
        "[{$sort: {_id: 1}}, {$setWindowFields: {partitionBy: '$a', sortBy: {_id: 1},"
            + " output: {r: {$rank: {}}, s: {$sum: '$_id', window: {documents: [-1, 1]}}}}},"
            + " {$sort: {_id: 1}}]",
        "[{$match: {$text: {$search: 'tea'}}}, {$sort: {s: {$meta: 'textScore'}, _id: 1}},"
            + " {$limit: 60}, {$project: {s: {$meta: 'textScore'}}}]",
        "[{$geoNear: {near: {type: 'Point', coordinates: [3.3, 0.21]}, distanceField: 'd'}},"
            + " {$limit: 40}, {$project: {_id: 1, d: 1}}]",
        "[{$match: {_id: {$lt: 40}}}, {$lookup: {from: 'o', localField: 'a', foreignField: 'a',"
            + " as: 'j'}}, {$sort: {_id: 1}}]",
        "[{$match: {_id: {$lt: 20}}}, {$lookup: {from: 'o', let: {x: '$a'}, pipeline: [{$match:"
            + " {$expr: {$gte: ['$a', '$$x']}}}, {$sort: {_id: -1}}, {$limit: 2}], as: 'j'}},"
            + " {$sort: {_id: 1}}]",
        "[{$match: {_id: {$lt: 20}}}, {$lookup: {from: 'c', localField: 'a', foreignField: '_id',"
            + " pipeline: [{$project: {b: 1}}], as: 'j'}}, {$unwind: '$j'}, {$sort: {_id: 1}}]",
        "[{$match: {_id: 11}}, {$graphLookup: {from: 'o', startWith: '$_id',"
            + " connectFromField: 'up', connectToField: '_id', as: 'h', depthField: 'd'}},"
            + " {$project: {n: {$size: '$h'}, m: {$max: '$h.d'}}}]",
        "[{$match: {_id: {$lt: 5}}}, {$unionWith: {coll: 'o', pipeline: [{$match: {a: 1}}]}},"
            + " {$unionWith: {coll: 'c', pipeline: [{$count: 'all'}]}},"
            + " {$sort: {_id: 1, a: 1, all: 1}}]",
        "[{$match: {$expr: {$lt: ['$$NOW', '$_id']}}}, {$count: 'n'}]",
      })
  void shardsAndMergeGiveWhatOneNodeGives(String pipeline) {
    assertThat(aggregate(pipeline)).isEqualTo(whole(pipeline));
  }

  /** Groups that a sort puts in order here, of more than may be held in memory. */
  private static final String LARGE =
      "[{$group: {_id: '$_id', w: {$sum: '$a'}}}, {$sort: {w: 1, _id: -1}}]";

  @Test
  void aMergeThatIsTooLargeForMemoryUsesFiles() {
    SORTING.bytesMax(2_000);
    try {
      assertThat(aggregate(LARGE)).isEqualTo(whole(LARGE));
      operation.allowDiskUse(false);
      assertThatThrownBy(() -> aggregate(LARGE)).hasMessageContaining("memory");
    } finally {
      SORTING.bytesMax(Limits.SORT_BYTES_MAX);
    }
  }

  @Test
  void onlyTheShardsPartIsSent() {
    shards.forgetSent();
    aggregate("[{$match: {a: 1}}, {$group: {_id: null, n: {$sum: '$_id'}}}]");
    assertThat(shards.sent()).hasSize(3);
    RawDocument command = shards.sent().getFirst().command();
    assertThat(command.get("pipeline").asDocument().fieldCount()).isEqualTo(2);
    assertThat(command.get("fromRouter").isTruthy()).isTrue();
  }

  @Test
  void aSampleIsOfAllShards() {
    List<RawDocument> sample = aggregate("[{$sample: {size: 30}}]");
    assertThat(sample).hasSize(30).doesNotHaveDuplicates();
    assertThat(sample.getFirst().elements().next()).isTrue();
    assertThat(sample).allMatch(document -> document.get("a") != null);
    assertThat(sample).noneMatch(document -> document.toJson().contains("$meta"));
  }

  @Test
  void resultsComeInBatches() {
    ResultCursor cursor = open(TestShards.COLLECTION, "[{$sort: {_id: 1}}, {$project: {_id: 1}}]");
    for (int i = 0; i < 200; i++) {
      assertThat(cursor.peek().get("_id").toLong()).isEqualTo(i);
      cursor.take();
      if (i % 30 == 0) {
        cursor.peek();
        cursor.detach();
        cursor.attach(TestShards.operation());
      }
    }
    assertThat(cursor.peek()).isNull();
    assertThat(cursor.isExhausted()).isTrue();
    cursor.close();
  }

  @Test
  void eachShardReportsOnItself() {
    assertThat(aggregate("[{$collStats: {count: {}}}, {$sort: {shard: 1}}]"))
        .extracting(document -> document.get("shard").asString())
        .containsExactly("s0", "s1", "s2");
    assertThat(aggregate("[{$collStats: {count: {}}}, {$group: {_id: 1, n: {$sum: '$count'}}}]"))
        .extracting(document -> document.get("n").toLong())
        .containsExactly(200L);
    assertThat(aggregate("[{$indexStats: {}}, {$match: {shard: 's1'}}]")).hasSize(3);
  }

  @Test
  void aPipelineWithoutACollectionRunsHere() {
    assertThat(
            TestShards.drain(
                open(
                    new Namespace("test", AggregatedReads.NO_COLLECTION),
                    "[{$documents: [{a: 1}, {a: 2}]}, {$match: {a: 2}},"
                        + " {$lookup: {from: 'o', localField: 'a', foreignField: 'a', as: 'j'}},"
                        + " {$project: {n: {$size: '$j'}}}]")))
        .extracting(document -> document.get("n").toLong())
        .containsExactly(2L);
  }

  @Test
  void resultsReplaceACollection() {
    shards.run("s0", "{create: 'out'}");
    shards.run("s0", "{createIndexes: 'out', indexes: [{key: {n: 1}, name: 'n'}]}");
    assertThat(aggregate("[{$group: {_id: '$a', n: {$sum: 1}}}, {$out: 'out'}]")).isEmpty();
    assertThat(shards.run("s0", "{count: 'out'}").get("n").toLong()).isEqualTo(10);
    assertThat(shards.run("s0", "{listIndexes: 'out'}").toJson()).contains("\"name\": \"n\"");
    assertThatThrownBy(() -> aggregate("[{$out: 't'}]")).hasMessageContaining("is sharded");
  }

  @Test
  void resultsGoIntoACollectionWhereverItsDocumentsAre() {
    String stages = "{$project: {v: '$a'}}, {$merge: {into: '%s', whenMatched: 'merge'}}]";
    assertThat(aggregate("[" + stages.formatted("m"))).isEmpty();
    assertThat(shards.run("s0", "{count: 'm'}").get("n").toLong()).isEqualTo(200);
    assertThat(aggregate("[{$match: {_id: {$gt: 100}}}, " + stages.formatted("t"))).isEmpty();
    long all = 0;
    for (String shard : shards.shards()) {
      long there = shards.run(shard, "{count: 't'}").get("n").toLong();
      assertThat(there).isEqualTo(33);
      all += there;
    }
    assertThat(all).isEqualTo(99);
  }
}
