package dev.wisent.query.match;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.path.FieldPath;
import java.util.function.Consumer;

/** A filter, or a part of one, ready to run. */
public sealed interface MatchExpression
    permits AndMatch,
        OrMatch,
        NorMatch,
        NotMatch,
        AlwaysMatch,
        SampleRateMatch,
        TextMatch,
        JsonSchemaMatch,
        WhereMatch,
        ExprMatch,
        PathMatch {

  default boolean matches(RawDocument document) {
    return matches(RawValue.ofDocument(document), 0, null);
  }

  /**
   * Matches a document and says which array element did it.
   *
   * @param details reset first; may be null
   */
  default boolean matches(RawDocument document, MatchDetails details) {
    if (details != null) {
      details.reset();
    }
    return matches(RawValue.ofDocument(document), 0, details);
  }

  /**
   * Matches a value as if it were the value of the first part of every path in this expression.
   * This is how {@code arrayFilters} ({@code {"i.x": 1}} for element {@code i}) and {@code $pull}
   * look at array elements. An element that is an array itself is expanded as any field is.
   */
  default boolean matchesElement(RawValue element) {
    return matches(element, 1, null);
  }

  /**
   * The general form of the methods above.
   *
   * @param boundParts how many leading parts of every path {@code root} already stands for
   * @param details not reset; may be null
   */
  boolean matches(RawValue root, int boundParts, MatchDetails details);

  /**
   * Matches one value directly: paths are ignored and arrays are not expanded. This is how {@code
   * $elemMatch: {$gt: 1}} looks at array elements.
   *
   * @param value null for a missing one
   */
  boolean matchesValue(RawValue value);

  /** Tells which parts of a document the condition looks at. */
  default void addDependencies(Dependencies dependencies) {
    switch (this) {
      case AndMatch and -> and.children().forEach(child -> child.addDependencies(dependencies));
      case OrMatch or -> or.children().forEach(child -> child.addDependencies(dependencies));
      case NorMatch nor -> nor.children().forEach(child -> child.addDependencies(dependencies));
      case NotMatch not -> not.child().addDependencies(dependencies);
      case PathMatch leaf -> dependencies.addPath(leaf.path().withoutPositions());
      case AlwaysMatch ignored -> {}
      case SampleRateMatch ignored -> dependencies.addRandom();
      case TextMatch ignored -> dependencies.addWholeDocument();
      case JsonSchemaMatch ignored -> dependencies.addWholeDocument();
      case WhereMatch ignored -> dependencies.addWholeDocument();
      case ExprMatch expr -> expr.expression().addDependencies(dependencies);
    }
  }

  /** Calls back with the path of every condition, but not with those inside {@code $elemMatch}. */
  default void forEachPath(Consumer<FieldPath> action) {
    switch (this) {
      case AndMatch and -> and.children().forEach(child -> child.forEachPath(action));
      case OrMatch or -> or.children().forEach(child -> child.forEachPath(action));
      case NorMatch nor -> nor.children().forEach(child -> child.forEachPath(action));
      case NotMatch not -> not.child().forEachPath(action);
      case PathMatch leaf -> action.accept(leaf.path());
      case AlwaysMatch ignored -> {}
      case SampleRateMatch ignored -> {}
      case TextMatch ignored -> {}
      case JsonSchemaMatch ignored -> {}
      case WhereMatch ignored -> {}
      case ExprMatch expr ->
          Dependencies.of(expr.expression())
              .paths()
              .forEach(path -> action.accept(FieldPath.of(path)));
    }
  }
}
