package dev.wisent.database.explain;

import static dev.wisent.database.TestDatabase.NAMESPACE;
import static dev.wisent.database.TestDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.Index;
import dev.wisent.database.exec.PlanReport;
import dev.wisent.database.exec.PlanReport.Candidate;
import dev.wisent.database.operation.CountRequest;
import dev.wisent.database.operation.DeleteRequest;
import dev.wisent.database.operation.DeleteStatement;
import dev.wisent.database.operation.DistinctRequest;
import dev.wisent.database.operation.ExplainRequest;
import dev.wisent.database.operation.ExplainRequest.Verbosity;
import dev.wisent.database.operation.Explainable;
import dev.wisent.database.operation.FindRequest;
import dev.wisent.database.plan.PlanLimits;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.PlanNode.Project;
import dev.wisent.database.plan.StageStats;
import dev.wisent.database.plan.bounds.FieldIntervals;
import dev.wisent.database.plan.bounds.Interval;
import dev.wisent.database.plan.bounds.ScanBounds;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.QueryContext;
import dev.wisent.query.projection.Projection;
import dev.wisent.query.sort.SortPattern;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans made by hand, and the fields of their explain in order. */
class ReportDocumentTest {
  private static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0);
  private static final Explainable FIND = FindRequest.of(NAMESPACE, RawDocument.EMPTY);

  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.insert("{_id: 1, a: 1, b: {c: [1, 2]}}");
    database.createIndex("{a: 1, 'b.c': -1}");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Index index() {
    return database.collection().index("a_1_b.c_-1");
  }

  private ScanBounds bounds() {
    return new ScanBounds.ByField(
        List.of(
            new FieldIntervals("a", List.of(Interval.point(value("1")))),
            new FieldIntervals(
                "b.c",
                List.of(
                    new Interval(value("1"), true, value("5"), false),
                    new Interval(value("7"), false, value("Infinity"), true)))));
  }

  private static MatchExpression filter(String json) {
    return MatchParser.parse(RawDocument.parse(json), CONTEXT);
  }

  private static StageStats stats(PlanNode node) {
    return new StageStats(node, node.children().stream().map(ReportDocumentTest::stats).toList());
  }

  /** The plan in queryPlanner. */
  private BsonDocument planned(Explainable request, PlanNode plan) {
    return explain(request, stats(plan), Verbosity.QUERY_PLANNER, null)
        .getDocument("queryPlanner")
        .getDocument("winningPlan");
  }

  /** The plan in executionStats. */
  private BsonDocument executed(Explainable request, StageStats plan, long found) {
    var execution = new PlanReport.Execution(found, 7_000_000, null, found, false, List.of());
    return explain(request, plan, Verbosity.EXECUTION_STATS, execution)
        .getDocument("executionStats");
  }

  private BsonDocument explain(
      Explainable request, StageStats plan, Verbosity verbosity, PlanReport.Execution execution) {
    var report =
        new PlanReport(
            database.collection(),
            filter("{a: 1, b: {$gt: 2}}"),
            "0A1B2C3D",
            "4E5F6071",
            false,
            0,
            new PlanLimits(),
            new Candidate(plan, null, 0, false),
            List.of(),
            execution);
    var out = new BsonBuilder();
    new ReportDocument(new ExplainRequest(request, verbosity), report).append(out);
    return out.toDocument().toBsonDocument();
  }

  @Test
  void queryPlanner() {
    var plan = stats(new PlanNode.CollectionScan(false, false, filter("{b: 2, a: 1}")));
    assertThat(explain(FIND, plan, Verbosity.QUERY_PLANNER, null).toJson())
        .isEqualTo(
            json(
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
    var scan = new PlanNode.IndexScan(index(), bounds(), false, null);
    assertThat(planned(FIND, new PlanNode.Fetch(scan, filter("{c: 1}"))).toJson())
        .isEqualTo(
            json(
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
    BsonDocument plan = planned(FIND, new PlanNode.IndexScan(index(), bounds(), true, null));
    assertThat(plan.getString("direction").getValue()).isEqualTo("backward");
    assertThat(plan.getDocument("indexBounds").toJson())
        .isEqualTo(json("{a: ['[1, 1]'], 'b.c': ['[1, 5)', '(7, inf.0]']}"));
  }

  @Test
  void boundsOfMinAndMaxHaveNoFields() {
    var byKey = new ScanBounds.ByKey(RawDocument.parse("{a: 1, 'b.c': 1}"), null);
    BsonDocument plan = planned(FIND, new PlanNode.IndexScan(index(), byKey, false, null));
    assertThat(plan.getDocument("indexBounds")).isEmpty();
  }

  @Test
  void countersOfAStep() {
    StageStats scan = stats(new PlanNode.IndexScan(index(), bounds(), false, null));
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
    BsonDocument stats = executed(FIND, scan, 3);
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
            json(
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
    var projection = Projection.parse(RawDocument.parse("{a: 1, _id: 0}"), null, CONTEXT);
    var plan =
        new Project(
            new PlanNode.Limit(new PlanNode.Skip(sort, 2), 10),
            projection,
            Project.Kind.PROJECTION_SIMPLE);
    assertThat(planned(FIND, plan).toJson())
        .isEqualTo(
            json(
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
    var scan = new PlanNode.IndexScan(index(), bounds(), false, null);
    StageStats plan =
        stats(new PlanNode.Sort(scan, SortPattern.parse(RawDocument.parse("{a: 1}")), 0));
    plan.sortedBytes = 5_000_000_000L;
    plan.spills = 2;
    plan.spilledBytes = 77;
    BsonDocument stages = executed(FIND, plan, 0).getDocument("executionStages");
    assertThat(stages.getString("type").getValue()).isEqualTo("default");
    assertThat(stages.getInt64("totalDataSizeSorted").getValue()).isEqualTo(5_000_000_000L);
    assertThat(stages.getBoolean("usedDisk").getValue()).isTrue();
    assertThat(stages.getInt32("spills").getValue()).isEqualTo(2);
    assertThat(stages.getInt32("spilledDataStorageSize").getValue()).isEqualTo(77);
    assertThat(stages).doesNotContainKey("limitAmount");
  }

  @Test
  void severalInputs() {
    var scan = new PlanNode.IndexScan(index(), bounds(), false, null);
    BsonDocument plan = planned(FIND, new PlanNode.Subplan(new PlanNode.Or(List.of(scan, scan))));
    assertThat(plan.getString("stage").getValue()).isEqualTo("SUBPLAN");
    assertThat(plan.getDocument("inputStage").getString("stage").getValue()).isEqualTo("OR");
    assertThat(plan.getDocument("inputStage").getArray("inputStages")).hasSize(2);
    var merge =
        new PlanNode.SortMerge(List.of(scan, scan), SortPattern.parse(RawDocument.parse("{a: 1}")));
    BsonDocument merged = executed(FIND, stats(merge), 0).getDocument("executionStages");
    assertThat(merged.getDocument("sortPattern").toJson()).isEqualTo(json("{a: 1}"));
    assertThat(merged).containsKeys("dupsTested", "dupsDropped", "inputStages");
  }

  @Test
  void express() {
    StageStats plan = stats(new PlanNode.IdLookup(value("1")));
    plan.keysExamined = 1;
    plan.documentsExamined = 1;
    plan.advanced = 1;
    assertThat(executed(FIND, plan, 1).getDocument("executionStages").toJson())
        .isEqualTo(
            json(
                """
                {isCached: false, stage: 'EXPRESS_IXSCAN', keyPattern: '{ _id: 1 }',
                 indexName: '_id_', keysExamined: 1, docsExamined: 1, nReturned: 1}
                """));
    BsonDocument below = planned(FIND, new PlanNode.Limit(new PlanNode.IdLookup(value("1")), 1));
    assertThat(below.getDocument("inputStage").getString("stage").getValue()).isEqualTo("IDHACK");
  }

  @Test
  void count() {
    var request = new CountRequest(NAMESPACE, RawDocument.parse("{a: 1}"), 2, 3, null);
    StageStats plan = stats(new PlanNode.CountScan(index(), bounds()));
    plan.works = 9;
    plan.ended = true;
    BsonDocument stats = executed(request, plan, 8);
    assertThat(stats.getInt32("nReturned").getValue()).isZero();
    BsonDocument stages = stats.getDocument("executionStages");
    assertThat(stages.getString("stage").getValue()).isEqualTo("COUNT");
    assertThat(stages.getInt32("nCounted").getValue()).isEqualTo(3);
    assertThat(stages.getInt32("nSkipped").getValue()).isEqualTo(2);
    assertThat(stages.getInt32("needTime").getValue()).isEqualTo(8);
    assertThat(stages.getDocument("inputStage").getDocument("indexBounds").toJson())
        .isEqualTo(
            json(
                """
                {startKey: {a: 1, 'b.c': Infinity}, startKeyInclusive: true,
                 endKey: {a: 1, 'b.c': 1}, endKeyInclusive: true}
                """));
  }

  @Test
  void countOfEverything() {
    var request = new CountRequest(NAMESPACE, RawDocument.EMPTY, 0, 0, null);
    var scan = stats(new PlanNode.CollectionScan(false, false, null));
    BsonDocument stages = executed(request, scan, 8).getDocument("executionStages");
    assertThat(stages.getString("stage").getValue()).isEqualTo("RECORD_STORE_FAST_COUNT");
    assertThat(stages.getInt32("nCounted").getValue()).isEqualTo(8);
    assertThat(stages).doesNotContainKey("inputStage");
  }

  @Test
  void distinctByIndex() {
    var request = new DistinctRequest(NAMESPACE, "a", RawDocument.EMPTY, null);
    BsonDocument plan = planned(request, new PlanNode.DistinctScan(index(), bounds(), false, 0));
    assertThat(plan.getString("stage").getValue()).isEqualTo("PROJECTION_COVERED");
    assertThat(plan.getDocument("transformBy").toJson()).isEqualTo(json("{_id: 0, a: 1}"));
    assertThat(plan.getDocument("inputStage").getString("stage").getValue())
        .isEqualTo("DISTINCT_SCAN");
  }

  @Test
  void writes() {
    var update =
        TestDatabase.request(TestDatabase.statement("{a: 1}", "{$set: {b: 1}}", true, false));
    var scan = stats(new PlanNode.CollectionScan(false, false, filter("{a: 1}")));
    BsonDocument stages = executed(update, scan, 4).getDocument("executionStages");
    assertThat(stages.getString("stage").getValue()).isEqualTo("UPDATE");
    assertThat(stages.getInt32("nMatched").getValue()).isEqualTo(4);
    assertThat(stages.getInt32("nWouldModify").getValue()).isEqualTo(4);
    assertThat(stages.getInt32("nWouldUpsert").getValue()).isZero();
    assertThat(stages.getDocument("inputStage").getString("stage").getValue())
        .isEqualTo("COLLSCAN");

    var one = new DeleteStatement(RawDocument.parse("{_id: 1}"), false, null);
    var delete = new DeleteRequest(NAMESPACE, List.of(one), true);
    BsonDocument byId =
        executed(delete, stats(new PlanNode.IdLookup(value("1"))), 1)
            .getDocument("executionStages");
    assertThat(byId.getString("stage").getValue()).isEqualTo("EXPRESS_DELETE");
    assertThat(byId.getInt32("nWouldDelete").getValue()).isEqualTo(1);
    assertThat(executed(delete, scan, 1).getDocument("executionStages").getString("stage"))
        .hasToString("BsonString{value='DELETE'}");
  }

  @Test
  void failureOfTheRun() {
    var failure = new CommandException(ErrorCode.MAX_TIME_MS_EXPIRED, "too slow");
    var execution = new PlanReport.Execution(0, 0, failure, 0, false, List.of());
    var scan = stats(new PlanNode.CollectionScan(false, false, null));
    BsonDocument stats =
        explain(FIND, scan, Verbosity.EXECUTION_STATS, execution).getDocument("executionStats");
    assertThat(stats.getBoolean("executionSuccess").getValue()).isFalse();
    assertThat(stats.getString("errorMessage").getValue()).isEqualTo("too slow");
    assertThat(stats.getInt32("errorCode").getValue()).isEqualTo(50);
  }

  @Test
  void everyPlanOfTheRace() {
    StageStats winner = stats(new PlanNode.IndexScan(index(), bounds(), false, null));
    StageStats loser = stats(new PlanNode.CollectionScan(false, false, null));
    loser.documentsExamined = 9;
    var report =
        new PlanReport(
            database.collection(),
            filter("{}"),
            null,
            null,
            true,
            0,
            new PlanLimits(),
            new Candidate(winner, winner, 2.5, false),
            List.of(new Candidate(loser, loser, 1.5, false)),
            new PlanReport.Execution(0, 0, null, 0, false, List.of()));
    var out = new BsonBuilder();
    var request = new ExplainRequest(FIND, Verbosity.ALL_PLANS_EXECUTION);
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

  private static String json(String json) {
    return BsonDocument.parse(json).toJson();
  }
}
