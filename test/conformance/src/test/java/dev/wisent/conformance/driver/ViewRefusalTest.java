package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that a view cannot answer. */
@ExtendWith(DriverFixture.Extension.class)
class ViewRefusalTest {
  private static final int NAMESPACE_EXISTS = 48;
  private static final int COMMAND_NOT_SUPPORTED_ON_VIEW = 166;
  private static final String REFUSED = "Namespace driver_tests.v is a view, not a collection";

  @BeforeEach
  void createView(DriverFixture fixture) {
    fixture.collection("src").insertOne(new Document("_id", 1));
    fixture.database().createView("v", "src", List.of());
  }

  private static MongoCommandException fail(DriverFixture fixture, String command) {
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> fixture.database().runCommand(Document.parse(command)));
    assertThat(e).as(command).isNotNull();
    return e;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{findAndModify: 'v', query: {}, remove: true}",
        "{findAndModify: 'v', query: {}, update: {$set: {a: 1}}, upsert: true}",
        "{createIndexes: 'v', indexes: [{key: {a: 1}, name: 'a_1'}]}",
        "{listIndexes: 'v'}",
        "{dropIndexes: 'v', index: '*'}",
        "{collStats: 'v'}",
        "{dataSize: 'driver_tests.v'}",
        "{planCacheClear: 'v'}",
        "{planCacheListFilters: 'v'}",
        "{planCacheSetFilter: 'v', query: {a: 1}, indexes: ['a_1']}",
        "{planCacheClearFilters: 'v'}",
        "{explain: {update: 'v', updates: [{q: {}, u: {$set: {a: 1}}}]}}",
        "{explain: {delete: 'v', deletes: [{q: {}, limit: 0}]}}",
        "{explain: {findAndModify: 'v', remove: true}}"
      })
  void onlyCollectionsCanDoThat(String command, DriverFixture fixture) {
    MongoCommandException e = fail(fixture, command);
    assertThat(e.getErrorMessage()).isEqualTo(REFUSED);
    assertThat(e.getErrorCode()).isEqualTo(COMMAND_NOT_SUPPORTED_ON_VIEW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{validate: 'v'}|Cannot validate a view",
        "{compact: 'v'}|can't compact a view",
        "{reIndex: 'v'}|can't re-index a view",
        "{convertToCapped: 'v', size: 4096}"
            + "|cannot convert a view to a capped collection: driver_tests.v"
      })
  void someSayMore(String command, String message, DriverFixture fixture) {
    MongoCommandException e = fail(fixture, command);
    assertThat(e.getErrorMessage()).isEqualTo(message);
    assertThat(e.getErrorCode()).isEqualTo(COMMAND_NOT_SUPPORTED_ON_VIEW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{insert: 'v', documents: [{_id: 2}, {_id: 3}]}|1",
        "{insert: 'v', documents: [{_id: 2}, {_id: 3}], ordered: false}|2",
        "{update: 'v', updates: [{q: {}, u: {$set: {a: 1}}}]}|1",
        "{update: 'v', updates: [{q: {}, u: {$set: {a: 1}}, multi: true}]}|1",
        "{update: 'v', updates: [{q: {a: 7}, u: {$set: {a: 1}}, upsert: true}]}|1",
        "{delete: 'v', ordered: false, deletes: [{q: {}, limit: 1}, {q: {}, limit: 0}]}|2"
      })
  void writesFailStatementByStatement(String command, int reported, DriverFixture fixture) {
    Document reply = fixture.database().runCommand(Document.parse(command));

    assertThat(reply.get("n")).isEqualTo(0);
    List<Document> errors = reply.getList("writeErrors", Document.class);
    assertThat(errors).hasSize(reported);
    for (Document error : errors) {
      assertThat(error.get("code")).isEqualTo(COMMAND_NOT_SUPPORTED_ON_VIEW);
      assertThat(error.get("errmsg")).isEqualTo(REFUSED);
    }
    assertThat(fixture.collection("src").find()).containsExactly(new Document("_id", 1));
    assertThat(fixture.database().listCollectionNames())
        .containsExactlyInAnyOrder("src", "v", "system.views");
  }

  @ParameterizedTest
  @ValueSource(strings = {"$indexStats: {}", "$planCacheStats: {}", "$listCatalog: {}"})
  void figuresAreThoseOfCollections(String stage, DriverFixture fixture) {
    String command = "{aggregate: '%s', cursor: {}, pipeline: [{" + stage + "}]}";
    // A view without stages is another name of its collection.
    fixture.database().runCommand(Document.parse(command.formatted("v")));

    fixture.database().createView("w", "src", List.of(Document.parse("{$match: {a: 1}}")));
    MongoCommandException e = fail(fixture, command.formatted("w"));
    assertThat(e.getErrorCode()).isEqualTo(40602);
    assertThat(e.getErrorMessage())
        .isEqualTo(
            stage.substring(0, stage.indexOf(':'))
                + " is only valid as the first stage in a pipeline");
  }

  @Test
  void viewsHaveLatenciesButNoSize(DriverFixture fixture) {
    String command = "{aggregate: 'v', cursor: {}, pipeline: [{$collStats: {%s: {}}}]}";
    fixture.database().runCommand(Document.parse(command.formatted("latencyStats")));
    MongoCommandException e = fail(fixture, command.formatted("count"));
    assertThat(e.getErrorCode()).isEqualTo(COMMAND_NOT_SUPPORTED_ON_VIEW);
  }

  @Test
  void viewsAreNotRenamed(DriverFixture fixture) {
    MongoCommandException from =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> admin(fixture, "{renameCollection: 'driver_tests.v', to: 'driver_tests.w'}"));
    assertThat(from.getErrorMessage()).isEqualTo("cannot rename view: driver_tests.v");
    assertThat(from.getErrorCode()).isEqualTo(COMMAND_NOT_SUPPORTED_ON_VIEW);

    MongoCommandException to =
        catchThrowableOfType(
            MongoCommandException.class,
            () ->
                admin(
                    fixture,
                    "{renameCollection: 'driver_tests.src', to: 'driver_tests.v', dropTarget:"
                        + " true}"));
    assertThat(to.getErrorMessage())
        .isEqualTo("a view already exists with that name: driver_tests.v");
    assertThat(to.getErrorCode()).isEqualTo(NAMESPACE_EXISTS);
  }

  private static void admin(DriverFixture fixture, String command) {
    fixture.client().getDatabase("admin").runCommand(Document.parse(command));
  }

  @Test
  void nobodyWritesToSystemViews(DriverFixture fixture) {
    MongoCommandException e =
        fail(fixture, "{insert: 'system.views', documents: [{_id: 'driver_tests.w'}]}");
    assertThat(e.getErrorMessage()).isEqualTo("cannot write to driver_tests.system.views");
  }
}
