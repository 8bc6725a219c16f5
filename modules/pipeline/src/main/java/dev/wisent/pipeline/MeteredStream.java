package dev.wisent.pipeline;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.interrupt.WorkMeter;

/**
 * The input of a stage, counted as work: whatever loop the stage has over its documents, it ends
 * where the query has to.
 */
public final class MeteredStream implements DocumentStream {
  private final DocumentStream input;
  private final WorkMeter meter;

  private MeteredStream(DocumentStream input, WorkMeter meter) {
    this.input = input;
    this.meter = meter;
  }

  /** Opens a stage; no stage is opened in another way. */
  public static DocumentStream open(Stage stage, DocumentStream input, StageRun run) {
    return stage.over(new MeteredStream(input, run.space().meter()), run);
  }

  @Override
  public RawDocument next() {
    RawDocument document = input.next();
    if (document != null) {
      meter.add(document.length());
    }
    return document;
  }
}
