package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.geo.NearQuery;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.MatchOperator.FieldParser;
import dev.wisent.query.match.MatchOperator.TopLevelParser;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads filters. The values in the tree are slices of the filter's bytes: where the tree outlives
 * the request, detach the filter first.
 */
public final class MatchParser {
  private final QueryContext context;
  private final FilterPlace place;
  private final boolean inSubdocument;
  private final MatchAnnotations annotations;
  private int nears;

  private MatchParser(
      QueryContext context,
      FilterPlace place,
      boolean inSubdocument,
      MatchAnnotations annotations) {
    this.context = context;
    this.place = place;
    this.inSubdocument = inSubdocument;
    this.annotations = annotations;
  }

  /** Parses a filter on documents. */
  public static MatchExpression parse(RawDocument filter, QueryContext context) {
    return parse(filter, context, FilterPlace.QUERY);
  }

  /** Parses a filter on documents that may not use everything. */
  public static MatchExpression parse(RawDocument filter, QueryContext context, FilterPlace place) {
    var parser = new MatchParser(context, place, false, null);
    MatchExpression expression = parser.parseFilter(filter);
    if (parser.nears > 0) {
      NearMatch.checkPlace(expression, parser.nears);
    }
    return expression;
  }

  /** Parses the validator of a collection, and notes how its parts were written. */
  public static MatchExpression parseValidator(
      RawDocument validator, QueryContext context, MatchAnnotations annotations) {
    return new MatchParser(context, FilterPlace.VALIDATOR, false, annotations)
        .parseFilter(validator);
  }

  /**
   * Parses operators on a value that has no name, such as the condition of {@code $pull: {a: {$gt:
   * 5}}}. The result is to be used with {@link MatchExpression#matchesElement}.
   */
  public static MatchExpression parseElementCondition(RawDocument operators, QueryContext context) {
    return AndMatch.of(
        new MatchParser(context, FilterPlace.PLAIN, true, null)
            .parseOperators(FieldPath.of(""), operators));
  }

  /** Whether a value in a filter is a document of operators rather than one to compare with. */
  public static boolean isOperatorDocument(RawValue value) {
    return OperatorDocuments.isOperatorDocument(value);
  }

  QueryContext context() {
    return context;
  }

  WorkMeter meter() {
    return context.meter();
  }

  /** Whether the filter is about parts of a document, as inside {@code $elemMatch}. */
  boolean isInSubdocument() {
    return inSubdocument;
  }

  MatchParser inSubdocument() {
    return inSubdocument ? this : new MatchParser(context, place, true, null);
  }

  void nearSeen() {
    nears++;
  }

  MatchExpression parseFilter(RawDocument filter) {
    var conditions = new ArrayList<MatchExpression>();
    ElementCursor elements = filter.elements();
    while (elements.next()) {
      if (elements.nameStartsWith('$')) {
        add(conditions, parseTopLevel(elements.name(), elements.value(), filter));
      } else {
        parseField(FieldPath.of(elements.name()), elements.value(), conditions);
      }
    }
    return AndMatch.of(conditions);
  }

  private MatchExpression parseTopLevel(String name, RawValue value, RawDocument filter) {
    TopLevelParser parser = MatchOperators.topLevelParser(name);
    if (parser == null) {
      String hint =
          name.equals("$not")
              ? ". If you are trying to negate an entire expression, use $nor."
              : ". If you have a field name that starts with a '$' symbol, consider using"
                  + " $getField or $setField.";
      throw MatchErrors.badValue("unknown top level operator: " + name + hint);
    }
    place.check(name);
    MatchExpression condition = parser.parse(this, new Operand(name, value, filter));
    if (annotations != null && condition != null) {
      annotations.topLevel(condition, name, value);
    }
    return condition;
  }

  private void parseField(FieldPath path, RawValue value, List<MatchExpression> conditions) {
    if (OperatorDocuments.isOperatorDocument(value)) {
      conditions.addAll(parseOperators(path, value.asDocument()));
    } else if (value.type() == ElementType.REGEX) {
      conditions.add(parseRegexLiteral(path, value));
    } else {
      MatchExpression equality = ComparisonMatch.equal(path, value, context);
      if (annotations != null) {
        annotations.literal(equality, "$eq", path.dotted(), value);
      }
      conditions.add(equality);
    }
  }

  MatchExpression parseRegexLiteral(FieldPath path, RawValue value) {
    MatchExpression regex = RegexMatch.ofLiteral(path, value, context.meter());
    if (annotations != null) {
      annotations.literal(regex, "$regex", path.dotted(), value);
    }
    return regex;
  }

  /** Parses a document of operators on one field. */
  List<MatchExpression> parseOperators(FieldPath path, RawDocument operators) {
    if (NearQuery.isNear(operators)) {
      place.check("$near");
      return List.of(NearMatch.parse(this, path, operators));
    }
    var conditions = new ArrayList<MatchExpression>();
    ElementCursor elements = operators.elements();
    while (elements.next()) {
      String name = elements.name();
      FieldParser parser = MatchOperators.fieldParser(name);
      if (parser == null) {
        throw MatchErrors.badValue(
            name.equals("$where")
                ? "$where cannot be applied to a field"
                : "unknown operator: " + name);
      }
      place.check(name);
      var operand = new Operand(name, elements.value(), operators);
      MatchExpression condition = parser.parse(this, path, operand);
      if (annotations != null && condition != null) {
        annotations.operator(condition, path.dotted(), operand);
      }
      add(conditions, condition);
    }
    return conditions;
  }

  /** Parses the filters that $and, $or and $nor list. */
  List<MatchExpression> parseList(Operand operand) {
    if (!operand.value().isArray()) {
      throw MatchErrors.badValue(operand.operator() + " must be an array");
    }
    var filters = new ArrayList<MatchExpression>();
    ElementCursor elements = operand.value().elements();
    while (elements.next()) {
      if (elements.type() != ElementType.DOCUMENT) {
        throw MatchErrors.badValue("$or/$and/$nor entries need to be full objects");
      }
      filters.add(parseFilter(elements.value().asDocument()));
    }
    if (filters.isEmpty()) {
      throw MatchErrors.badValue("$and/$or/$nor must be a nonempty array");
    }
    return filters;
  }

  private static void add(List<MatchExpression> conditions, MatchExpression condition) {
    if (condition != null) {
      conditions.add(condition);
    }
  }
}
