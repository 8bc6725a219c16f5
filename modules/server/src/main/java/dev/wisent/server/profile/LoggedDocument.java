package dev.wisent.server.profile;

import dev.wisent.base.log.LogValue;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** A document in a log line. Where clients' data are not logged, its fields are, without values. */
public record LoggedDocument(RawDocument document) implements LogValue {
  private static final RawValue HIDDEN = RawValue.ofString("###");

  @Override
  public void appendJson(StringBuilder out) {
    out.append(document.toJson());
  }

  @Override
  public void appendRedacted(StringBuilder out) {
    var redacted = new BsonBuilder(document.length());
    redact(document.elements(), redacted);
    out.append(redacted.toDocument().toJson());
  }

  private static void redact(ElementCursor fields, BsonBuilder out) {
    while (fields.next()) {
      RawValue value = fields.value();
      if (!value.isDocument()) {
        out.append(fields.name(), HIDDEN);
        continue;
      }
      if (value.isArray()) {
        out.startArray(fields.name());
      } else {
        out.startDocument(fields.name());
      }
      redact(value.elements(), out);
      out.end();
    }
  }
}
