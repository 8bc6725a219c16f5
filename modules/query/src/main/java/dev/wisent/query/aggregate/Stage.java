package dev.wisent.query.aggregate;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.match.MatchExpression;
import java.util.List;

/** One step of a pipeline, parsed. Immutable; every run opens its own stream. */
public interface Stage {
  /** What a pipeline's later stages can see of a document. */
  enum Sight {
    /** What came in, as far as this stage has not changed it. */
    OF_INPUT,
    /** Only what this stage has made of the fields that it reads. */
    OF_RESULT
  }

  DocumentStream over(DocumentStream input, StageRun run);

  /**
   * As explain shows it, with defaults and constants spelled out: one document for each stage that
   * MongoDB makes of this one.
   */
  List<RawDocument> explained();

  /** Tells which parts of its input the stage reads. */
  default Sight addDependencies(Dependencies dependencies) {
    dependencies.addWholeDocument();
    return Sight.OF_INPUT;
  }

  /** Which fields may differ between a document that comes in and what is made of it. */
  default ModifiedPaths modifiedPaths() {
    return ModifiedPaths.ALL;
  }

  /** Whether a document is made of one that came in, or left out, without looking at others. */
  default boolean makesOneOfOne() {
    return false;
  }

  /** Whether documents have to carry how well they fit a text search. */
  default boolean needsTextScore() {
    return false;
  }

  /** A filter, if that is all the stage does. */
  default MatchExpression filter() {
    return null;
  }

  /** A stage as explain shows it. */
  static RawDocument explained(String name, RawDocument argument) {
    return new BsonBuilder().appendDocument(name, argument).toDocument();
  }

  /** A stage as explain shows it. */
  static RawDocument explained(String name, long argument) {
    return new BsonBuilder().appendInt64(name, argument).toDocument();
  }
}
