package dev.wisent.tools.text;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** Values as the texts of a row. */
public final class RowText {
  private static final JsonWriterSettings RELAXED =
      JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private RowText() {}

  /** A row of CSV: what has a comma, a quote or a line break is quoted. */
  public static String csv(List<String> values) {
    var row = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i);
      row.append(i == 0 ? "" : ",");
      boolean quoted =
          value.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
              || value.startsWith(" ");
      row.append(quoted ? "\"" + value.replace("\"", "\"\"") + "\"" : value);
    }
    return row.toString();
  }

  /** A row of TSV. */
  public static String tsv(List<String> values) throws TextException {
    for (String value : values) {
      if (value.chars().anyMatch(c -> c == '\t' || c == '\n' || c == '\r')) {
        throw new TextException(
            "a value has a tab or a line break, which TSV cannot have; use CSV: " + value);
      }
    }
    return String.join("\t", values);
  }

  /** The value at a path, where numbers are places in arrays; null if there is none. */
  public static BsonValue at(BsonDocument document, String path) {
    BsonValue value = document;
    for (String part : path.split("\\.", -1)) {
      if (value instanceof BsonDocument inner) {
        value = inner.get(part);
      } else if (value instanceof BsonArray array && part.matches("\\d{1,9}")) {
        int index = Integer.parseInt(part);
        value = index < array.size() ? array.get(index) : null;
      } else {
        return null;
      }
    }
    return value;
  }

  /** A value that is missing, or null, is an empty text. */
  public static String of(BsonValue value) {
    if (value == null || value.isNull()) {
      return "";
    }
    return switch (value.getBsonType()) {
      case STRING -> value.asString().getValue();
      case SYMBOL -> value.asSymbol().getSymbol();
      case BOOLEAN -> String.valueOf(value.asBoolean().getValue());
      case INT32 -> String.valueOf(value.asInt32().getValue());
      case INT64 -> String.valueOf(value.asInt64().getValue());
      case DOUBLE -> floating(value.asDouble().getValue());
      case DECIMAL128 -> value.asDecimal128().getValue().toString();
      case DATE_TIME -> DATE.format(Instant.ofEpochMilli(value.asDateTime().getValue()));
      case OBJECT_ID -> "ObjectId(" + value.asObjectId().getValue().toHexString() + ")";
      case BINARY -> Base64.getEncoder().encodeToString(value.asBinary().getData());
      case DOCUMENT -> value.asDocument().toJson(RELAXED);
      default -> inJson(value);
    };
  }

  private static String floating(double number) {
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? String.valueOf((long) number)
        : String.valueOf(number);
  }

  private static String inJson(BsonValue value) {
    String wrapped = new BsonDocument("v", value).toJson(RELAXED);
    return wrapped.substring(wrapped.indexOf(':') + 1, wrapped.length() - 1).strip();
  }
}
