package dev.wisent.query.metadata;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** Writes documents with their metadata; each is valid until the next one is started. */
public final class MetadataWriter {
  private final BsonBuilder out = new BsonBuilder();

  public MetadataWriter start() {
    out.reset(0);
    return this;
  }

  public MetadataWriter put(MetaType type, RawValue value) {
    out.append(type.fieldBytes(), value);
    return this;
  }

  public MetadataWriter put(MetaType type, double value) {
    out.appendDouble(type.field(), value);
    return this;
  }

  /** Behind what was put there comes the document, with what it carries itself. */
  public RawDocument on(RawDocument document) {
    out.appendAll(document);
    return finish();
  }

  /** The document with what another one carries, and nothing else. */
  public RawDocument move(RawDocument carrier, RawDocument document) {
    out.reset(0);
    Metadata.append(carrier, out);
    Metadata.appendRest(document, out);
    return finish();
  }

  private RawDocument finish() {
    out.end();
    return new RawDocument(out.bytes(), 0, out.position());
  }
}
