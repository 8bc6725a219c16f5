package dev.wisent.bench.data;

import java.util.List;
import org.bson.BsonBinaryWriter;
import org.bson.RawBsonDocument;
import org.bson.io.BasicOutputBuffer;

/** Writes a document's fields as BSON. */
final class BsonSink implements FieldSink {
  private static final int INITIAL_BYTES = 1536;

  private final BsonBinaryWriter writer;

  private BsonSink(BsonBinaryWriter writer) {
    this.writer = writer;
  }

  static RawBsonDocument encode(BenchDocument document) {
    BasicOutputBuffer buffer = new BasicOutputBuffer(INITIAL_BYTES);
    try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      writer.writeStartDocument();
      writer.writeString("_id", document.id());
      document.writeFields(new BsonSink(writer));
      writer.writeEndDocument();
    }
    return new RawBsonDocument(buffer.getInternalBuffer(), 0, buffer.getPosition());
  }

  @Override
  public void string(String name, String value) {
    writer.writeString(name, value);
  }

  @Override
  public void int32(String name, int value) {
    writer.writeInt32(name, value);
  }

  @Override
  public void int64(String name, long value) {
    writer.writeInt64(name, value);
  }

  @Override
  public void date(String name, long millis) {
    writer.writeDateTime(name, millis);
  }

  @Override
  public void float64(String name, double value) {
    writer.writeDouble(name, value);
  }

  @Override
  public void bool(String name, boolean value) {
    writer.writeBoolean(name, value);
  }

  @Override
  public void point(String name, double longitude, double latitude) {
    writer.writeStartDocument(name);
    writer.writeString("type", "Point");
    writer.writeStartArray("coordinates");
    writer.writeDouble(longitude);
    writer.writeDouble(latitude);
    writer.writeEndArray();
    writer.writeEndDocument();
  }

  @Override
  public void strings(String name, List<String> values) {
    writer.writeStartArray(name);
    values.forEach(writer::writeString);
    writer.writeEndArray();
  }

  @Override
  public void startDocument(String name) {
    writer.writeStartDocument(name);
  }

  @Override
  public void endDocument() {
    writer.writeEndDocument();
  }
}
