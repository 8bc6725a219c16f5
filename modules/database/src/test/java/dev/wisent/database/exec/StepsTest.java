package dev.wisent.database.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.projection.Projection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each step by itself: what it gives and what it counts. */
class StepsTest {
  private TestDatabase database;
  private PlanRunner runner;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1}");
    database.createIndex("{a: 1, b: 1}");
    database.createIndex("{'d.x': 1, a: 1}");
    database.createIndex("{tags: 1}");
    database.createIndex("{u: 1}", "unique");
    for (int i = 0; i < 10; i++) {
      database.insert(
          "{_id: %d, a: %d, b: %d, u: %d, d: {x: %d}, tags: [%d, %d]}"
              .formatted(i, i / 2, i % 2, 100 - i, i % 3, i, i + 1));
    }
    runner = new PlanRunner(database);
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private Index index(String name) {
    return database.collection().index(name);
  }

  private static FieldIntervals points(String name, int... values) {
    return new FieldIntervals(
        name, Arrays.stream(values).mapToObj(v -> Interval.point(RawValue.ofInt32(v))).toList());
  }

  private static FieldIntervals range(String name, int from, int to) {
    return new FieldIntervals(
        name, List.of(new Interval(RawValue.ofInt32(from), true, RawValue.ofInt32(to), true)));
  }

  private PlanNode.IndexScan scan(String index, FieldIntervals... fields) {
    return new PlanNode.IndexScan(
        index(index), new ScanBounds.ByField(List.of(fields)), false, null);
  }

  private static PlanNode fetch(PlanNode input) {
    return new PlanNode.Fetch(input, null);
  }

  private MatchExpression filter(String json) {
    return MatchParser.parse(RawDocument.parse(json), QueryContexts.of(database.operation()));
  }

  private static SortPattern sort(String json) {
    return SortPattern.parse(RawDocument.parse(json));
  }

  private Projection projection(String json) {
    return Projection.parse(
        RawDocument.parse(json), RawDocument.EMPTY, QueryContexts.of(database.operation()));
  }

  private static void assertCounts(StageStats stats, long works, long advanced, long needTime) {
    assertThat(List.of(stats.works, stats.advanced, stats.needTime))
        .as("works, advanced, needTime of %s", stats.node().stage())
        .containsExactly(works, advanced, needTime);
  }

  @Test
  void oneRangeExaminesNoKeyTooMany() {
    PlanRunner.Result result = runner.run(fetch(scan("a_1", range("a", 1, 2))));
    assertThat(result.ids()).containsExactly(2, 3, 4, 5);
    StageStats scan = result.stats().children().getFirst();
    assertThat(scan.keysExamined).isEqualTo(4);
    assertThat(scan.seeks).isEqualTo(1);
    assertThat(result.stats().documentsExamined).isEqualTo(4);
    assertCounts(scan, 5, 4, 0);
    assertCounts(result.stats(), 5, 4, 0);
  }

  @Test
  void severalPointsAreSeparateSeeks() {
    PlanRunner.Result result = runner.run(fetch(scan("a_1", points("a", 0, 2, 4))));
    assertThat(result.ids()).containsExactly(0, 1, 4, 5, 8, 9);
    StageStats scan = result.stats().children().getFirst();
    assertThat(scan.keysExamined).as("one more after each point but the last").isEqualTo(8);
    assertThat(scan.seeks).isEqualTo(3);
    assertCounts(scan, 9, 6, 2);
  }

  @Test
  void aGapIsSkipped() {
    PlanRunner.Result result = runner.run(fetch(scan("a_1_b_1", range("a", 0, 3), points("b", 1))));
    assertThat(result.ids()).containsExactly(1, 3, 5, 7);
    StageStats scan = result.stats().children().getFirst();
    assertThat(scan.keysExamined).isEqualTo(8);
  }

  @Test
  void nothingIsReadForBoundsWithoutValues() {
    PlanRunner.Result result = runner.run(fetch(scan("a_1", new FieldIntervals("a", List.of()))));
    assertThat(result.ids()).isEmpty();
    assertThat(result.stats().totalKeysExamined()).isZero();
  }

  @Test
  void keysFromMinToMax() {
    var bounds =
        new ScanBounds.ByKey(RawDocument.parse("{a: 1, b: 1}"), RawDocument.parse("{a: 3, b: 0}"));
    var forwards = new PlanNode.IndexScan(index("a_1_b_1"), bounds, false, null);
    assertThat(runner.run(fetch(forwards)).ids()).containsExactly(3, 4, 5);
    var backwards = new PlanNode.IndexScan(index("a_1_b_1"), bounds, true, null);
    assertThat(runner.run(fetch(backwards)).ids()).containsExactly(5, 4, 3);
    var open = new ScanBounds.ByKey(null, RawDocument.parse("{a: 0, b: 1}"));
    assertThat(runner.run(fetch(new PlanNode.IndexScan(index("a_1_b_1"), open, false, null))).ids())
        .containsExactly(0);
  }

  @Test
  void aMultikeyIndexGivesARecordOnce() {
    PlanRunner.Result result = runner.run(fetch(scan("tags_1", range("tags", 3, 5))));
    assertThat(result.ids()).containsExactlyInAnyOrder(2, 3, 4, 5);
    StageStats scan = result.stats().children().getFirst();
    assertThat(scan.keysExamined).isEqualTo(6);
    assertThat(scan.duplicatesTested).isEqualTo(6);
    assertThat(scan.duplicatesDropped).isEqualTo(2);
    assertCounts(scan, 7, 4, 2);
  }

  @Test
  void aWildcardIndexGivesARecordOnce() {
    database.createIndex("{'$**': 1}");
    var bounds =
        new ScanBounds.ByField(List.of(FieldIntervals.all("$_path"), FieldIntervals.all("value")));
    Index wildcard = database.collection().index("$**_1");
    long documents = database.collection().documents();
    assertThat(runner.run(new PlanNode.IndexScan(wildcard, bounds, false, null)).recordIds())
        .doesNotHaveDuplicates()
        .hasSize((int) documents);
    assertThat(runner.run(new PlanNode.CountScan(wildcard, bounds)).recordIds())
        .hasSize((int) documents);
  }

  @Test
  void aFilterOnKeysSparesFetches() {
    var scan =
        new PlanNode.IndexScan(
            index("d.x_1_a_1"),
            new ScanBounds.ByField(List.of(FieldIntervals.all("d.x"), FieldIntervals.all("a"))),
            false,
            filter("{'d.x': {$mod: [2, 0]}, a: {$ne: 0}}"));
    PlanRunner.Result result = runner.run(fetch(scan));
    assertThat(result.ids()).containsExactly(3, 6, 9, 2, 5, 8);
    assertThat(result.stats().documentsExamined).isEqualTo(6);
  }

  @Test
  void aCoveredProjectionReadsNoDocuments() {
    var plan =
        new PlanNode.Project(
            scan("d.x_1_a_1", points("d.x", 2), FieldIntervals.all("a")),
            projection("{'d.x': 1, a: 1, _id: 0}"),
            PlanNode.Project.Kind.PROJECTION_COVERED);
    PlanRunner.Result result = runner.run(plan);
    assertThat(result.json())
        .containsExactly(
            "{\"d\": {\"x\": 2}, \"a\": 1}",
            "{\"d\": {\"x\": 2}, \"a\": 2}",
            "{\"d\": {\"x\": 2}, \"a\": 4}");
    assertThat(result.stats().totalDocumentsExamined()).isZero();
  }

  @Test
  void aCoveredProjectionTellsNullFromMissing() {
    database.insert("{_id: 20, u: null}");
    database.insert("{_id: 21, a: null, b: 1, u: 1}");
    var plan =
        new PlanNode.Project(
            scan(
                "a_1_b_1",
                new FieldIntervals("a", List.of(Interval.point(RawValue.NULL))),
                FieldIntervals.all("b")),
            projection("{a: 1, b: 1, _id: 0}"),
            PlanNode.Project.Kind.PROJECTION_COVERED);
    assertThat(runner.run(plan).json()).containsExactly("{}", "{\"a\": null, \"b\": 1}");
  }

  @Test
  void aCoveredIdKeepsItsType() {
    database.insert("{_id: {$numberLong: '50'}, u: 1}");
    database.insert("{_id: 51.0, u: 2}");
    var plan =
        new PlanNode.Project(
            scan("_id_", range("_id", 9, 60)),
            projection("{_id: 1}"),
            PlanNode.Project.Kind.PROJECTION_COVERED);
    assertThat(runner.run(plan).documents())
        .containsExactly(
            RawDocument.parse("{_id: 9}"),
            RawDocument.parse("{_id: {$numberLong: '50'}}"),
            RawDocument.parse("{_id: 51.0}"));
  }

  @Test
  void sortsWholeDocuments() {
    var scan = new PlanNode.CollectionScan(false, false, filter("{_id: {$lt: 6}}"));
    PlanRunner.Result result = runner.run(new PlanNode.Sort(scan, sort("{b: 1, u: 1}"), 0));
    assertThat(result.ids()).containsExactly(4, 2, 0, 5, 3, 1);
    assertCounts(result.stats(), 18, 6, 11);
    assertThat(result.stats().children().getFirst().documentsExamined).isEqualTo(10);
  }

  @Test
  void sortsKeysBeforeTheirDocumentsAreFetched() {
    PlanNode scan = scan("a_1_b_1", range("a", 0, 2), FieldIntervals.all("b"));
    var plan = fetch(new PlanNode.Sort(scan, sort("{b: -1, a: 1}"), 3));
    PlanRunner.Result result = runner.run(plan);
    assertThat(result.ids()).containsExactly(1, 3, 5);
    assertThat(result.stats().documentsExamined).isEqualTo(3);
  }

  @Test
  void keysAreReturnedAlsoAfterASort() {
    PlanNode sorted = new PlanNode.Sort(fetch(scan("a_1", range("a", 3, 4))), sort("{u: 1}"), 0);
    assertThat(runner.run(new PlanNode.ReturnKey(sorted)).json())
        .containsExactly("{\"a\": 4}", "{\"a\": 4}", "{\"a\": 3}", "{\"a\": 3}");
    PlanNode scan = new PlanNode.CollectionScan(false, false, filter("{_id: 1}"));
    assertThat(runner.run(new PlanNode.ReturnKey(scan)).json()).containsExactly("{}");
  }

  @Test
  void orGivesEachRecordOnce() {
    var plan =
        fetch(
            new PlanNode.Or(
                List.of(
                    scan("a_1", points("a", 1)),
                    scan("u_1", range("u", 96, 98)),
                    scan("a_1", points("a", 77)))));
    PlanRunner.Result result = runner.run(plan);
    assertThat(result.ids()).containsExactly(2, 3, 4);
    StageStats or = result.stats().children().getFirst();
    assertThat(or.duplicatesTested).isEqualTo(5);
    assertThat(or.duplicatesDropped).isEqualTo(2);
  }

  @Test
  void mergesSortedInputs() {
    var plan =
        fetch(
            new PlanNode.SortMerge(
                List.of(
                    scan("a_1_b_1", points("a", 3), FieldIntervals.all("b")),
                    scan("a_1_b_1", points("a", 1), FieldIntervals.all("b")),
                    scan("a_1_b_1", points("a", 0), FieldIntervals.all("b"))),
                sort("{b: 1}")));
    assertThat(runner.run(plan).ids()).containsExactly(6, 2, 0, 7, 3, 1);
  }

  @Test
  void skipAndLimit() {
    PlanNode scan = fetch(scan("a_1", range("a", 0, 9)));
    PlanRunner.Result result = runner.run(new PlanNode.Limit(new PlanNode.Skip(scan, 3), 4));
    assertThat(result.ids()).containsExactly(3, 4, 5, 6);
    assertCounts(result.stats(), 8, 4, 3);
    assertCounts(result.stats().children().getFirst(), 7, 4, 3);
  }

  @Test
  void countsKeys() {
    var bounds = new ScanBounds.ByField(List.of(range("a", 1, 3)));
    PlanRunner.Result result = runner.run(new PlanNode.CountScan(index("a_1"), bounds));
    assertThat(result.recordIds()).hasSize(6);
    assertThat(result.stats().keysExamined).isEqualTo(7);
    var tags = new ScanBounds.ByField(List.of(range("tags", 1, 3)));
    assertThat(runner.run(new PlanNode.CountScan(index("tags_1"), tags)).recordIds()).hasSize(4);
  }

  @Test
  void distinctScanSkips() {
    var bounds = new ScanBounds.ByField(List.of(FieldIntervals.all("a"), FieldIntervals.all("b")));
    for (boolean reverse : List.of(false, true)) {
      PlanRunner.Result result =
          runner.run(new PlanNode.DistinctScan(index("a_1_b_1"), bounds, reverse, 0));
      assertThat(result.recordIds()).hasSize(5);
      assertThat(result.stats().keysExamined).isEqualTo(5);
    }
  }

  @Test
  void distinctScanTellsNullFromMissing() {
    var bounds = new ScanBounds.ByField(List.of(FieldIntervals.all("a"), FieldIntervals.all("b")));
    var plan = new PlanNode.DistinctScan(index("a_1_b_1"), bounds, false, 0);
    database.insert("{_id: 20, u: 1}", "{_id: 21, u: 2}");
    assertThat(runner.run(plan).recordIds()).hasSize(5);
    database.insert("{_id: 22, a: null, u: 3}", "{_id: 23, a: null, u: 4}");
    assertThat(runner.run(plan).recordIds()).hasSize(6);
    database.insert("{_id: 24, a: [], u: 5}");
    assertThat(runner.run(plan).recordIds()).as("an empty array has no values").hasSize(6);
  }

  @Test
  void rowsThatWaitedAreFetchedOnlyIfTheirKeyIsStillThere() {
    var merge =
        new PlanNode.SortMerge(
            List.of(
                scan("a_1_b_1", points("a", 0), FieldIntervals.all("b")),
                scan("a_1_b_1", points("a", 1), FieldIntervals.all("b"))),
            sort("{b: 1}"));
    int[] calls = {0};
    PlanRunner.Result result =
        runner.run(
            fetch(merge),
            null,
            () -> {
              // By now the merge knows the first row of each input.
              boolean filled = ++calls[0] == 3;
              if (filled) {
                database.update("{_id: 2}", "{$set: {a: 50}}");
              }
              return filled;
            });
    assertThat(result.ids()).containsExactly(0, 1, 3);
  }

  @Test
  void batchesAddUpForEveryStep() {
    PlanNode all = scan("a_1_b_1", FieldIntervals.all("a"), FieldIntervals.all("b"));
    var plans = new ArrayList<PlanNode>();
    plans.add(new PlanNode.CollectionScan(true, false, null));
    plans.add(fetch(scan("u_1", points("u", 91, 93, 95, 99))));
    plans.add(fetch(new PlanNode.Sort(all, sort("{b: 1, a: -1}"), 0)));
    plans.add(new PlanNode.Sort(fetch(all), sort("{b: 1, a: -1}"), 0));
    plans.add(
        fetch(
            new PlanNode.Or(
                List.of(scan("a_1", range("a", 1, 3)), scan("tags_1", range("tags", 0, 4))))));
    plans.add(
        fetch(
            new PlanNode.SortMerge(
                List.of(
                    scan("a_1_b_1", points("a", 4), FieldIntervals.all("b")),
                    scan("a_1_b_1", points("a", 2), FieldIntervals.all("b"))),
                sort("{b: 1}"))));
    plans.add(new PlanNode.Limit(new PlanNode.Skip(fetch(all), 2), 5));
    plans.add(
        new PlanNode.Project(
            all, projection("{a: 1, _id: 0}"), PlanNode.Project.Kind.PROJECTION_COVERED));
    for (PlanNode plan : plans) {
      List<RawDocument> whole = runner.run(plan).documents();
      assertThat(whole).isNotEmpty();
      for (int every = 1; every <= 3; every++) {
        int step = every;
        int[] calls = {0};
        assertThat(runner.run(plan, null, () -> ++calls[0] % step == 0).documents())
            .as("%s, suspended at every %dth call", plan, every)
            .isEqualTo(whole);
      }
    }
  }
}
