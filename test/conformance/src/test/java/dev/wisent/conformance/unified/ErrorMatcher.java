package dev.wisent.conformance.unified;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ClientBulkWriteException;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteError;
import com.mongodb.bulk.WriteConcernError;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.opentest4j.TestAbortedException;

/** Compares a thrown exception with {@code expectError}. */
record ErrorMatcher(ValueMatcher values) {

  void check(BsonDocument expected, RuntimeException actual) {
    try {
      expected.forEach((aspect, value) -> checkAspect(aspect, value, actual));
    } catch (AssertionError failure) {
      failure.addSuppressed(actual);
      throw failure;
    }
  }

  private void checkAspect(String aspect, BsonValue expected, RuntimeException actual) {
    switch (aspect) {
      case "isError" -> assertThat(expected).isEqualTo(BsonBoolean.TRUE);
      case "isClientError" ->
          assertThat(isClientError(actual))
              .as("client error: %s", actual)
              .isEqualTo(expected.asBoolean().getValue());
      case "errorCode" ->
          assertThat(code(actual)).as("code of %s", actual).isEqualTo(intOf(expected));
      case "errorCodeName" ->
          assertThat(codeName(actual)).as("code name").isEqualTo(expected.asString().getValue());
      case "errorContains" ->
          assertThat(actual.getMessage().toLowerCase(Locale.ROOT))
              .contains(expected.asString().getValue().toLowerCase(Locale.ROOT));
      case "errorLabelsContain" ->
          texts(expected).forEach(label -> assertLabel(actual, label, true));
      case "errorLabelsOmit" -> texts(expected).forEach(label -> assertLabel(actual, label, false));
      case "errorResponse" -> values.check(expected, response(actual));
      case "expectResult" -> values.check(expected, partialResult(actual));
      case "writeErrors" -> checkWriteErrors(expected.asDocument(), actual);
      case "writeConcernErrors" -> checkWriteConcernErrors(expected.asArray(), actual);
      case "isTimeoutError" -> throw new TestAbortedException("client-side time-outs");
      default -> throw new TestAbortedException("aspect of an error: " + aspect);
    }
  }

  /** Whatever the server did not answer: the driver's own checks and network errors. */
  private static boolean isClientError(RuntimeException error) {
    return error instanceof MongoClientException
        || error instanceof MongoSocketException
        || !(error instanceof MongoException);
  }

  private static int code(RuntimeException error) {
    return switch (error) {
      case ClientBulkWriteException bulk when bulk.getCause() != null -> bulk.getCause().getCode();
      case MongoBulkWriteException bulk when !bulk.getWriteErrors().isEmpty() ->
          bulk.getWriteErrors().getFirst().getCode();
      case MongoBulkWriteException bulk when bulk.getWriteConcernError() != null ->
          bulk.getWriteConcernError().getCode();
      case MongoException mongo -> mongo.getCode();
      default -> throw new AssertionError("an error without a code: " + error, error);
    };
  }

  private static String codeName(RuntimeException error) {
    return switch (error) {
      case MongoCommandException command -> command.getErrorCodeName();
      case MongoWriteConcernException concern -> concern.getWriteConcernError().getCodeName();
      default -> throw new AssertionError("an error without a code name: " + error, error);
    };
  }

  private static BsonDocument response(RuntimeException error) {
    return switch (error) {
      case ClientBulkWriteException bulk
          when bulk.getCause() instanceof MongoCommandException command ->
          command.getResponse();
      case MongoCommandException command -> command.getResponse();
      // A single failed write: its entry in writeErrors is what the server said about it.
      case MongoWriteException write ->
          new BsonDocument("code", new BsonInt32(write.getCode()))
              .append("errInfo", write.getError().getDetails());
      default -> throw new AssertionError("an error without a response: " + error, error);
    };
  }

  private static BsonDocument partialResult(RuntimeException error) {
    return switch (error) {
      case ClientBulkWriteException bulk ->
          bulk.getPartialResult().map(ClientBulkWriteResults::of).orElse(null);
      case MongoBulkWriteException bulk -> WriteResults.of(bulk.getWriteResult());
      default -> throw new AssertionError("an error without a partial result: " + error, error);
    };
  }

  private void checkWriteErrors(BsonDocument expected, RuntimeException error) {
    assertThat(error).isInstanceOf(ClientBulkWriteException.class);
    Map<Integer, WriteError> errors = ((ClientBulkWriteException) error).getWriteErrors();
    assertThat(errors.keySet().stream().map(Object::toString))
        .as("operations with a write error")
        .containsExactlyInAnyOrderElementsOf(expected.keySet());
    expected.forEach(
        (index, value) ->
            assertThat(errors.get(Integer.valueOf(index)).getCode())
                .as("code of operation %s", index)
                .isEqualTo(intOf(value.asDocument().get("code"))));
  }

  private static void checkWriteConcernErrors(BsonArray expected, RuntimeException error) {
    assertThat(error).isInstanceOf(ClientBulkWriteException.class);
    List<WriteConcernError> errors = ((ClientBulkWriteException) error).getWriteConcernErrors();
    assertThat(errors).hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      BsonDocument wanted = expected.get(i).asDocument();
      assertThat(errors.get(i).getCode()).isEqualTo(intOf(wanted.get("code")));
      assertThat(errors.get(i).getMessage()).isEqualTo(wanted.getString("message").getValue());
    }
  }

  private static void assertLabel(RuntimeException error, String label, boolean expected) {
    boolean labelled = error instanceof MongoException mongo && mongo.hasErrorLabel(label);
    assertThat(labelled).as("error label %s on %s", label, error).isEqualTo(expected);
  }

  private static int intOf(BsonValue value) {
    return value.asNumber().intValue();
  }

  private static List<String> texts(BsonValue array) {
    return array.asArray().stream().map(text -> text.asString().getValue()).toList();
  }
}
