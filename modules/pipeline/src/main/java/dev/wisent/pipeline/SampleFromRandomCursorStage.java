package dev.wisent.pipeline;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * A {@code $sample} whose documents come from a cursor that gives any of a collection in a random
 * order, each once: what is wanted of it is all that it gives. It stands first, and is not for
 * clients to write.
 *
 * @param keyed whether documents carry random numbers that they are in order by
 */
public record SampleFromRandomCursorStage(long size, DoubleSupplier random, boolean keyed)
    implements ChoosingStage {
  @Override
  public List<RawDocument> serialize() {
    return new SampleStage(size, random, keyed).serialize();
  }

  @Override
  public StageSplit split(QueryContext context) {
    return SampleStage.split(this, size);
  }

  @Override
  public List<RawDocument> explained() {
    var options = new BsonBuilder().appendInt64("size", size);
    return List.of(Stage.explained("$sampleFromRandomCursor", options.toDocument()));
  }

  @Override
  public Stage giving(Set<MetaType> wanted) {
    return wanted.contains(MetaType.RAND_VAL)
        ? new SampleFromRandomCursorStage(size, random, true)
        : this;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return keyed ? new KeyedDocuments(input, size, random) : input;
  }

  /** Gives the first document the greatest of as many random numbers as are wanted, and so on. */
  private static final class KeyedDocuments implements DocumentStream {
    private final DocumentStream input;
    private final DoubleSupplier random;
    private final MetadataWriter writer = new MetadataWriter();
    private long left;
    private double key = 1;

    KeyedDocuments(DocumentStream input, long size, DoubleSupplier random) {
      this.input = input;
      this.left = size;
      this.random = random;
    }

    @Override
    public RawDocument next() {
      RawDocument document = input.next();
      if (document == null) {
        return null;
      }
      // The greatest of n numbers below a bound is as far below it as the nth root of one number.
      key *= Math.pow(random.getAsDouble(), 1.0 / left--);
      return writer.start().put(MetaType.RAND_VAL, key).on(document);
    }
  }
}
