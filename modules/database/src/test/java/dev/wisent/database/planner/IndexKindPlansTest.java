package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which plans indexes are used in that do not have all documents, or not their values. */
class IndexKindPlansTest {
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

  private String plan(Finds find) {
    return new PlanTexts(database).of(find).getFirst();
  }

  private String plan(String filter) {
    return plan(Finds.of(filter));
  }

  @Test
  void anIndexThatLacksDocumentsIsUsedWhereNoneIsMissed() {
    database.createIndex("{s: 1}", "sparse");
    assertThat(plan("{s: 1}")).isEqualTo("FETCH(IXSCAN s_1 {1})");
    assertThat(plan("{s: {$exists: true}}")).isEqualTo("FETCH(IXSCAN s_1 {all})");
    assertThat(plan("{s: {$ne: null}}")).startsWith("FETCH(IXSCAN s_1");
    for (String filter :
        List.of("{s: null}", "{s: {$exists: false}}", "{s: {$ne: 1}}", "{s: {$in: [1, null]}}")) {
      assertThat(plan(filter)).as(filter).isEqualTo("COLLSCAN?");
    }
    assertThat(plan(Finds.all().sort("{s: 1}"))).isEqualTo("SORT 0(COLLSCAN)");
    assertThat(plan(Finds.all().hint("{s: 1}"))).isEqualTo("FETCH(IXSCAN s_1 {all})");
  }

  @Test
  void aClusteredCollectionIsReadInTheOrderOfItsIds() {
    database.database().changes().drop(database.collection(), database.operation());
    database.create("{clusteredIndex: {key: {_id: 1}, unique: true}}");
    assertThat(plan("{a: 1}")).isEqualTo("FETCH?(IXSCAN _id_ {all})");
    assertThat(plan("{_id: {$gt: 5}}")).isEqualTo("FETCH(IXSCAN _id_ {(5, inf.0]})");
  }

  private void createIndex(String key, String name, String options) {
    RawDocument spec =
        RawDocument.parse("{v: 2, key: %s, name: '%s'%s}".formatted(key, name, options));
    database
        .database()
        .changes()
        .addIndexes(database.collection(), List.of(spec), database.operation());
  }

  @Test
  void aHashedIndexAnswersEqualityOnly() {
    createIndex("{h: 'hashed'}", "h", "");
    assertThat(plan("{h: 5}")).startsWith("FETCH?(IXSCAN h {");
    assertThat(plan("{h: {$in: [1, null]}}")).startsWith("FETCH?(IXSCAN h {");
    assertThat(plan("{h: {$gt: 5}}")).isEqualTo("COLLSCAN?");
    assertThat(plan("{h: {$ne: 5}}")).isEqualTo("COLLSCAN?");
    assertThat(plan(Finds.all().sort("{h: 1}"))).isEqualTo("SORT 0(COLLSCAN)");
    assertThat(plan(Finds.of("{h: 5}").projection("{_id: 0, h: 1}")))
        .startsWith("PROJECTION_SIMPLE(FETCH?(IXSCAN h {");
  }

  @Test
  void aWildcardIndexIsAskedForOnePath() {
    createIndex("{'w.$**': 1}", "w", "");
    assertThat(plan("{'w.x': 5}")).isEqualTo("FETCH(IXSCAN w {\"w.x\", 5})");
    assertThat(plan("{'w.x': {$gt: 5, $lt: 9}, 'w.y': 1, z: 1}"))
        .startsWith("FETCH?(IXSCAN w {\"w.");
    assertThat(plan(Finds.of("{'w.x': {$gt: 5}}").sort("{'w.x': -1}")))
        .isEqualTo("FETCH(IXSCAN w backwards {\"w.x\", (5, inf.0]})");
    assertThat(plan("{'w.x': {$exists: true}}"))
        .isEqualTo("FETCH(IXSCAN w {\"w.x\" [\"w.x.\", \"w.x/\"), all})");
    for (String filter :
        List.of(
            "{z: 1}",
            "{'w.x': null}",
            "{'w.x': {$exists: false}}",
            "{'w.x': {$ne: 5}}",
            "{'w.x': {y: 1}}",
            "{'w.x': [1]}",
            "{'w.x': {$in: [1, null]}}")) {
      assertThat(plan(filter)).as(filter).isEqualTo("COLLSCAN?");
    }
    assertThat(plan(Finds.all().sort("{'w.x': 1}"))).isEqualTo("SORT 0(COLLSCAN)");
    assertThatThrownBy(() -> plan(Finds.of("{z: 1}").hint("'w'")))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_QUERY_EXECUTION_PLANS));
  }

  @Test
  void aPartialIndexIsUsedByQueriesThatImplyItsFilter() {
    createIndex("{p: 1}", "p", ", partialFilterExpression: {q: {$gt: 5}}");
    assertThat(plan("{p: 1, q: 7}")).isEqualTo("FETCH?(IXSCAN p {1})");
    assertThat(plan("{p: 1}")).isEqualTo("COLLSCAN?");
    assertThat(plan("{p: 1, q: 5}")).isEqualTo("COLLSCAN?");
    assertThat(plan("{$or: [{p: 1, q: 6}, {p: 2, q: 7}]}")).startsWith("SUBPLAN(OR(FETCH?(IXSCAN");
    assertThat(plan(Finds.of("{q: 7}").sort("{p: 1}"))).isEqualTo("FETCH?(IXSCAN p {all})");
    assertThat(plan(Finds.all().sort("{p: 1}"))).isEqualTo("SORT 0(COLLSCAN)");
  }

  @Test
  void aHiddenIndexIsNotUsed() {
    createIndex("{a: 1}", "a", ", hidden: true");
    assertThat(plan("{a: 1}")).isEqualTo("COLLSCAN?");
    assertThatThrownBy(() -> plan(Finds.all().hint("'a'")))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_VALUE));
  }
}
