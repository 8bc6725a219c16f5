package dev.wisent.query.match;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.IdentityHashMap;

/**
 * How the parts of a filter were written, for those who explain why a document does not match. It
 * is kept beside the tree, so that filters without an explain pay nothing for it.
 */
public final class MatchAnnotations {
  /**
   * How a condition was written.
   *
   * @param operator with its dollar sign
   * @param source the condition as a filter of its own
   */
  public record Annotation(String operator, RawDocument source) {}

  private final IdentityHashMap<MatchExpression, Annotation> annotations = new IdentityHashMap<>();

  /** How a condition was written, or null where it stands for several that were not grouped. */
  public Annotation of(MatchExpression condition) {
    return annotations.get(condition);
  }

  void topLevel(MatchExpression condition, String operator, RawValue value) {
    annotations.put(
        condition,
        new Annotation(operator, new BsonBuilder().append(operator, value).toDocument()));
  }

  /** A value that stands for itself: an equality or a regular expression. */
  void literal(MatchExpression condition, String operator, String path, RawValue value) {
    annotations.put(
        condition, new Annotation(operator, new BsonBuilder().append(path, value).toDocument()));
  }

  void operator(MatchExpression condition, String path, Operand operand) {
    // $regex is shown with its options.
    RawDocument operators =
        operand.operator().equals("$regex")
            ? operand.siblings()
            : new BsonBuilder().append(operand.operator(), operand.value()).toDocument();
    annotations.put(
        condition,
        new Annotation(
            operand.operator(), new BsonBuilder().appendDocument(path, operators).toDocument()));
  }
}
