package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.DocumentValidationException;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Validators of collections. */
class DocumentRulesTest {
  private static final String RULE = "validator: {n: {$gt: 0}}";

  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private static void assertRefused(WriteOutcome outcome) {
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().error())
        .isInstanceOf(DocumentValidationException.class)
        .hasMessage("Document failed validation");
  }

  private void options(String json) {
    database
        .database()
        .changes()
        .modify(
            database.collection(),
            definition -> definition.withOptions(RawDocument.parse(json)),
            database.operation());
  }

  @Test
  void everyWriteIsChecked() {
    database.create("{%s}".formatted(RULE));
    assertRefused(database.tryInsert(true, "{_id: 1, n: 0}"));
    database.insert("{_id: 1, n: 1}");
    assertRefused(database.update("{_id: 1}", "{$inc: {n: -1}}"));
    assertRefused(database.update("{_id: 1}", "{n: 'x'}"));
    assertRefused(database.updateMany("{}", "{$unset: {n: 1}}"));
    assertRefused(database.upsert("{_id: 2}", "{$set: {n: 0}}"));
    assertThatThrownBy(() -> findAndModify("{_id: 1}", "{$set: {n: 0}}", false))
        .isInstanceOf(DocumentValidationException.class);
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"n\": 1}");
    assertThat(database.update("{_id: 1}", "{$set: {n: 5}}").modified()).isEqualTo(1);
  }

  private void findAndModify(String query, String update, boolean bypass) {
    database
        .database()
        .findAndModify(
            database.operation(),
            new FindAndModifyRequest(
                TestDatabase.NAMESPACE,
                RawDocument.parse(query),
                RawDocument.EMPTY,
                TestDatabase.value(update),
                false,
                false,
                RawDocument.EMPTY,
                List.of(),
                bypass,
                null));
  }

  @Test
  void theErrorTellsWhichDocument() {
    database.create("{%s}".formatted(RULE));
    CommandException error =
        database.tryInsert(true, "{_id: 7, n: 0}").failures().getFirst().error();
    RawDocument information = ((DocumentValidationException) error).information();
    assertThat(information.get("failingDocumentId").asInt32()).isEqualTo(7);
    assertThat(information.get("details").asDocument().get("specifiedAs").asDocument().toJson())
        .isEqualTo("{\"n\": {\"$gt\": 0}}");
  }

  @Test
  void onlyTheRefusedDocumentsOfABatchAreMissing() {
    database.create("{%s}".formatted(RULE));
    WriteOutcome outcome =
        database.tryInsert(false, "{_id: 1, n: 1}", "{_id: 2, n: 0}", "{_id: 3, n: 3}");
    assertThat(outcome.matched()).isEqualTo(2);
    assertRefused(outcome);
    assertThat(database.count("{}")).isEqualTo(2);
  }

  @Test
  void theCheckCanBeBypassed() {
    database.create("{%s}".formatted(RULE));
    database
        .database()
        .insert(
            database.operation(),
            new InsertRequest(
                TestDatabase.NAMESPACE, List.of(RawDocument.parse("{_id: 1}")), true, true));
    WriteOutcome outcome =
        database
            .database()
            .update(
                database.operation(),
                new UpdateRequest(
                    TestDatabase.NAMESPACE,
                    List.of(
                        TestDatabase.statement("{_id: 1}", "{$set: {n: 0}}", false, false),
                        TestDatabase.statement("{_id: 2}", "{$set: {n: 0}}", false, true)),
                    true,
                    true));
    assertThat(outcome.failures()).isEmpty();
    findAndModify("{_id: 1}", "{$set: {n: -1}}", true);
    assertThat(database.count("{n: {$lte: 0}}")).isEqualTo(2);
  }

  @Test
  void moderateSparesDocumentsThatBrokeTheRuleBefore() {
    database.insert("{_id: 1, n: 0}", "{_id: 2, n: 1}");
    options("{%s}".formatted(RULE));
    assertRefused(database.update("{_id: 1}", "{$set: {a: 1}}"));
    options("{%s, validationLevel: 'moderate'}".formatted(RULE));
    assertThat(database.update("{_id: 1}", "{$set: {a: 1}}").modified()).isEqualTo(1);
    assertRefused(database.update("{_id: 2}", "{$set: {n: 0}}"));
    assertRefused(database.tryInsert(true, "{_id: 3}"));
    // Once it keeps the rule, it has to go on doing so.
    database.update("{_id: 1}", "{$set: {n: 1}}");
    assertRefused(database.update("{_id: 1}", "{$set: {n: 0}}"));
  }

  @Test
  void offMeansOff() {
    database.create("{%s, validationLevel: 'off'}".formatted(RULE));
    database.insert("{_id: 1}");
    options("{validator: {}, validationLevel: 'strict'}");
    database.insert("{_id: 2}");
  }

  @Test
  void aWarningIsNoError() {
    var warnings = new ArrayList<String>();
    database.create("{%s, validationAction: 'warn'}".formatted(RULE));
    database
        .database()
        .catalog()
        .validationWarnings(
            (where, what) -> warnings.add(where + " " + what.get("failingDocumentId")));
    database.insert("{_id: 1, n: 0}", "{_id: 2, n: 1}");
    database.update("{_id: 2}", "{$set: {n: 0}}");
    assertThat(warnings).hasSize(2);
    assertThat(warnings.getFirst()).startsWith("test.c");
    assertThat(database.count("{n: 0}")).isEqualTo(2);
  }

  @Test
  void rulesSurviveARestart() {
    database.create("{%s}".formatted(RULE));
    database.reopen();
    assertRefused(database.tryInsert(true, "{n: 0}"));
  }
}
