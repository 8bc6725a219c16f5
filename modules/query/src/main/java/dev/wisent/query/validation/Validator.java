package dev.wisent.query.validation;

import dev.wisent.base.CommandException;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.ExprMatch;
import dev.wisent.query.match.MatchAnnotations;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.NorMatch;
import dev.wisent.query.match.NotMatch;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.schema.Explanation;

/** A filter that the documents of a collection must match, and why one of them does not. */
public final class Validator {
  /** MongoDB's limit; a reply has to have room for more than one. */
  private static final int ERROR_BYTES_MAX = 12 * 1024 * 1024;

  /** So much of the nesting that a document may have is left to the reply around the error. */
  private static final int REPLY_DEPTH = 10;

  private final RawDocument source;
  private final QueryContext context;
  private final MatchExpression filter;
  private final MatchAnnotations annotations;
  private final boolean hasExpressions;

  private Validator(
      RawDocument source,
      QueryContext context,
      MatchExpression filter,
      MatchAnnotations annotations) {
    this.source = source;
    this.context = context;
    this.filter = filter;
    this.annotations = annotations;
    this.hasExpressions = hasExpressions(filter);
  }

  public static Validator parse(RawDocument source, QueryContext context) {
    var annotations = new MatchAnnotations();
    return new Validator(
        source, context, MatchParser.parseValidator(source, context, annotations), annotations);
  }

  private static boolean hasExpressions(MatchExpression filter) {
    return switch (filter) {
      case ExprMatch ignored -> true;
      case AndMatch and -> and.children().stream().anyMatch(Validator::hasExpressions);
      case OrMatch or -> or.children().stream().anyMatch(Validator::hasExpressions);
      case NorMatch nor -> nor.children().stream().anyMatch(Validator::hasExpressions);
      case NotMatch not -> hasExpressions(not.child());
      default -> false;
    };
  }

  /**
   * The same for a query that can be interrupted, where that may take long: expressions may take
   * any time, and many conditions look at all of a long document.
   */
  public Validator metered(RawDocument document, WorkMeter meter) {
    boolean isLong = (long) source.length() * document.length() > WorkMeter.LONG_MATCH;
    return hasExpressions || isLong ? parse(source, context.withMeter(meter)) : this;
  }

  /** A document on which an expression fails does not match; the explanation tells the error. */
  public boolean matches(RawDocument document) {
    try {
      return filter.matches(document);
    } catch (CommandException e) {
      if (e.code().isInterruption()) {
        throw e;
      }
      return false;
    }
  }

  /** What {@code errInfo} says about a document that does not match. */
  public RawDocument explain(RawDocument document) {
    RawDocument error = explain(document, false);
    if (error.length() > ERROR_BYTES_MAX) {
      error = explain(document, true);
    }
    return error.length() > ERROR_BYTES_MAX
        ? start(document).appendString("note", "detailed error was too large").toDocument()
        : error;
  }

  private RawDocument explain(RawDocument document, boolean brief) {
    RawDocument details =
        new MatchExplanation(annotations, document, new Explanation(brief)).explain(filter, false);
    BsonBuilder error = start(document);
    if (brief) {
      error.appendBoolean("truncated", true);
    }
    error.appendDocument("details", details == null ? RawDocument.EMPTY : details);
    RawDocument complete = error.toDocument();
    return isDeeperThan(Limits.NESTING_DEPTH_MAX - REPLY_DEPTH, complete)
        ? new BsonBuilder()
            .appendString("reason", "generated error was too deeply nested")
            .appendBoolean("truncated", true)
            .toDocument()
        : complete;
  }

  private static BsonBuilder start(RawDocument document) {
    var error = new BsonBuilder();
    RawValue id = document.get("_id");
    if (id != null) {
      error.append("failingDocumentId", id);
    }
    return error;
  }

  private static boolean isDeeperThan(int depth, RawDocument document) {
    if (depth == 0) {
      return true;
    }
    ElementCursor elements = document.elements();
    while (elements.next()) {
      if ((elements.type() == ElementType.DOCUMENT || elements.type() == ElementType.ARRAY)
          && isDeeperThan(depth - 1, elements.value().asDocument())) {
        return true;
      }
    }
    return false;
  }
}
