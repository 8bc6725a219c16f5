package dev.wisent.query.aggregate;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.text.TextScore;

/**
 * Gives what a stage makes of a document the score of that document, for later stages that ask for
 * it. The stage makes one of one, or leaves it out.
 */
final class CarriedScore implements DocumentStream {
  private final DocumentStream stage;
  private final BsonBuilder out = new BsonBuilder();
  private double score;
  private boolean scored;

  CarriedScore(Stage stage, DocumentStream input, StageRun run) {
    this.stage = stage.over(() -> note(input.next()), run);
  }

  private RawDocument note(RawDocument document) {
    RawValue carried = document == null ? null : TextScore.of(document);
    scored = carried != null;
    score = scored ? carried.toDouble() : 0;
    return document;
  }

  @Override
  public RawDocument next() {
    RawDocument document = stage.next();
    return document == null || !scored || TextScore.of(document) != null
        ? document
        : TextScore.add(document, score, out);
  }
}
