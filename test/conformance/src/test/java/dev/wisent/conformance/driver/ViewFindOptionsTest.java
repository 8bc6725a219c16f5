package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A find on a view is a pipeline: what that cannot do is refused, the rest is taken. */
@ExtendWith(DriverFixture.Extension.class)
class ViewFindOptionsTest {
  private static final int INVALID_PIPELINE_OPERATOR = 168;

  @BeforeEach
  void createView(DriverFixture fixture) {
    fixture.collection("src").insertMany(List.of(new Document("_id", 1), new Document("_id", 2)));
    fixture.database().createView("v", "src", List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          min: {_id: 1}               | Option min not supported in aggregation.
          max: {_id: 1}               | Option max not supported in aggregation.
          returnKey: true             | Option returnKey not supported in aggregation.
          showRecordId: true          | Option showRecordId not supported in aggregation.
          tailable: true              | Tailable cursors are not supported in aggregation.
          noCursorTimeout: true       | Option noCursorTimeout not supported in aggregation.
          allowPartialResults: true   | Option allowPartialResults not supported in aggregation.
          singleBatch: true           | Option singleBatch not supported in aggregation.
          singleBatch: true, limit: 2 | Option singleBatch not supported in aggregation.
          readOnce: true              | Option readOnce not supported in aggregation.
          """)
  void refuses(String option, String message, DriverFixture fixture) {
    String find = "{find: 'v', hint: {_id: 1}, " + option + "}";
    for (String command : List.of(find, "{explain: " + find + "}")) {
      MongoCommandException e =
          catchThrowableOfType(
              MongoCommandException.class,
              () -> fixture.database().runCommand(Document.parse(command)));
      assertThat(e).as(command).isNotNull();
      assertThat(e.getErrorCode()).isEqualTo(INVALID_PIPELINE_OPERATOR);
      assertThat(e.getErrorMessage()).isEqualTo(message);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "singleBatch: true, limit: 1",
        "singleBatch: false",
        "noCursorTimeout: false",
        "allowPartialResults: false",
        "readOnce: false",
        "tailable: false",
        "returnKey: false",
        "min: {}",
        "allowDiskUse: true",
        "batchSize: 1",
        "maxTimeMS: 100000",
        "comment: 'c'",
        "let: {a: 1}",
        "hint: '_id_'",
        "sort: {$natural: 1}",
        "readConcern: {level: 'local'}"
      })
  void takes(String option, DriverFixture fixture) {
    String find = "{find: 'v', filter: {_id: {$lt: 2}}, " + option + "}";
    Document reply = fixture.database().runCommand(Document.parse(find));
    assertThat(reply.get("cursor", Document.class).getList("firstBatch", Document.class))
        .containsExactly(new Document("_id", 1));
  }
}
