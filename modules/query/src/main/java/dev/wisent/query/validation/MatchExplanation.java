package dev.wisent.query.validation;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import dev.wisent.query.match.AlwaysMatch;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.ExprComparisonMatch;
import dev.wisent.query.match.ExprMatch;
import dev.wisent.query.match.JsonSchemaMatch;
import dev.wisent.query.match.MatchAnnotations;
import dev.wisent.query.match.MatchAnnotations.Annotation;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.NorMatch;
import dev.wisent.query.match.NotMatch;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.match.PathMatch;
import dev.wisent.query.match.SampleRateMatch;
import dev.wisent.query.match.TextMatch;
import dev.wisent.query.match.WhereMatch;
import dev.wisent.query.schema.ErrorDetail;
import dev.wisent.query.schema.Explanation;
import dev.wisent.query.schema.JsonSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * Explains why a document does not match a filter, or, inverted, why it does: inside {@code $nor}
 * and {@code $not} it is the matching conditions that are wrong.
 */
final class MatchExplanation {
  private final MatchAnnotations annotations;
  private final RawDocument document;
  private final Explanation explanation;

  MatchExplanation(MatchAnnotations annotations, RawDocument document, Explanation explanation) {
    this.annotations = annotations;
    this.document = document;
    this.explanation = explanation;
  }

  /** Returns null where there is nothing to say. */
  RawDocument explain(MatchExpression condition, boolean inverted) {
    return switch (condition) {
      case AndMatch and when isAll(and) -> all(and, inverted);
      case AndMatch and when exprOf(and) != null -> expr(and, exprOf(and), inverted);
      case ExprMatch expr -> expr(expr, expr, inverted);
      case AndMatch and -> clauses("$and", and.children(), inverted, !inverted);
      case OrMatch or -> clauses("$or", or.children(), inverted, inverted);
      case NorMatch nor -> clauses("$nor", nor.children(), !inverted, !inverted);
      case NotMatch not -> not(not, inverted);
      case AlwaysMatch always -> always(always);
      case SampleRateMatch sample -> expression(sample, inverted);
      case JsonSchemaMatch match ->
          inverted
              ? JsonSchema.explainMatch(explanation)
              : match.schema().explain(document, explanation);
      case WhereMatch ignored -> throw new IllegalStateException("$where in a validator");
      case TextMatch ignored -> throw new IllegalStateException("$text in a validator");
      case PathMatch leaf ->
          new LeafExplanation(leaf, document, inverted)
              .explain(start(annotations.of(leaf), leaf.operator()));
    };
  }

  private boolean isAll(AndMatch and) {
    Annotation annotation = annotations.of(and);
    return annotation != null && annotation.operator().equals("$all");
  }

  /**
   * @param selective whether only some of the clauses are to blame
   */
  private RawDocument clauses(
      String operator, List<MatchExpression> clauses, boolean inverted, boolean selective) {
    var details = new ArrayList<RawDocument>();
    for (int i = 0; i < clauses.size(); i++) {
      MatchExpression clause = clauses.get(i);
      if (selective && !isToBlame(clause, inverted)) {
        continue;
      }
      RawDocument detail = explain(clause, inverted);
      if (detail != null) {
        details.add(
            explanation.detail().number("index", i).document("details", detail).toDocument());
      }
    }
    return explanation
        .operator(operator)
        .details(inverted ? "clausesSatisfied" : "clausesNotSatisfied", details)
        .toDocument();
  }

  private boolean isToBlame(MatchExpression clause, boolean inverted) {
    try {
      return clause.matches(document) == inverted;
    } catch (CommandException e) {
      if (e.code().isInterruption()) {
        throw e;
      }
      return true;
    }
  }

  private RawDocument not(NotMatch not, boolean inverted) {
    Annotation annotation = annotations.of(not);
    if (annotation != null
        && !annotation.operator().equals("$not")
        && not.child() instanceof PathMatch leaf) {
      // $ne, $nin and $exists: false are negations only inside.
      return new LeafExplanation(leaf, document, !inverted)
          .explain(start(annotation, leaf.operator()));
    }
    RawDocument details = explain(not.child(), !inverted);
    return explanation
        .operator("$not")
        .document("details", details == null ? RawDocument.EMPTY : details)
        .toDocument();
  }

  private RawDocument all(AndMatch and, boolean inverted) {
    ErrorDetail error = start(annotations.of(and), "$all");
    PathMatch first = (PathMatch) and.children().getFirst();
    ConsideredValues values = ConsideredValues.whole(first.path(), document);
    if (values.isMissing()) {
      return error.reason("field was missing").toDocument();
    }
    error.reason(
        inverted
            ? "array did contain all specified values"
            : "array did not contain all specified values");
    return values.appendTo(error).toDocument();
  }

  private RawDocument always(AlwaysMatch always) {
    boolean isTrue = always == AlwaysMatch.TRUE;
    Annotation annotation = annotations.of(always);
    if (annotation != null && annotation.operator().equals("$expr")) {
      return expression(always, isTrue);
    }
    return start(annotations.of(always), isTrue ? "$alwaysTrue" : "$alwaysFalse")
        .reason("expression always evaluates to " + isTrue)
        .toDocument();
  }

  /** The {@code $expr} that a conjunction stands for, with what follows from it; or null. */
  private static ExprMatch exprOf(AndMatch and) {
    ExprMatch found = null;
    for (MatchExpression child : and.children()) {
      if (child instanceof ExprMatch expr && found == null) {
        found = expr;
      } else if (!(child instanceof ExprComparisonMatch)) {
        return null;
      }
    }
    return found;
  }

  private RawDocument expr(MatchExpression condition, ExprMatch expr, boolean inverted) {
    ErrorDetail error = start(annotations.of(condition), "$expr");
    RawValue result;
    try {
      result = expr.expression().evaluate(expr.frame(document));
    } catch (CommandException e) {
      if (e.code().isInterruption()) {
        throw e;
      }
      return error
          .reason("failed to evaluate aggregation expression")
          .document(
              "details",
              new BsonBuilder()
                  .appendInt32("code", e.code().code())
                  .appendString("codeName", e.code().codeName())
                  .appendString("errmsg", e.getMessage())
                  .toDocument())
          .toDocument();
    }
    return error
        .reason(inverted ? "expression did match" : "expression did not match")
        .value("expressionResult", Values.nullIfMissing(result))
        .toDocument();
  }

  private RawDocument expression(MatchExpression condition, boolean inverted) {
    return start(annotations.of(condition), "$expr")
        .reason(inverted ? "expression did match" : "expression did not match")
        .value("expressionResult", RawValue.ofBoolean(inverted))
        .toDocument();
  }

  private ErrorDetail start(Annotation annotation, String operator) {
    return annotation == null
        ? explanation.operator(operator)
        : explanation.operator(annotation.operator()).specifiedAs(annotation.source());
  }
}
