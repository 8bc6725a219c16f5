package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.pipeline.optimize.Optimizer;
import dev.wisent.pipeline.sort.MemoryScratch;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What documents carry goes along with them as far as a stage asks for it. */
class MetadataStagesTest {
  /** With record ids 10, 20 and 30, and distances that go down. */
  private static List<RawDocument> carrying(String... documents) {
    var all = new ArrayList<RawDocument>();
    for (int i = 0; i < documents.length; i++) {
      RawDocument document = RawDocument.parse(documents[i]);
      all.add(
          RawDocument.of(
              new MetadataWriter()
                  .start()
                  .put(MetaType.RECORD_ID, RawValue.ofInt32(10 * (i + 1)))
                  .put(MetaType.GEO_NEAR_DISTANCE, documents.length - i)
                  .put(MetaType.INDEX_KEY, RawValue.ofDocument(RawDocument.parse("{k: {l: 1}}")))
                  .on(document)
                  .toByteArray()));
    }
    return all;
  }

  private static List<RawDocument> run(String stages, StageRun run) {
    List<RawDocument> input =
        carrying(
            "{_id: 1, a: [1, 2], b: {c: 1}}", "{_id: 2, a: [3], b: {c: 2}}", "{_id: 3, b: {}}");
    Pipeline pipeline = StageFixture.parse(stages);
    List<RawDocument> results = StageFixture.run(pipeline, input, run);
    assertThat(StageFixture.run(Optimizer.optimize(pipeline), input, run)).isEqualTo(results);
    return results;
  }

  /** What the stage makes of the documents, with the record ids that are left behind it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {$match: {_id: {$gt: 1}}}          | [20, 30]
          {$match: {}}                       | [10, 20, 30]
          {$project: {b: 1}}                 | [10, 20, 30]
          {$project: {b: 0}}                 | [10, 20, 30]
          {$project: {d: {$meta: "geoNearDistance"}}} | [10, 20, 30]
          {$unset: ["a", "b"]}               | [10, 20, 30]
          {$addFields: {x: 1, a: 2}}         | [10, 20, 30]
          {$set: {x: {$meta: "recordId"}}}   | [10, 20, 30]
          {$replaceRoot: {newRoot: "$b"}}    | [10, 20, 30]
          {$replaceWith: "$$ROOT"}           | [10, 20, 30]
          {$redact: "$$KEEP"}                | [10, 20, 30]
          {$redact: {$cond: [{$ifNull: ["$_id", false]}, "$$DESCEND", "$$PRUNE"]}} | [10, 20, 30]
          {$unwind: "$a"}                    | [10, 10, 20]
          {$sort: {_id: -1}}                 | [30, 20, 10]
          {$sort: {x: {$meta: "geoNearDistance"}}} | [10, 20, 30]
          {$sort: {x: {$meta: "randVal"}}}   | [10, 20, 30]
          {$sort: {x: {$meta: "randVal"}, _id: -1}} | [30, 20, 10]
          {$limit: 2}                        | [10, 20]
          {$skip: 2}                         | [30]
          {$setWindowFields: {sortBy: {_id: -1}, output: {n: {$documentNumber: {}}}}} | [30, 20, 10]
          {$fill: {output: {b: {value: 1}}}} | [10, 20, 30]
          {$group: {_id: "$_id"}}            | [null, null, null]
          {$bucketAuto: {groupBy: "$_id", buckets: 1}} | [null]
          {$count: "n"}                      | [null]
          {$facet: {f: [{$set: {x: {$meta: "recordId"}}}]}} | [null]
          """)
  void keptAndDropped(String stage, String recordIds) {
    String asking = "{$set: {m: {$meta: 'recordId'}}}";
    try (StageRun run = StageRun.inMemory()) {
      List<RawDocument> results = run("[" + stage + ", " + asking + "]", run);
      var ids = new ArrayList<String>();
      results.forEach(d -> ids.add(d.get("m") == null ? "null" : "" + d.get("m").asInt32()));
      assertThat(ids.toString()).isEqualTo(recordIds);
      assertThat(results).noneMatch(document -> ValueText.of(document).contains("$meta:"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [{$set: {m: {$meta: "recordId"}}}, {$match: {m: 20}}, {$project: {m: 1}}] | [{_id: 2, m: 20}]
          [{$match: {$expr: {$gt: [{$meta: "geoNearDistance"}, 2]}}}, {$project: {_id: 1}}] | [{_id: 1}]
          [{$group: {_id: null, far: {$max: {$meta: "geoNearDistance"}}, all: {$push: "$$ROOT"}}}, {$set: {all: {$size: "$all"}, x: {$meta: "recordId"}}}] | [{_id: null, far: 3.0, all: 3}]
          [{$limit: 1}, {$group: {_id: null, all: {$push: "$$ROOT"}, m: {$min: {$meta: "recordId"}}}}] | [{_id: null, all: [{_id: 1, a: [1, 2], b: {c: 1}}], m: 10}]
          [{$group: {_id: null, top: {$top: {output: "$_id", sortBy: {d: {$meta: "geoNearDistance"}}}}}}] | [{_id: null, top: 1}]
          [{$limit: 1}, {$project: {k: {$meta: "indexKey"}}}] | [{_id: 1, k: {k: {l: 1}}}]
          [{$limit: 1}, {$project: {k: {$let: {vars: {k: {$meta: "indexKey"}}, in: "$$k.k.l"}}}}] | [{_id: 1, k: 1}]
          [{$limit: 1}, {$project: {s: {$meta: "searchScore"}, t: {$meta: "timeseriesBucketMinTime"}}}] | [{_id: 1}]
          [{$facet: {m: [{$limit: 1}, {$project: {m: {$meta: "recordId"}}}], n: [{$skip: 2}], o: [{$limit: 1}, {$unwind: "$a"}, {$sort: {a: -1}}, {$limit: 1}]}}] | [{m: [{_id: 1, m: 10}], n: [{_id: 3, b: {}}], o: [{_id: 1, a: 2, b: {c: 1}}]}]
          [{$skip: 2}, {$replaceWith: {r: "$$ROOT", m: {$meta: "recordId"}}}] | [{r: {_id: 3, b: {}}, m: 30}]
          """)
  void asked(String stages, String expected) {
    try (StageRun run = StageRun.inMemory()) {
      assertThat(run(stages, run)).isEqualTo(StageFixture.documents(expected));
    }
  }

  @Test
  void sortKeysKeepTheirSort() {
    Pipeline pipeline =
        Optimizer.optimize(
            StageFixture.parse("[{$sort: {a: 1}}, {$group: {_id: {$meta: 'sortKey'}}}]"));
    assertThat(pipeline.stages().getFirst()).isInstanceOf(SortStage.class);
    pipeline = Optimizer.optimize(StageFixture.parse("[{$sort: {a: 1}}, {$group: {_id: '$a'}}]"));
    assertThat(pipeline.stages()).hasSize(1);
  }

  @Test
  void survivesFiles() {
    String[] documents = new String[200];
    for (int i = 0; i < documents.length; i++) {
      documents[i] = "{_id: " + i + ", a: " + i * 37 % 200 + "}";
    }
    Pipeline pipeline =
        StageFixture.parse("[{$sort: {a: 1}}, {$project: {a: 1, m: {$meta: 'recordId'}}}]");
    try (StageRun run =
        StageRun.of(new SortSpace(1000, new MemoryScratch(), WorkMeter.unchecked()))) {
      List<RawDocument> results = StageFixture.run(pipeline, carrying(documents), run);
      assertThat(results).hasSize(documents.length);
      for (int i = 0; i < documents.length; i++) {
        assertThat(results.get(i).get("a").asInt32()).isEqualTo(i);
        int id = results.get(i).get("_id").asInt32();
        assertThat(results.get(i).get("m").asInt32()).isEqualTo(10 * (id + 1));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void samplesAreInTheOrderOfTheirNumbers(boolean fromCursor) {
    var random = new Random(1);
    QueryContext context = QueryContext.of(() -> 0, random::nextDouble);
    Pipeline parsed =
        Pipeline.parse(
            StageFixture.array("[{$sample: {size: 2}}, {$project: {r: {$meta: 'randVal'}}}]"),
            context);
    Stage sample =
        fromCursor
            ? new SampleFromRandomCursorStage(2, random::nextDouble, false)
            : parsed.stages().getFirst();
    var pipeline =
        new Pipeline(null, RawDocument.EMPTY, List.of(sample, parsed.stages().getLast()));
    try (StageRun run = StageRun.inMemory()) {
      List<RawDocument> input = StageFixture.documents("[{_id: 1}, {_id: 2}]");
      List<RawDocument> results = StageFixture.run(pipeline, input, run);
      assertThat(results)
          .extracting(document -> document.get("r").toDouble())
          .hasSize(2)
          .allMatch(value -> value >= 0 && value < 1)
          .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }
  }
}
