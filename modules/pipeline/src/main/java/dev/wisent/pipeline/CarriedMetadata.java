package dev.wisent.pipeline;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.metadata.Metadata;
import dev.wisent.query.metadata.MetadataWriter;

/**
 * Gives what a stage makes of a document the metadata of that document, for later stages that ask
 * for it. The stage makes one of one, or leaves it out.
 */
public final class CarriedMetadata implements DocumentStream {
  private final DocumentStream stage;
  private final MetadataWriter writer = new MetadataWriter();

  /** The document that the stage took last, which lasts as long as what was made of it. */
  private RawDocument taken;

  CarriedMetadata(Stage stage, DocumentStream input, StageRun run) {
    this.stage =
        MeteredStream.open(
            stage,
            () -> {
              taken = input.next();
              return taken;
            },
            run);
  }

  /** Documents without what they carry. */
  public static DocumentStream removed(DocumentStream carrying) {
    return () -> {
      RawDocument document = carrying.next();
      return document == null ? null : Metadata.remove(document);
    };
  }

  @Override
  public RawDocument next() {
    RawDocument document = stage.next();
    return document == null || document == taken || !Metadata.isOn(taken)
        ? document
        : writer.move(taken, document);
  }
}
