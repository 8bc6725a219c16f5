package dev.wisent.pipeline;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.metadata.MetaType;
import java.util.List;
import java.util.Set;

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

  /**
   * The stage as documents that can be parsed again, of what was parsed: mostly one, more where a
   * stage does what several were written for. The context must be that of {@link
   * QueryContext#ofRouter}.
   */
  List<RawDocument> serialize();

  /**
   * Which part of the stage the shards of a collection run, and which the merge of their results.
   *
   * @param context what new stages are parsed with
   */
  StageSplit split(QueryContext context);

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

  /**
   * Whether documents can be fed to it one by one: an input that has no more for now may end, and
   * go on later. All is made of a document before the next one is asked for, or the stream is a
   * {@link GatheringStream}.
   */
  default boolean takesOneByOne() {
    return makesOneOfOne();
  }

  /**
   * Whether a filter on what the stage does not change may as well be done before it: no document's
   * result depends on another one.
   */
  default boolean letsFiltersPass() {
    return false;
  }

  /**
   * Paths of the result whose values tell which documents belong together, if the stage gathers
   * documents. A filter on these alone that treats equal values alike may as well be done before,
   * on what {@link #modifiedPaths} says they were.
   */
  default Set<String> keyPaths() {
    return Set.of();
  }

  /** Whether exactly one document is made of each that comes in, in the same order. */
  default boolean keepsCount() {
    return false;
  }

  /**
   * Whether documents that come in are copied, as a whole. Then it pays to leave out before what no
   * stage looks at.
   */
  default boolean copiesInput() {
    return false;
  }

  /**
   * Whether it matters in which order documents come in, be it only because they go out in the same
   * order.
   */
  default boolean dependsOnOrder() {
    return true;
  }

  /** Whether the stage makes documents by itself, and stands first where no collection is read. */
  default boolean isSource() {
    return false;
  }

  /** What of its own pipeline may not be in a {@code $facet}, in words; null for nothing. */
  default String notInFacet() {
    return null;
  }

  /** Whether only the number of documents that come in counts; then {@link #ofCount} is there. */
  default boolean needsOnlyCount() {
    return false;
  }

  /** The one document that comes out if so many documents come in, which are not none. */
  default RawDocument ofCount(long count) {
    throw new IllegalStateException("the stage looks at documents");
  }

  /** What documents have to carry for the stage. */
  default Set<MetaType> metadata() {
    var dependencies = new Dependencies();
    addDependencies(dependencies);
    return dependencies.metadata();
  }

  /** Whether what comes out carries nothing of what documents carried that came in. */
  default boolean dropsMetadata() {
    return false;
  }

  /** The same, putting on documents what it can give of the metadata that later stages want. */
  default Stage giving(Set<MetaType> wanted) {
    return this;
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
