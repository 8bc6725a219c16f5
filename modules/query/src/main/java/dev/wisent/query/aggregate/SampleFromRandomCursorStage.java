package dev.wisent.query.aggregate;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * A {@code $sample} whose documents come from a cursor that gives any of a collection in a random
 * order, each once: what is wanted of it is all that it gives. It stands first, and is not for
 * clients to write.
 */
public record SampleFromRandomCursorStage(long size, DoubleSupplier random)
    implements ChoosingStage {
  @Override
  public List<RawDocument> explained() {
    var options = new BsonBuilder().appendInt64("size", size);
    return List.of(Stage.explained("$sampleFromRandomCursor", options.toDocument()));
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return input;
  }
}
