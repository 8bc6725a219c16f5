package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.match.MatchParser;
import java.util.ArrayList;
import java.util.Arrays;
import org.bson.BsonArray;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.bson.types.ObjectId;

/** Runs updates written as JSON; documents come back byte for byte or not at all. */
public final class UpdateCases {
  public static final long NOW_MILLIS = 1_700_000_000_000L;

  /** Seconds 7, increment 1. */
  public static final long TIMESTAMP = (7L << 32) + 1;

  public static final ObjectId OBJECT_ID = new ObjectId("0123456789abcdef01234567");

  static final QueryContext QUERY = QueryContext.of(() -> NOW_MILLIS, () -> 0.5);

  public static final UpdateContext CONTEXT =
      new UpdateContext(
          QUERY,
          () -> TIMESTAMP,
          () -> OBJECT_ID,
          (array, query) -> {
            throw new UnsupportedOperationException("stages belong to another module");
          });

  private static final JsonWriterSettings CANONICAL =
      JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

  /** Bytes around the documents under test, so that forgotten offsets show. */
  private static final int MARGIN_BYTES = 7;

  private UpdateCases() {}

  /** What the update makes of the document; {@code unchanged} where it leaves it alone. */
  static void assertResult(String document, String update, String expected) {
    assertResult(document, "{}", update, "[]", expected);
  }

  /** The same with the filter that found the document and with array filters. */
  static void assertResult(
      String document, String filter, String update, String arrayFilters, String expected) {
    RawDocument original = inTheMiddle(RawDocument.parse(document));
    RawDocument before = original.detached();
    UpdateOutcome outcome = apply(original, filter, update, arrayFilters);
    assertThat(original).as("the original's bytes").isEqualTo(before);
    if (expected.equals("unchanged")) {
      assertThat(outcome.modified()).as("modified").isFalse();
      assertThat(outcome.document()).isSameAs(original);
      return;
    }
    assertThat(canonical(outcome.document())).isEqualTo(canonical(RawDocument.parse(expected)));
    assertThat(outcome.document()).isEqualTo(RawDocument.parse(expected));
    assertThat(outcome.modified()).as("modified").isTrue();
  }

  static void assertError(String document, String update, int code, String message) {
    assertError(document, "{}", update, "[]", code, message);
  }

  static void assertError(
      String document,
      String filter,
      String update,
      String arrayFilters,
      int code,
      String message) {
    RawDocument original = inTheMiddle(RawDocument.parse(document));
    var thrown =
        catchThrowableOfType(
            CommandException.class, () -> apply(original, filter, update, arrayFilters));
    assertThat(thrown).as("an error").isNotNull();
    assertThat(thrown.getMessage()).isEqualTo(message);
    assertThat(thrown.code().code()).isEqualTo(code);
  }

  static UpdateOutcome apply(
      RawDocument document, String filter, String update, String arrayFilters) {
    Update parsed = parse(update, arrayFilters);
    var details = new MatchDetails();
    boolean matches =
        MatchParser.parse(RawDocument.parse(filter), QUERY).matches(document, details);
    assertThat(matches).as("the filter finds the document").isTrue();
    return parsed.apply(document, details, false);
  }

  static Update parse(String update) {
    return parse(update, "[]");
  }

  static Update parse(String update, String arrayFilters) {
    var filters = new ArrayList<RawDocument>();
    BsonArray.parse(arrayFilters).forEach(f -> filters.add(RawDocument.of(f.asDocument())));
    RawValue value = RawValue.ofDocument(inTheMiddle(RawDocument.parse(update)));
    return UpdateParser.parse(value, filters, CONTEXT);
  }

  /** The document that an upsert inserts. */
  static RawDocument upsert(String filter, String update) {
    return UpsertBuilder.build(
        parse(update), MatchParser.parse(RawDocument.parse(filter), QUERY), CONTEXT);
  }

  static String canonical(RawDocument document) {
    return document.toBsonDocument().toJson(CANONICAL);
  }

  public static RawDocument inTheMiddle(RawDocument document) {
    var bytes = new byte[document.length() + 2 * MARGIN_BYTES];
    Arrays.fill(bytes, (byte) 0x55);
    System.arraycopy(document.toByteArray(), 0, bytes, MARGIN_BYTES, document.length());
    return new RawDocument(bytes, MARGIN_BYTES, document.length());
  }
}
