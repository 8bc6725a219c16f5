package dev.wisent.database.explain;

import static dev.wisent.database.TestDatabase.NAMESPACE;
import static dev.wisent.database.TestDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.DistinctRequest;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operations put on top of their plans, and the plans that are shown as one step. */
class OperationStageTest {
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
  void express() {
    StageStats plan = PlanReports.stats(new PlanNode.IdLookup(value("1")));
    plan.keysExamined = 1;
    plan.documentsExamined = 1;
    plan.advanced = 1;
    assertThat(reports.executed(PlanReports.FIND, plan, 1).getDocument("executionStages").toJson())
        .isEqualTo(
            PlanReports.json(
                """
                {isCached: false, stage: 'EXPRESS_IXSCAN', keyPattern: '{ _id: 1 }',
                 indexName: '_id_', keysExamined: 1, docsExamined: 1, nReturned: 1}
                """));
    BsonDocument below =
        reports.planned(PlanReports.FIND, new PlanNode.Limit(new PlanNode.IdLookup(value("1")), 1));
    assertThat(below.getDocument("inputStage").getString("stage").getValue()).isEqualTo("IDHACK");
  }

  @Test
  void count() {
    var request = new CountRequest(NAMESPACE, RawDocument.parse("{a: 1}"), 2, 3, null);
    StageStats plan = PlanReports.stats(new PlanNode.CountScan(reports.index(), reports.bounds()));
    plan.works = 9;
    plan.ended = true;
    BsonDocument stats = reports.executed(request, plan, 8);
    assertThat(stats.getInt32("nReturned").getValue()).isZero();
    BsonDocument stages = stats.getDocument("executionStages");
    assertThat(stages.getString("stage").getValue()).isEqualTo("COUNT");
    assertThat(stages.getInt32("nCounted").getValue()).isEqualTo(3);
    assertThat(stages.getInt32("nSkipped").getValue()).isEqualTo(2);
    assertThat(stages.getInt32("needTime").getValue()).isEqualTo(8);
    assertThat(stages.getDocument("inputStage").getDocument("indexBounds").toJson())
        .isEqualTo(
            PlanReports.json(
                """
                {startKey: {a: 1, 'b.c': Infinity}, startKeyInclusive: true,
                 endKey: {a: 1, 'b.c': 1}, endKeyInclusive: true}
                """));
  }

  @Test
  void countOfEverything() {
    var request = new CountRequest(NAMESPACE, RawDocument.EMPTY, 0, 0, null);
    var scan = PlanReports.stats(new PlanNode.CollectionScan(false, false, null));
    BsonDocument stages = reports.executed(request, scan, 8).getDocument("executionStages");
    assertThat(stages.getString("stage").getValue()).isEqualTo("RECORD_STORE_FAST_COUNT");
    assertThat(stages.getInt32("nCounted").getValue()).isEqualTo(8);
    assertThat(stages).doesNotContainKey("inputStage");
  }

  @Test
  void distinctByIndex() {
    var request = new DistinctRequest(NAMESPACE, "a", RawDocument.EMPTY, null);
    BsonDocument plan =
        reports.planned(
            request, new PlanNode.DistinctScan(reports.index(), reports.bounds(), false, 0));
    assertThat(plan.getString("stage").getValue()).isEqualTo("PROJECTION_COVERED");
    assertThat(plan.getDocument("transformBy").toJson())
        .isEqualTo(PlanReports.json("{_id: 0, a: 1}"));
    assertThat(plan.getDocument("inputStage").getString("stage").getValue())
        .isEqualTo("DISTINCT_SCAN");
  }

  @Test
  void writes() {
    var update =
        TestDatabase.request(TestDatabase.statement("{a: 1}", "{$set: {b: 1}}", true, false));
    var scan =
        PlanReports.stats(new PlanNode.CollectionScan(false, false, PlanReports.filter("{a: 1}")));
    BsonDocument stages = reports.executed(update, scan, 4).getDocument("executionStages");
    assertThat(stages.getString("stage").getValue()).isEqualTo("UPDATE");
    assertThat(stages.getInt32("nMatched").getValue()).isEqualTo(4);
    assertThat(stages.getInt32("nWouldModify").getValue()).isEqualTo(4);
    assertThat(stages.getInt32("nWouldUpsert").getValue()).isZero();
    assertThat(stages.getDocument("inputStage").getString("stage").getValue())
        .isEqualTo("COLLSCAN");

    var one = new DeleteStatement(RawDocument.parse("{_id: 1}"), false, null);
    var delete = new DeleteRequest(NAMESPACE, List.of(one), true);
    BsonDocument byId =
        reports
            .executed(delete, PlanReports.stats(new PlanNode.IdLookup(value("1"))), 1)
            .getDocument("executionStages");
    assertThat(byId.getString("stage").getValue()).isEqualTo("EXPRESS_DELETE");
    assertThat(byId.getInt32("nWouldDelete").getValue()).isEqualTo(1);
    assertThat(reports.executed(delete, scan, 1).getDocument("executionStages").getString("stage"))
        .hasToString("BsonString{value='DELETE'}");
  }
}
