package dev.wisent.database.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.PlanNode.Project;
import dev.wisent.database.plan.StageStats;
import dev.wisent.database.planner.PlanLimits;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.ExplainRequest.Verbosity;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.projection.Projection;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans made by hand, and the fields of their explain in order. */
class ReportDocumentTest {
  private PlanReports reports;

  @BeforeEach
  void open(@TempDir Path directory) {
    reports = new PlanReports(directory);
  }

  @AfterEach
  void close() {
    reports.close();
  }

  @Test
  void queryPlanner() {
    var plan =
        PlanReports.stats(
            new PlanNode.CollectionScan(false, false, PlanReports.filter("{b: 2, a: 1}")));
    assertThat(reports.explain(PlanReports.FIND, plan, Verbosity.QUERY_PLANNER, null).toJson())
        .isEqualTo(
            PlanReports.json(
                """
                {queryPlanner: {
                  namespace: 'test.c',
                  parsedQuery: {$and: [{a: {$eq: 1}}, {b: {$gt: 2}}]},
                  indexFilterSet: false,
                  queryHash: '0A1B2C3D',
                  planCacheShapeHash: '0A1B2C3D',
                  planCacheKey: '4E5F6071',
                  optimizationTimeMillis: 0,
                  maxIndexedOrSolutionsReached: false,
                  maxIndexedAndSolutionsReached: false,
                  maxScansToExplodeReached: false,
                  prunedSimilarIndexes: false,
                  winningPlan: {
                    isCached: false,
                    stage: 'COLLSCAN',
                    filter: {$and: [{a: {$eq: 1}}, {b: {$eq: 2}}]},
                    direction: 'forward'},
                  rejectedPlans: []}}
                """));
  }

  @Test
  void indexScanBelowFetch() {
    var scan = new PlanNode.IndexScan(reports.index(), reports.bounds(), false, null);
    assertThat(
            reports
                .planned(PlanReports.FIND, new PlanNode.Fetch(scan, PlanReports.filter("{c: 1}")))
                .toJson())
        .isEqualTo(
            PlanReports.json(
                """
                {isCached: false,
                 stage: 'FETCH',
                 filter: {c: {$eq: 1}},
                 inputStage: {
                   stage: 'IXSCAN',
                   keyPattern: {a: 1, 'b.c': -1},
                   indexName: 'a_1_b.c_-1',
                   isMultiKey: true,
                   multiKeyPaths: {a: [], 'b.c': ['b.c']},
                   isUnique: false,
                   isSparse: false,
                   isPartial: false,
                   indexVersion: 2,
                   direction: 'forward',
                   indexBounds: {a: ['[1, 1]'], 'b.c': ['[inf.0, 7)', '(5, 1]']}}}
                """));
  }

  @Test
  void backwardsTheBoundsTurn() {
    BsonDocument plan =
        reports.planned(
            PlanReports.FIND,
            new PlanNode.IndexScan(reports.index(), reports.bounds(), true, null));
    assertThat(plan.getString("direction").getValue()).isEqualTo("backward");
    assertThat(plan.getDocument("indexBounds").toJson())
        .isEqualTo(PlanReports.json("{a: ['[1, 1]'], 'b.c': ['[1, 5)', '(7, inf.0]']}"));
  }

  @Test
  void boundsOfMinAndMaxHaveNoFields() {
    var byKey = new ScanBounds.ByKey(RawDocument.parse("{a: 1, 'b.c': 1}"), null);
    BsonDocument plan =
        reports.planned(
            PlanReports.FIND, new PlanNode.IndexScan(reports.index(), byKey, false, null));
    assertThat(plan.getDocument("indexBounds")).isEmpty();
  }

  @Test
  void countersOfAStep() {
    StageStats scan =
        PlanReports.stats(new PlanNode.IndexScan(reports.index(), reports.bounds(), false, null));
    scan.works = 5;
    scan.advanced = 3;
    scan.needTime = 1;
    scan.suspended = 2;
    scan.nanos = 4_500_000;
    scan.keysExamined = 4;
    scan.seeks = 1;
    scan.duplicatesTested = 3;
    scan.duplicatesDropped = 1;
    scan.ended = true;
    BsonDocument stats = reports.executed(PlanReports.FIND, scan, 3);
    assertThat(stats.keySet())
        .containsExactly(
            "executionSuccess",
            "nReturned",
            "executionTimeMillis",
            "totalKeysExamined",
            "totalDocsExamined",
            "executionStages");
    assertThat(stats.getInt32("executionTimeMillis").getValue()).isEqualTo(7);
    assertThat(stats.getInt32("totalKeysExamined").getValue()).isEqualTo(4);
    BsonDocument stages = stats.getDocument("executionStages");
    assertThat(stages.keySet())
        .containsExactly(
            "isCached",
            "stage",
            "nReturned",
            "executionTimeMillisEstimate",
            "works",
            "advanced",
            "needTime",
            "needYield",
            "saveState",
            "restoreState",
            "isEOF",
            "keyPattern",
            "indexName",
            "isMultiKey",
            "multiKeyPaths",
            "isUnique",
            "isSparse",
            "isPartial",
            "indexVersion",
            "direction",
            "indexBounds",
            "keysExamined",
            "seeks",
            "dupsTested",
            "dupsDropped");
    stages.keySet().removeIf(name -> !stages.get(name).isInt32());
    assertThat(stages.toJson())
        .isEqualTo(
            PlanReports.json(
                """
                {nReturned: 3, executionTimeMillisEstimate: 4, works: 5, advanced: 3, needTime: 1,
                 needYield: 0, saveState: 2, restoreState: 2, isEOF: 1, indexVersion: 2,
                 keysExamined: 4, seeks: 1, dupsTested: 3, dupsDropped: 1}
                """));
  }

  @Test
  void sortSkipLimitAndProjection() {
    var scan = new PlanNode.CollectionScan(true, false, null);
    var sort = new PlanNode.Sort(scan, SortPattern.parse(RawDocument.parse("{a: 1, b: -1}")), 12);
    var projection =
        Projection.parse(RawDocument.parse("{a: 1, _id: 0}"), null, PlanReports.CONTEXT);
    var plan =
        new Project(
            new PlanNode.Limit(new PlanNode.Skip(sort, 2), 10),
            projection,
            Project.Kind.PROJECTION_SIMPLE);
    assertThat(reports.planned(PlanReports.FIND, plan).toJson())
        .isEqualTo(
            PlanReports.json(
                """
                {isCached: false, stage: 'PROJECTION_SIMPLE', transformBy: {a: 1, _id: 0},
                 inputStage: {stage: 'LIMIT', limitAmount: 10,
                  inputStage: {stage: 'SKIP', skipAmount: 2,
                   inputStage: {
                    stage: 'SORT', sortPattern: {a: 1, b: -1}, memLimit: 104857600,
                    limitAmount: 12, type: 'simple',
                    inputStage: {stage: 'COLLSCAN', direction: 'backward'}}}}}
                """));
  }

  @Test
  void sortOfKeysAndWhatItHeld() {
    var scan = new PlanNode.IndexScan(reports.index(), reports.bounds(), false, null);
    StageStats plan =
        PlanReports.stats(
            new PlanNode.Sort(scan, SortPattern.parse(RawDocument.parse("{a: 1}")), 0));
    plan.sortedBytes = 5_000_000_000L;
    plan.spills = 2;
    plan.spilledBytes = 77;
    BsonDocument stages =
        reports.executed(PlanReports.FIND, plan, 0).getDocument("executionStages");
    assertThat(stages.getString("type").getValue()).isEqualTo("default");
    assertThat(stages.getInt64("totalDataSizeSorted").getValue()).isEqualTo(5_000_000_000L);
    assertThat(stages.getBoolean("usedDisk").getValue()).isTrue();
    assertThat(stages.getInt32("spills").getValue()).isEqualTo(2);
    assertThat(stages.getInt32("spilledDataStorageSize").getValue()).isEqualTo(77);
    assertThat(stages).doesNotContainKey("limitAmount");
  }

  @Test
  void severalInputs() {
    var scan = new PlanNode.IndexScan(reports.index(), reports.bounds(), false, null);
    BsonDocument plan =
        reports.planned(
            PlanReports.FIND, new PlanNode.Subplan(new PlanNode.Or(List.of(scan, scan))));
    assertThat(plan.getString("stage").getValue()).isEqualTo("SUBPLAN");
    assertThat(plan.getDocument("inputStage").getString("stage").getValue()).isEqualTo("OR");
    assertThat(plan.getDocument("inputStage").getArray("inputStages")).hasSize(2);
    var merge =
        new PlanNode.SortMerge(List.of(scan, scan), SortPattern.parse(RawDocument.parse("{a: 1}")));
    BsonDocument merged =
        reports
            .executed(PlanReports.FIND, PlanReports.stats(merge), 0)
            .getDocument("executionStages");
    assertThat(merged.getDocument("sortPattern").toJson()).isEqualTo(PlanReports.json("{a: 1}"));
    assertThat(merged).containsKeys("dupsTested", "dupsDropped", "inputStages");
  }

  @Test
  void failureOfTheRun() {
    var failure = new CommandException(ErrorCode.MAX_TIME_MS_EXPIRED, "too slow");
    var execution = new PlanReport.Execution(0, 0, failure, 0, false, List.of());
    var scan = PlanReports.stats(new PlanNode.CollectionScan(false, false, null));
    BsonDocument stats =
        reports
            .explain(PlanReports.FIND, scan, Verbosity.EXECUTION_STATS, execution)
            .getDocument("executionStats");
    assertThat(stats.getBoolean("executionSuccess").getValue()).isFalse();
    assertThat(stats.getString("errorMessage").getValue()).isEqualTo("too slow");
    assertThat(stats.getInt32("errorCode").getValue()).isEqualTo(50);
  }

  @Test
  void everyPlanOfTheRace() {
    StageStats winner =
        PlanReports.stats(new PlanNode.IndexScan(reports.index(), reports.bounds(), false, null));
    StageStats loser = PlanReports.stats(new PlanNode.CollectionScan(false, false, null));
    loser.documentsExamined = 9;
    var report =
        new PlanReport(
            reports.collection(),
            PlanReports.filter("{}"),
            null,
            null,
            true,
            0,
            new PlanLimits(),
            new PlanCandidate(winner, winner, 2.5, false),
            List.of(new PlanCandidate(loser, loser, 1.5, false)),
            new PlanReport.Execution(0, 0, null, 0, false, List.of()),
            null);
    var out = new BsonBuilder();
    var request =
        new ExplainRequest(
            PlanReports.FIND, Verbosity.ALL_PLANS_EXECUTION, RawDocument.EMPTY, RawDocument.EMPTY);
    new ReportDocument(request, report).append(out);
    BsonDocument explained = out.toDocument().toBsonDocument();
    BsonDocument planner = explained.getDocument("queryPlanner");
    assertThat(planner).containsKeys("queryHash", "planCacheKey");
    assertThat(planner.getBoolean("indexFilterSet").getValue()).isTrue();
    assertThat(planner.getArray("rejectedPlans")).hasSize(1);
    var all = explained.getDocument("executionStats").getArray("allPlansExecution");
    assertThat(all).hasSize(2);
    BsonDocument second = all.get(1).asDocument();
    assertThat(second.keySet())
        .containsExactly(
            "nReturned",
            "executionTimeMillisEstimate",
            "totalKeysExamined",
            "totalDocsExamined",
            "score",
            "executionStages");
    assertThat(second.getInt32("totalDocsExamined").getValue()).isEqualTo(9);
    assertThat(second.getDouble("score").getValue()).isEqualTo(1.5);
  }
}
