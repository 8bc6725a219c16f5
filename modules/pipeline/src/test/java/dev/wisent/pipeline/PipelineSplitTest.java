package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.query.context.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineSplitTest {
  private static final int ROUNDS = 300;

  /** Stages of which the result over numbers is exact, in whatever order they are added up. */
  private static final String[] STAGES = {
    "{$group: {_id: '$k', v: {$sum: '$v'}, a: {$avg: '$v'}, n: {$count: {}}}}",
    "{$group: {_id: '$k', v: {$push: '$v'}, f: {$first: '$v'}, l: {$last: '$v'}}}",
    "{$group: {_id: null, v: {$addToSet: '$v'}, o: {$mergeObjects: '$o'}}}",
    "{$group: {_id: '$k', v: {$firstN: {n: 2, input: '$v'}}, l: {$lastN: {n: 3, input: '$v'}}}}",
    "{$group: {_id: '$k', v: {$minN: {n: 2, input: '$v'}}, l: {$maxN: {n: 3, input: '$v'}}}}",
    "{$group: {_id: '$o', v: {$min: '$v'}, l: {$max: '$v'}}}",
    "{$group: {_id: '$k', v: {$top: {sortBy: {v: 1}, output: '$i'}}}}",
    "{$group: {_id: '$k', v: {$bottomN: {n: 2, sortBy: {v: -1}, output: ['$i', '$v']}}}}",
    "{$group: {_id: '$k', v: {$median: {input: '$v', method: 'approximate'}}}}",
    "{$bucket: {groupBy: '$v', boundaries: [0, 3, 7], default: 'other'}}",
    "{$bucketAuto: {groupBy: '$v', buckets: 3}}",
    "{$sortByCount: '$k'}",
    "{$count: 'v'}",
    "{$sort: {v: 1}}",
    "{$sort: {k: -1, i: 1}}",
    "{$limit: 5}",
    "{$skip: 4}",
    "{$sort: {v: -1}}, {$limit: 6}",
    "{$match: {v: {$gt: 2}}}",
    "{$set: {v: {$add: ['$v', 1]}}}",
    "{$unset: 'o'}",
    "{$project: {k: 1, v: {$ifNull: ['$v', 0]}}}",
    "{$replaceWith: {k: '$v', v: '$k', i: '$i'}}",
    "{$unwind: {path: '$l', includeArrayIndex: 'v'}}",
    "{$redact: {$cond: [{$eq: ['$x', 1]}, '$$PRUNE', '$$DESCEND']}}",
    "{$densify: {field: 'i', range: {step: 1, bounds: 'full'}}}",
    "{$densify: {field: 'i', partitionByFields: ['k'], range: {step: 2, bounds: [0, 9]}}}",
    "{$fill: {sortBy: {i: 1}, output: {v: {method: 'locf'}}}}",
    "{$fill: {partitionByFields: ['k'], sortBy: {i: 1}, output: {v: {value: 0}}}}",
    "{$setWindowFields: {partitionBy: '$k', sortBy: {i: 1}, output: {"
        + "s: {$sum: '$v', window: {documents: [-1, 1]}}, r: {$rank: {}}}}}",
    "{$setWindowFields: {partitionBy: {$ifNull: ['$k', 9]}, sortBy: {i: -1}, output: {"
        + "s: {$shift: {output: '$v', by: 1}}}}}",
    "{$facet: {a: [{$group: {_id: '$k', n: {$sum: 1}}}], b: [{$sort: {i: 1}}, {$limit: 2}]}}"
  };

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void shardsAndMergeGiveWhatTheWholeGives() {
    int compared = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<List<RawDocument>> shards = shards();
      List<RawDocument> all = shards.stream().flatMap(List::stream).toList();
      var stages = new StringBuilder("[");
      int count = 1 + random.nextInt(3);
      for (int i = 0; i < count; i++) {
        stages.append(i == 0 ? "" : ", ").append(STAGES[random.nextInt(STAGES.length)]);
      }
      String text = stages.append("]").toString();
      Pipeline pipeline = StageFixture.parse(text);
      List<RawDocument> whole;
      try (StageRun run = StageRun.inMemory()) {
        whole = StageFixture.run(pipeline, all, run);
      } catch (CommandException e) {
        continue;
      }
      try (StageRun run = StageRun.inMemory()) {
        assertThat(SplitFixture.run(pipeline, shards, StageFixture.CONTEXT, run))
            .as("seed %d, round %d: %s over %s", seed, round, text, shards)
            .isEqualTo(whole);
        compared++;
      }
    }
    assertThat(compared).as("pipelines that did not fail").isGreaterThan(ROUNDS * 2 / 3);
  }

  private List<List<RawDocument>> shards() {
    var shards = new ArrayList<List<RawDocument>>();
    int count = 1 + random.nextInt(4);
    int id = 0;
    for (int i = 0; i < count; i++) {
      var documents = new ArrayList<RawDocument>();
      int size = random.nextInt(9);
      for (int j = 0; j < size; j++) {
        documents.add(document(id++));
      }
      shards.add(documents);
    }
    return shards;
  }

  private RawDocument document(int id) {
    var out = new BsonBuilder().appendInt32("i", id);
    if (random.nextInt(6) > 0) {
      out.appendInt32("k", random.nextInt(3));
    }
    switch (random.nextInt(5)) {
      case 0 -> {}
      case 1 -> out.appendDouble("v", random.nextInt(80) / 10.0);
      default -> out.appendInt32("v", random.nextInt(9));
    }
    out.startDocument("o").appendInt32("x", random.nextInt(2)).end();
    out.startArray("l");
    for (int i = random.nextInt(3); i > 0; i--) {
      out.appendInt32(Integer.toString(2 - i), i);
    }
    return out.end().toDocument();
  }

  @Test
  void aSampleOfAllShardsIsASampleOfTheWhole() {
    var numbers = new SplittableRandom(seed);
    QueryContext context = QueryContext.of(() -> 0, numbers::nextDouble);
    Pipeline pipeline = Pipeline.parse(StageFixture.array("[{$sample: {size: 4}}]"), context);
    List<RawDocument> few = StageFixture.documents("[{_id: 1}]");
    List<RawDocument> many = new ArrayList<>();
    for (int i = 2; i <= 20; i++) {
      many.add(new BsonBuilder().appendInt32("_id", i).toDocument());
    }
    int ofFew = 0;
    for (int round = 0; round < 1000; round++) {
      try (StageRun run = StageRun.inMemory()) {
        List<RawDocument> sample = SplitFixture.run(pipeline, List.of(few, many), context, run);
        assertThat(sample).doesNotHaveDuplicates().hasSize(4);
        assertThat(sample).allMatch(document -> document.fieldCount() == 1);
        ofFew += sample.contains(few.getFirst()) ? 1 : 0;
      }
    }
    // One of twenty is among four of them in a fifth of the samples.
    assertThat(ofFew).isBetween(130, 270);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{$match: {a: 1}}, {$set: {b: 1}}]             | {$match, $set                | }                | ANYWHERE
          [{$limit: 3}, {$skip: 1}]                      | {$limit                      | }$limit, $skip   | ANYWHERE
          [{$sort: {a: 1}}, {$set: {b: 1}}]              | {$sort                       | }$set            | ANYWHERE
          [{$group: {_id: '$a'}}, {$match: {_id: 1}}]    | {$group                      | }$group, $match  | ANYWHERE
          [{$count: 'n'}]                                | {$count                      | }$group, $project | ANYWHERE
          [{$unwind: '$a'}, {$bucketAuto: {groupBy: '$a', buckets: 2}}] | {$unwind      | }$bucketAuto     | ANYWHERE
          [{$set: {a: 1}}, {$facet: {f: [{$limit: 1}]}}] | {$set                        | }$facet          | ANYWHERE
          [{$lookup: {from: 'sharded', localField: 'a', foreignField: 'b', as: 'c'}}] | {$lookup | }       | ANYWHERE
          [{$lookup: {from: 'o', localField: 'a', foreignField: 'b', as: 'c'}}] | {     | }$lookup         | SHARD
          [{$graphLookup: {from: 'o', startWith: '$a', connectFromField: 'a', connectToField: 'b', as: 'c'}}] | { | }$graphLookup | SHARD
          [{$facet: {f: [{$lookup: {from: 'o', localField: 'a', foreignField: 'b', as: 'c'}}]}}] | { | }$facet | SHARD
          [{$unionWith: 'sharded'}]                      | {                            | }$unionWith      | SHARD
          [{$match: {a: 1}}, {$out: 'sharded'}]          | {$match                      | }$out            | SHARD
          [{$match: {a: 1}}, {$merge: 'sharded'}]        | {$match, $merge              | }                | ANYWHERE
          [{$match: {a: 1}}, {$merge: 'o'}]              | {$match                      | }$merge          | SHARD
          [{$sample: {size: 2}}]                         | {$sample                     | }$limit          | ANYWHERE
          [{$setWindowFields: {sortBy: {a: 1}, output: {r: {$rank: {}}}}}] | {$sort     | }$_internalSetWindowFields | ANYWHERE
          [{$geoNear: {near: [0, 0], distanceField: 'd', key: 'p'}}, {$limit: 1}] | {$geoNear | }$limit    | ANYWHERE
          """)
  void stagesRunWhereTheyCan(String stages, String shard, String merge, MergeSite site) {
    PipelineSplit split =
        PipelineSplit.of(
            StageFixture.parse(stages),
            StageFixture.CONTEXT,
            (database, collection) -> collection.equals("sharded"));
    assertThat(names(split.shard())).isEqualTo(shard.substring(1));
    assertThat(names(split.merge())).isEqualTo(merge.substring(1));
    assertThat(split.site()).isEqualTo(site);
  }

  private static String names(Pipeline pipeline) {
    var names = new ArrayList<String>();
    var stages = pipeline.serialize().elements();
    while (stages.next()) {
      var fields = stages.value().elements();
      fields.next();
      names.add(fields.name());
    }
    return String.join(", ", names);
  }

  @Test
  void whatMakesItsDocumentsHasNoShards() {
    PipelineSplit split =
        PipelineSplit.of(
            StageFixture.parse("[{$documents: [{a: 1}]}, {$limit: 1}]"),
            StageFixture.CONTEXT,
            (database, collection) -> true);
    assertThat(split.shard()).isNull();
    assertThat(names(split.merge())).isEqualTo("$documents, $limit");
  }

  @Test
  void partialStatesAreForRoutersOnly() {
    StageFixture.checkErrors(
        List.of(),
        """
        [{$group: {_id: null, $doingMerge: true}}] !! 40234 The field '$doingMerge' must be an accumulator object
        [{$group: {_id: null, $willBeMerged: true}}] !! 40234 The field '$willBeMerged' must be an accumulator object
        [{$_internalSetWindowFields: {output: {}}}] !! 40324 Unrecognized pipeline stage name: '$_internalSetWindowFields'
        [{$_internalDensify: {}}] !! 40324 Unrecognized pipeline stage name: '$_internalDensify'
        """);
  }
}
