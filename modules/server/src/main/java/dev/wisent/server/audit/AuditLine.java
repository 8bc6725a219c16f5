package dev.wisent.server.audit;

import dev.wisent.bson.RawDocument;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** An event as a line: relaxed JSON, with dates and UUIDs as MongoDB's audit log has them. */
final class AuditLine {
  /** Milliseconds also where they are zero, and UTC as an offset. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxxx").withZone(ZoneOffset.UTC);

  private static final JsonWriterSettings SETTINGS =
      JsonWriterSettings.builder()
          .outputMode(JsonMode.RELAXED)
          .dateTimeConverter(
              (millis, json) -> {
                json.writeStartObject();
                json.writeString("$date", TIME.format(Instant.ofEpochMilli(millis)));
                json.writeEndObject();
              })
          .binaryConverter(
              (binary, json) -> {
                json.writeStartObject();
                json.writeString("$binary", Base64.getEncoder().encodeToString(binary.getData()));
                json.writeString("$type", "%02x".formatted(binary.getType()));
                json.writeEndObject();
              })
          .build();

  private AuditLine() {}

  static String of(RawDocument event) {
    return event.toBsonDocument().toJson(SETTINGS);
  }
}
