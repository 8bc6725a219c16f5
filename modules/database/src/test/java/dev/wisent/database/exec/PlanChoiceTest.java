package dev.wisent.database.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.explain.PlanReport;
import dev.wisent.database.plan.IndexFilters;
import dev.wisent.database.plan.PlanCache;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.QueryShape;
import dev.wisent.database.planner.Query;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.ExplainRequest.Verbosity;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of several plans answers a query, and what is remembered of it. */
class PlanChoiceTest {
  private static final String BY_A = "IXSCAN { a: 1 }";
  private static final String BY_B = "IXSCAN { b: 1 }";

  private TestDatabase database;

  /** In most documents a is 0 to 99 and b is 0 or 1; among those with a: 100, b is different. */
  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1}");
    database.createIndex("{b: 1}");
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < 2000; i++) {
      documents.add(document(i, i % 100, i % 2));
    }
    for (int i = 2000; i < 5000; i++) {
      documents.add(document(i, 100, i));
    }
    assertThat(database.insert(true, documents).failures()).isEmpty();
  }

  private static RawDocument document(int id, int a, int b) {
    return new BsonBuilder()
        .appendInt32("_id", id)
        .appendInt32("a", a)
        .appendInt32("b", b)
        .toDocument();
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private static FindRequest find(String filter) {
    return FindRequest.of(TestDatabase.NAMESPACE, RawDocument.parse(filter));
  }

  /** Runs a query to its end; says by which plan. */
  private String planOf(String filter) {
    OperationContext operation = database.operation();
    TestDatabase.drain(database.database().find(operation, find(filter)));
    return operation.planSummary();
  }

  private PlanCache.Entry entry() {
    List<PlanCache.Entry> entries = database.collection().planCache().entries();
    assertThat(entries).hasSize(1);
    return entries.getFirst();
  }

  private PlanReport explain(String filter, Verbosity verbosity) {
    return database
        .database()
        .planReport(
            database.operation(),
            new ExplainRequest(find(filter), verbosity, RawDocument.EMPTY, RawDocument.EMPTY));
  }

  @Test
  void thePlanWithFewerWorksForItsRowsWins() {
    PlanReport report = explain("{a: 5, b: 1}", Verbosity.ALL_PLANS_EXECUTION);
    assertThat(PlanSummary.of(report.winner().stats().node())).isEqualTo(BY_A);
    assertThat(report.rejected()).hasSize(1);
    PlanCandidate loser = report.rejected().getFirst();
    assertThat(PlanSummary.of(loser.stats().node())).isEqualTo(BY_B);
    assertThat(report.winner().score()).isGreaterThan(loser.score());
    assertThat(report.winner().trial().works).isEqualTo(loser.trial().works);
    assertThat(report.execution().returned()).isEqualTo(20);
    assertThat(report.winner().stats().advanced).isEqualTo(20);
    assertThat(report.winner().stats().totalKeysExamined()).isEqualTo(20);
  }

  @Test
  void rowsOfTheRaceAreNotLost() {
    assertThat(database.find("{a: 5, b: 1}")).hasSize(20);
    assertThat(database.find("{a: 100, b: {$gte: 0}}")).hasSize(3000).doesNotHaveDuplicates();
  }

  @Test
  void aPlanIsRememberedAndUsedOnceItIsConfirmed() {
    assertThat(planOf("{a: 5, b: 1}")).isEqualTo(BY_A);
    assertThat(entry().active()).isFalse();
    assertThat(planOf("{b: 1, a: 7}")).isEqualTo(BY_A);
    assertThat(entry().active()).isTrue();
    assertThat(entry().candidates()).hasSize(2);
    assertThat(explain("{a: 5, b: 1}", Verbosity.QUERY_PLANNER).winner().cached()).isTrue();
    assertThat(planOf("{a: 9, b: 1}")).isEqualTo(BY_A);
    assertThat(entry().works()).as("no other race").isLessThanOrEqualTo(22);
  }

  @Test
  void aPlanThatTakesTooManyWorksIsReplacedAtOnce() {
    planOf("{a: 5, b: 1}");
    planOf("{a: 6, b: 0}");
    assertThat(entry().active()).isTrue();
    OperationContext operation = database.operation();
    var found = TestDatabase.drain(database.database().find(operation, find("{a: 100, b: 4500}")));
    assertThat(TestDatabase.ids(found)).containsExactly(4500);
    assertThat(operation.keysExamined()).as("of the plan that took over").isEqualTo(1);
    assertThat(operation.planSummary()).isEqualTo(BY_B);
    assertThat(entry().active()).isTrue();
    assertThat(PlanSummary.of(entry().candidates().getFirst().stats().node())).isEqualTo(BY_B);
  }

  @Test
  void changesOfIndexesForgetPlans() {
    planOf("{a: 5, b: 1}");
    assertThat(database.collection().planCache().entries()).hasSize(1);
    database.createIndex("{c: 1}");
    assertThat(database.collection().planCache().entries()).isEmpty();
    planOf("{a: 5, b: 1}");
    database.dropIndex("b_1");
    assertThat(database.collection().planCache().entries()).isEmpty();
    assertThat(planOf("{a: 5, b: 1}")).isEqualTo(BY_A);
  }

  @Test
  void plansOfAShapeCanBeForgotten() {
    planOf("{a: 5, b: 1}");
    planOf("{a: 5, b: {$lt: 1}}");
    PlanCache cache = database.collection().planCache();
    assertThat(cache.entries()).hasSize(2);
    QueryShape shape = Query.find(find("{b: 9, a: 9}"), null, database.operation()).shape();
    cache.clear(shape);
    assertThat(cache.entries()).hasSize(1);
    assertThat(entry().shape()).isNotEqualTo(shape);
    cache.clear();
    assertThat(cache.entries()).isEmpty();
  }

  /** The same guess is wrong for two of the three. */
  @Test
  void eachBranchOfADisjunctionHasItsOwnRace() {
    String filter =
        "{$or: [{a: 5, b: 1}, {a: 100, b: {$gte: 4500, $lt: 4502}},"
            + " {a: 100, b: {$gt: 4600, $lte: 4602}}]}";
    for (int i = 0; i < 3; i++) {
      assertThat(planOf(filter)).isEqualTo(BY_A + ", " + BY_B + ", " + BY_B);
      assertThat(database.find(filter)).hasSize(24);
    }
    assertThat(database.collection().planCache().entries()).hasSize(3).allMatch(e -> e.active());
    PlanReport report = explain(filter, Verbosity.ALL_PLANS_EXECUTION);
    assertThat(report.winner().stats().node()).isInstanceOf(PlanNode.Subplan.class);
    assertThat(report.rejected()).isEmpty();
    assertThat(report.winner().stats().totalKeysExamined()).isEqualTo(24);
  }

  /** A plan of the cache may have to sort more than the query that it was chosen for. */
  @Test
  void aPlanOfTheCacheThatSortsTooMuchIsReplaced() {
    database.createIndex("{_id: 1, a: 1}");
    database.dropIndex("b_1");
    database.database().sorting().diskUseByDefault(false);
    String few = "{_id: {$gte: 1900}, a: 7}";
    String many = "{_id: {$gte: 0}, a: 100}";
    for (int i = 0; i < 2; i++) {
      assertThat(sorted(few)).isEqualTo(BY_A);
    }
    assertThat(entry().active()).isTrue();
    database.database().sorting().bytesMax(2000);
    assertThat(sorted(many)).startsWith("IXSCAN { _id: 1");
  }

  private String sorted(String filter) {
    OperationContext operation = database.operation();
    Finds find = Finds.of(filter).sort("{_id: 1}");
    var found = TestDatabase.drain(database.database().find(operation, find.toRequest()));
    assertThat(TestDatabase.ids(found)).isSorted().isNotEmpty();
    return operation.planSummary();
  }

  @Test
  void anIndexFilterLimitsTheChoice() {
    QueryShape shape = Query.find(find("{a: 1, b: 1}"), null, database.operation()).shape();
    IndexFilters filters = database.collection().indexFilters();
    filters.set(
        new IndexFilters.Filter(
            shape,
            RawDocument.parse("{a: 1, b: 1}"),
            RawDocument.EMPTY,
            RawDocument.EMPTY,
            null,
            List.of(RawValue.ofString("b_1"))));
    assertThat(planOf("{a: 5, b: 1}")).isEqualTo(BY_B);
    assertThat(planOf("{a: 5}")).isEqualTo(BY_A);
    PlanReport report = explain("{a: 5, b: 1}", Verbosity.QUERY_PLANNER);
    assertThat(report.indexFilterSet()).isTrue();
    assertThat(report.rejected()).isEmpty();
    filters.clear(shape);
    assertThat(planOf("{a: 5, b: 1}")).isEqualTo(BY_A);
  }
}
