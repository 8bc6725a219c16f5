package dev.wisent.database.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.ExplainRequest.Verbosity;
import dev.wisent.operation.Explainable;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Explain runs the plans of all kinds of operations and changes nothing. */
class ExplainerTest {
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1}");
    for (int i = 0; i < 10; i++) {
      database.insert("{_id: %d, a: %d, b: %d}".formatted(i, i % 5, i));
    }
  }

  @AfterEach
  void nothingHasChanged() {
    assertThat(database.find("{}")).hasSize(10).allMatch(json -> !json.contains("changed"));
    database.assertNothingLeaks();
    database.close();
  }

  private PlanReport run(Explainable request) {
    return database
        .database()
        .planReport(
            database.operation(),
            new ExplainRequest(
                request, Verbosity.EXECUTION_STATS, RawDocument.EMPTY, RawDocument.EMPTY));
  }

  private static RawDocument json(String text) {
    return RawDocument.parse(text);
  }

  @Test
  void nothingRunsForThePlanAlone() {
    var request = FindRequest.of(TestDatabase.NAMESPACE, json("{a: 3}"));
    PlanReport report =
        database
            .database()
            .planReport(
                database.operation(),
                new ExplainRequest(
                    request, Verbosity.QUERY_PLANNER, RawDocument.EMPTY, RawDocument.EMPTY));
    assertThat(report.execution()).isNull();
    assertThat(report.winner().stats().works).isZero();
    assertThat(report.shapeHash()).matches("[0-9A-F]{8}");
    assertThat(report.cacheKey()).matches("[0-9A-F]{8}");
  }

  @Test
  void finds() {
    PlanReport report = run(FindRequest.of(TestDatabase.NAMESPACE, json("{a: 3}")));
    assertThat(report.execution().returned()).isEqualTo(2);
    assertThat(report.winner().stats().totalDocumentsExamined()).isEqualTo(2);
    assertThat(report.winner().stats().nanos).isPositive();
    PlanReport byId = run(FindRequest.of(TestDatabase.NAMESPACE, json("{_id: 3}")));
    assertThat(byId.winner().stats().node()).isInstanceOf(PlanNode.IdLookup.class);
    assertThat(byId.execution().returned()).isEqualTo(1);
    assertThat(byId.shapeHash()).isNull();
  }

  @Test
  void nothingIsThereWithoutACollection() {
    PlanReport report = run(FindRequest.of(new Namespace("test", "none"), json("{a: 3}")));
    assertThat(report.collection()).isNull();
    assertThat(report.winner().stats().node()).isInstanceOf(PlanNode.Eof.class);
    assertThat(report.execution().returned()).isZero();
  }

  @Test
  void countsAndDistincts() {
    PlanReport count =
        run(new CountRequest(TestDatabase.NAMESPACE, json("{b: {$gte: 4}}"), 1, 3, null));
    assertThat(count.execution().returned()).isEqualTo(4);
    PlanReport distinct =
        run(new DistinctRequest(TestDatabase.NAMESPACE, "b", json("{a: 1}"), null));
    assertThat(distinct.execution().returned()).isEqualTo(2);
  }

  @Test
  void updatesOnlySayWhatTheyWouldDo() {
    PlanReport all =
        run(
            TestDatabase.request(
                TestDatabase.statement("{a: {$gte: 3}}", "{$set: {changed: 1}}", true, true)));
    assertThat(all.execution().returned()).isEqualTo(4);
    assertThat(all.execution().wouldModify()).isEqualTo(4);
    assertThat(all.execution().wouldUpsert()).isFalse();
    PlanReport none =
        run(
            TestDatabase.request(
                TestDatabase.statement("{a: 77}", "{$set: {changed: 1}}", false, true)));
    assertThat(none.execution().wouldUpsert()).isTrue();
    PlanReport same =
        run(
            TestDatabase.request(
                TestDatabase.statement("{_id: 4}", "{$set: {a: 4}}", false, false)));
    assertThat(same.execution().returned()).isEqualTo(1);
    assertThat(same.execution().wouldModify()).isZero();
  }

  @Test
  void deletesOnlySayWhatTheyWouldDo() {
    PlanReport all = run(delete("{a: 2}", true));
    assertThat(all.execution().wouldModify()).isEqualTo(2);
    assertThat(run(delete("{a: 2}", false)).execution().wouldModify()).isEqualTo(1);
  }

  private static DeleteRequest delete(String query, boolean multi) {
    var statement = new DeleteStatement(json(query), multi, null);
    return new DeleteRequest(TestDatabase.NAMESPACE, List.of(statement), true);
  }

  @Test
  void findAndModifyOnlySaysWhatItWouldDo() {
    for (RawValue update : new RawValue[] {null, TestDatabase.value("{$set: {changed: 1}}")}) {
      PlanReport report =
          run(
              new FindAndModifyRequest(
                  TestDatabase.NAMESPACE,
                  json("{a: {$gt: 1}}"),
                  json("{b: -1}"),
                  update,
                  false,
                  false,
                  RawDocument.EMPTY,
                  List.of(),
                  false,
                  null));
      assertThat(report.execution().wouldModify()).isEqualTo(1);
      assertThat(report.execution().returned()).isEqualTo(1);
    }
  }
}
