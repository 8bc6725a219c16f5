package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shapes of plans: which steps, which index, which bounds. */
class CandidatePlansTest {
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private List<String> plans(Finds find) {
    return new PlanTexts(database).of(find);
  }

  private String plan(Finds find) {
    return new PlanTexts(database).of(find).getFirst();
  }

  private String plan(String filter) {
    return plan(Finds.of(filter));
  }

  @Test
  void conditionsBoundTheFieldsOfAnIndex() {
    database.createIndex("{a: 1, b: -1, c: 1}");
    assertThat(plan("{a: 1}")).isEqualTo("FETCH(IXSCAN a_1_b_-1_c_1 {1, all, all})");
    assertThat(plan("{a: 1, c: {$gt: 2}}"))
        .isEqualTo("FETCH(IXSCAN a_1_b_-1_c_1 {1, all, (2, inf.0]})");
    assertThat(plan("{a: {$gt: 1, $lt: 5}, b: 2}"))
        .isEqualTo("FETCH(IXSCAN a_1_b_-1_c_1 {(1, 5), 2, all})");
    assertThat(plan("{a: 1, d: 1}")).isEqualTo("FETCH?(IXSCAN a_1_b_-1_c_1 {1, all, all})");
    assertThat(plan("{a: 1, b: /x/}"))
        .isEqualTo("FETCH(IXSCAN? a_1_b_-1_c_1 {1, [\"\", {}) /x/, all})");
    assertThat(plan("{b: 1}")).isEqualTo("COLLSCAN?");
    assertThat(plan("{}")).isEqualTo("COLLSCAN");
    assertThat(plan("{a: {$in: []}}")).isEqualTo("EOF()");
    assertThat(plan("{a: 1, $nor: [{b: 1}, {c: 2}]}"))
        .isEqualTo(
            "FETCH(IXSCAN a_1_b_-1_c_1 {1, [MinKey, 1) (1, MaxKey], [MinKey, 2) (2, MaxKey]})");
  }

  @Test
  void arraysKeepConditionsApartUnlessOneElementMeetsThem() {
    database.createIndex("{'a.x': 1, 'a.y': 1}");
    database.createIndex("{t: 1}");
    database.insert("{_id: 1, a: [{x: 1, y: 2}], t: [1, 2]}");
    assertThat(plan("{'a.x': 1, 'a.y': 2}")).isEqualTo("FETCH?(IXSCAN a.x_1_a.y_1 {1, all})");
    assertThat(plan("{a: {$elemMatch: {x: 1, y: 2}}}"))
        .isEqualTo("FETCH?(IXSCAN a.x_1_a.y_1 {1, 2})");
    assertThat(plan("{t: {$gt: 1, $lt: 5}}")).isEqualTo("FETCH?(IXSCAN t_1 {[-inf.0, 5)})");
    assertThat(plan("{t: {$elemMatch: {$gt: 1, $lt: 5}}}"))
        .isEqualTo("FETCH?(IXSCAN t_1 {(1, 5)})");
  }

  @Test
  void anIndexGivesAnOrder() {
    database.createIndex("{a: 1, b: 1}");
    assertThat(plan(Finds.all().sort("{a: 1}"))).isEqualTo("FETCH(IXSCAN a_1_b_1 {all, all})");
    assertThat(plan(Finds.all().sort("{a: -1, b: -1}")))
        .isEqualTo("FETCH(IXSCAN a_1_b_1 backwards {all, all})");
    assertThat(plan(Finds.all().sort("{a: 1, b: -1}"))).isEqualTo("SORT 0(COLLSCAN)");
    assertThat(plan(Finds.of("{a: 5}").sort("{b: -1}")))
        .isEqualTo("FETCH(IXSCAN a_1_b_1 backwards {5, all})");
    assertThat(plan(Finds.of("{a: 5}").sort("{b: 1, a: -1}")))
        .isEqualTo("FETCH(IXSCAN a_1_b_1 {5, all})");
    assertThat(plan(Finds.of("{a: {$gt: 5}}").sort("{b: 1}").skip(2).limit(3)))
        .isEqualTo("SKIP(SORT 5(FETCH(IXSCAN a_1_b_1 {(5, inf.0], all})))");
  }

  @Test
  void severalScansAreMerged() {
    database.createIndex("{a: 1, b: 1}");
    assertThat(plan(Finds.of("{a: {$in: [1, 2]}}").sort("{b: 1}")))
        .isEqualTo("FETCH(SORT_MERGE(IXSCAN a_1_b_1 {1, all}, IXSCAN a_1_b_1 {2, all}))");
    var many = new StringBuilder();
    for (int i = 0; i <= SortAnalysis.SCANS_MAX; i++) {
      many.append(i).append(',');
    }
    assertThat(plan(Finds.of("{a: {$in: [%s]}}".formatted(many)).sort("{b: 1}")))
        .startsWith("SORT 0(FETCH(IXSCAN a_1_b_1");
  }

  @Test
  void anArrayIsSortedByTheFirstOfAllItsValues() {
    database.createIndex("{a: 1}");
    database.insert("{_id: 1, a: [1, 7]}");
    assertThat(plan(Finds.of("{a: {$gt: 4}}").sort("{a: 1}"))).startsWith("SORT 0(");
    assertThat(plan(Finds.all().sort("{a: 1}"))).isEqualTo("FETCH(IXSCAN a_1 {all})");
  }

  @Test
  void keysAreEnoughForSomeProjections() {
    database.createIndex("{a: 1, 'b.c': 1}");
    database.createIndex("{t: 1}");
    database.insert("{_id: 1, t: [1]}");
    assertThat(plan(Finds.of("{a: 1}").projection("{_id: 0, 'b.c': 1}")))
        .isEqualTo("PROJECTION_COVERED(IXSCAN a_1_b.c_1 {1, all})");
    assertThat(plan(Finds.of("{a: 1}").projection("{a: 1}")))
        .isEqualTo("PROJECTION_SIMPLE(FETCH(IXSCAN a_1_b.c_1 {1, all}))");
    assertThat(plan(Finds.of("{a: 1}").projection("{_id: 0, b: 1}")))
        .isEqualTo("PROJECTION_SIMPLE(FETCH(IXSCAN a_1_b.c_1 {1, all}))");
    assertThat(plan(Finds.of("{a: 1}").projection("{_id: 0, 'x.y': 1}")))
        .isEqualTo("PROJECTION_DEFAULT(FETCH(IXSCAN a_1_b.c_1 {1, all}))");
    assertThat(plan(Finds.of("{t: 1}").projection("{_id: 0, t: 1}")))
        .isEqualTo("PROJECTION_SIMPLE(FETCH(IXSCAN t_1 {1}))");
    assertThat(
            plan(
                Finds.of("{a: {$gt: 1}}").projection("{_id: 0, a: 1}").sort("{'b.c': 1}").limit(2)))
        .isEqualTo("PROJECTION_COVERED(SORT 2(IXSCAN a_1_b.c_1 {(1, inf.0], all}))");
  }

  @Test
  void rowsToBeSkippedAreNotRead() {
    database.createIndex("{a: 1}");
    assertThat(plan(Finds.of("{a: 1}").skip(5).limit(2)))
        .isEqualTo("LIMIT(FETCH(SKIP(IXSCAN a_1 {1})))");
    assertThat(plan(Finds.of("{a: 1, x: 1}").skip(5).limit(2)))
        .isEqualTo("LIMIT(SKIP(FETCH?(IXSCAN a_1 {1})))");
  }

  @Test
  void eachBranchOfADisjunctionHasItsOwnWay() {
    database.createIndex("{a: 1}");
    database.createIndex("{b: 1}");
    assertThat(plan("{$or: [{a: 1}, {b: 2}]}"))
        .isEqualTo("SUBPLAN(FETCH(OR(IXSCAN a_1 {1}, IXSCAN b_1 {2})))");
    assertThat(plan("{$or: [{a: 1, x: 1}, {b: 2}]}"))
        .isEqualTo("SUBPLAN(OR(FETCH?(IXSCAN a_1 {1}), FETCH(IXSCAN b_1 {2})))");
    assertThat(plan("{$or: [{a: 1}, {c: 2}]}")).isEqualTo("COLLSCAN?");
    assertThat(plan("{$or: [{a: 1}, {a: 2}]}")).isEqualTo("FETCH(IXSCAN a_1 {1 2})");
    assertThat(plans(Finds.of("{x: 1, $or: [{a: 1}, {b: 2}]}")))
        .containsExactly("OR(FETCH?(IXSCAN a_1 {1}), FETCH?(IXSCAN b_1 {2}))");
    assertThat(plans(Finds.of("{a: 5, $or: [{b: 1}, {c: 2}]}")))
        .containsExactly("FETCH?(IXSCAN a_1 {5})");
  }

  @Test
  void sortedBranchesAreMerged() {
    database.createIndex("{a: 1, s: 1}");
    database.createIndex("{b: 1, s: 1}");
    assertThat(plan(Finds.of("{$or: [{a: 1}, {b: 2}]}").sort("{s: 1}")))
        .isEqualTo("SUBPLAN(FETCH(SORT_MERGE(IXSCAN a_1_s_1 {1, all}, IXSCAN b_1_s_1 {2, all})))");
    assertThat(plan(Finds.of("{$or: [{a: 1}, {b: 2}]}").sort("{x: 1}")))
        .isEqualTo("SUBPLAN(SORT 0(FETCH(OR(IXSCAN a_1_s_1 {1, all}, IXSCAN b_1_s_1 {2, all}))))");
  }

  @Test
  void aConditionOutsideGoesIntoTheBranches() {
    database.createIndex("{a: 1, b: 1}");
    database.createIndex("{c: 1}");
    assertThat(plans(Finds.of("{a: 5, $or: [{b: 1}, {c: 2}]}")))
        .contains("OR(FETCH(IXSCAN a_1_b_1 {5, 1}), FETCH?(IXSCAN c_1 {2}))");
  }

  @Test
  void oneValueOfAUniqueFieldIsLookedUp() {
    database.createIndex("{u: 1}", "unique");
    database.createIndex("{a: 1, b: 1}");
    database.createIndex("{a: 1}");
    assertThat(plans(Finds.of("{u: 2}"))).containsExactly("EXPRESS_IXSCAN u_1 {2}");
    assertThat(plans(Finds.of("{u: {$in: ['x']}}"))).containsExactly("EXPRESS_IXSCAN u_1 {\"x\"}");
    assertThat(plan(Finds.of("{u: 2}").projection("{u: 1}")))
        .isEqualTo("PROJECTION_SIMPLE(EXPRESS_IXSCAN u_1 {2})");
    assertThat(plan(Finds.of("{a: 2}").limit(1))).isEqualTo("EXPRESS_IXSCAN a_1 {2}");
    for (Finds planned :
        List.of(
            Finds.of("{u: null}"),
            Finds.of("{u: [1]}"),
            Finds.of("{u: {$gt: 1}}"),
            Finds.of("{u: 2}").sort("{u: 1}"),
            Finds.of("{u: 2}").skip(1),
            Finds.of("{u: 2}").hint("{u: 1}"),
            Finds.of("{u: 2}").returnKey(),
            Finds.of("{u: 2}").projection("{'u.x': 1}"),
            Finds.of("{a: 2}"),
            Finds.of("{a: 2}").limit(2))) {
      assertThat(plan(planned)).as(planned.toRequest().toString()).doesNotContain("EXPRESS");
    }
  }

  @Test
  void oneKeyOfAUniqueIndexIsTheOnlyPlan() {
    database.createIndex("{a: 1}");
    database.createIndex("{u: 1}", "unique");
    assertThat(plans(Finds.of("{a: 1, u: 2}"))).containsExactly("FETCH?(IXSCAN u_1 {2})");
    assertThat(plans(Finds.of("{a: 1, u: {$gt: 2}}"))).hasSize(2);
  }

  @Test
  void aCountReadsKeysOnly() {
    database.createIndex("{a: 1, b: 1}");
    assertThat(count("{a: {$gt: 1}}")).isEqualTo("COUNT_SCAN a_1_b_1 {(1, inf.0], all}");
    assertThat(count("{a: {$in: [1, 2]}}")).isEqualTo("IXSCAN a_1_b_1 {1 2, all}");
    assertThat(count("{a: {$gt: 1}, b: 2}")).isEqualTo("IXSCAN a_1_b_1 {(1, inf.0], 2}");
    assertThat(count("{a: 1, c: 1}")).isEqualTo("FETCH?(IXSCAN a_1_b_1 {1, all})");
  }

  private String count(String filter) {
    var request = new CountRequest(TestDatabase.NAMESPACE, RawDocument.parse(filter), 0, 0, null);
    return new PlanTexts(database).of(Query.count(request, null, database.operation())).getFirst();
  }

  @Test
  void distinctValuesComeFromKeys() {
    database.createIndex("{a: 1, b: 1}");
    database.createIndex("{t: 1}");
    database.insert("{_id: 1, t: [1]}");
    assertThat(distinct("a", "{}")).isEqualTo("DISTINCT_SCAN a_1_b_1 {all, all}");
    assertThat(distinct("b", "{a: 1}")).isEqualTo("DISTINCT_SCAN a_1_b_1 {1, all}");
    assertThat(distinct("a", "{a: {$gt: 1}, b: 2}"))
        .isEqualTo("DISTINCT_SCAN a_1_b_1 {(1, inf.0], 2}");
    assertThat(distinct("b", "{a: {$gt: 1}}")).isEqualTo("FETCH(IXSCAN a_1_b_1 {(1, inf.0], all})");
    assertThat(distinct("b", "{}")).isEqualTo("COLLSCAN");
    assertThat(distinct("t", "{}")).isEqualTo("COLLSCAN");
    assertThat(distinct("a", "{a: 1, c: 1}")).isEqualTo("FETCH?(IXSCAN a_1_b_1 {1, all})");
  }

  private String distinct(String key, String filter) {
    var request = new DistinctRequest(TestDatabase.NAMESPACE, key, RawDocument.parse(filter), null);
    return new PlanTexts(database)
        .of(Query.distinct(request, null, database.operation()))
        .getFirst();
  }

  @Test
  void hintsAreFollowed() {
    database.createIndex("{a: 1}");
    assertThat(plan(Finds.of("{b: 1}").hint("'a_1'"))).isEqualTo("FETCH?(IXSCAN a_1 {all})");
    assertThat(plan(Finds.of("{a: 1}").hint("{_id: 1}"))).isEqualTo("FETCH?(IXSCAN _id_ {all})");
    assertThat(plan(Finds.of("{a: 1}").hint("{$natural: -1}"))).isEqualTo("COLLSCAN? backwards");
    assertThat(plan(Finds.of("{a: 1}").sort("{$natural: -1}"))).isEqualTo("COLLSCAN? backwards");
    assertThat(plan(Finds.all().hint("{a: 1}").min("{a: 1}").max("{a: 5}")))
        .isEqualTo("FETCH(IXSCAN a_1 from min to max)");
    assertThatThrownBy(() -> plan(Finds.all().hint("'b_1'")))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_VALUE));
  }

  @Test
  void keysCanBeReturnedWithoutDocuments() {
    database.createIndex("{a: 1}");
    assertThat(plan(Finds.of("{a: 1}").returnKey())).isEqualTo("RETURN_KEY(IXSCAN a_1 {1})");
    assertThat(plan(Finds.of("{a: 1, b: 1}").returnKey()))
        .isEqualTo("RETURN_KEY(FETCH?(IXSCAN a_1 {1}))");
  }

  /** An array in the place of an element is one key, but not one value. */
  @Test
  void keysOfPositionsAreNotTakenForValues() {
    database.createIndex("{'a.0': 1}");
    database.insert("{_id: 1, a: [['x']]}");
    assertThat(plan("{'a.0': /x/}")).isEqualTo("FETCH?(IXSCAN a.0_1 {[\"\", {}) /x/})");
    assertThat(distinct("a.0", "{}")).isEqualTo("COLLSCAN");
  }
}
