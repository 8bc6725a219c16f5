package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.BitsMatch.Test;
import dev.wisent.query.match.ComparisonMatch.Comparison;
import dev.wisent.query.match.MatchOperator.Family;
import dev.wisent.query.match.MatchOperator.FieldParser;
import dev.wisent.query.match.MatchOperator.Support;
import dev.wisent.query.match.MatchOperator.TopLevelParser;
import dev.wisent.query.path.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The table of filter operators. Adding one takes a class, a test and a row here; the parser and
 * the page on compatibility read the table.
 */
public final class MatchOperators {
  private static final List<MatchOperator> ROWS =
      List.of(
          field("$eq", Family.COMPARISON, "3.0", (p, path, o) -> equal(p, path, o)),
          field("$ne", Family.COMPARISON, "1.6", (p, path, o) -> notEqual(p, path, o)),
          field("$gt", Family.COMPARISON, "1.6", range(Comparison.GT)),
          field("$gte", Family.COMPARISON, "1.6", range(Comparison.GTE)),
          field("$lt", Family.COMPARISON, "1.6", range(Comparison.LT)),
          field("$lte", Family.COMPARISON, "1.6", range(Comparison.LTE)),
          field("$in", Family.COMPARISON, "1.6", (p, path, o) -> in(p, path, o)),
          field("$nin", Family.COMPARISON, "1.6", (p, path, o) -> notIn(p, path, o)),
          top("$and", Family.LOGICAL, "2.0", (p, o) -> new AndMatch(p.parseList(o))),
          top("$or", Family.LOGICAL, "1.6", (p, o) -> new OrMatch(p.parseList(o))),
          top("$nor", Family.LOGICAL, "1.8", (p, o) -> new NorMatch(p.parseList(o))),
          field("$not", Family.LOGICAL, "1.6", NotMatch::parse),
          field("$exists", Family.ELEMENT, "1.6", ExistsMatch::parse),
          field("$type", Family.ELEMENT, "1.6", TypeMatch::parse),
          top("$expr", Family.EVALUATION, "3.6", ExprMatch::parse),
          top("$jsonSchema", Family.EVALUATION, "3.6", JsonSchemaMatch::parse),
          field("$mod", Family.EVALUATION, "1.6", ModMatch::parse),
          field("$regex", Family.EVALUATION, "1.6", RegexMatch::parse),
          field("$options", Family.EVALUATION, "1.6", (p, path, o) -> RegexMatch.parseOptions(o)),
          top("$text", Family.EVALUATION, "2.6", TextMatch::parse),
          top("$where", Family.EVALUATION, "1.6", WhereMatch::parse),
          top("$sampleRate", Family.EVALUATION, "4.4", SampleRateMatch::parse),
          top("$alwaysTrue", Family.EVALUATION, "3.6", (p, o) -> AlwaysMatch.parse(true, o)),
          top("$alwaysFalse", Family.EVALUATION, "3.6", (p, o) -> AlwaysMatch.parse(false, o)),
          top("$comment", Family.EVALUATION, "2.2", (p, o) -> null),
          field("$all", Family.ARRAY, "1.6", AllOperator::parse),
          field("$elemMatch", Family.ARRAY, "1.4", ElemMatch::parse),
          field("$size", Family.ARRAY, "1.6", SizeMatch::parse),
          field("$bitsAllClear", Family.BITWISE, "3.2", bits(Test.ALL_CLEAR)),
          field("$bitsAllSet", Family.BITWISE, "3.2", bits(Test.ALL_SET)),
          field("$bitsAnyClear", Family.BITWISE, "3.2", bits(Test.ANY_CLEAR)),
          field("$bitsAnySet", Family.BITWISE, "3.2", bits(Test.ANY_SET)),
          field(
              "$geoIntersects",
              Family.GEO,
              "2.4",
              (p, path, o) -> GeoMatch.parse(p, path, o, false)),
          field("$geoWithin", Family.GEO, "2.4", (p, path, o) -> GeoMatch.parse(p, path, o, true)),
          field("$within", Family.GEO, "1.6", (p, path, o) -> GeoMatch.parse(p, path, o, true)),
          field("$near", Family.GEO, "1.6", (p, path, o) -> NearMatch.refuse(o)),
          field("$nearSphere", Family.GEO, "1.8", (p, path, o) -> NearMatch.refuse(o)),
          field("$geoNear", Family.GEO, "2.4", (p, path, o) -> NearMatch.refuse(o)),
          top("$ref", Family.DBREF, "1.6", (p, o) -> dbRefField(p, o)),
          top("$id", Family.DBREF, "1.6", (p, o) -> dbRefField(p, o)),
          top("$db", Family.DBREF, "1.6", (p, o) -> dbRefField(p, o)),
          argument("$search", "2.6"),
          argument("$language", "2.6"),
          argument("$caseSensitive", "3.2"),
          argument("$diacriticSensitive", "3.2"),
          argument("$geometry", "2.4"),
          argument("$box", "1.6"),
          argument("$center", "1.6"),
          argument("$centerSphere", "1.8"),
          argument("$polygon", "2.0"),
          argument("$minDistance", "2.6"),
          argument("$maxDistance", "1.6"),
          argument("$uniqueDocs", "2.0"));

  private static final Map<String, MatchOperator> BY_NAME =
      ROWS.stream().collect(Collectors.toUnmodifiableMap(MatchOperator::name, Function.identity()));

  private MatchOperators() {}

  /** All rows, in the order of the documentation. */
  public static List<MatchOperator> rows() {
    return ROWS;
  }

  /** The parser of an operator in the place of a field name, or null. */
  static TopLevelParser topLevelParser(String name) {
    MatchOperator operator = BY_NAME.get(name);
    return operator == null ? null : operator.topLevelParser();
  }

  /** The parser of an operator on a field, or null. */
  static FieldParser fieldParser(String name) {
    MatchOperator operator = BY_NAME.get(name);
    return operator == null ? null : operator.fieldParser();
  }

  /** Whether $all refuses documents that begin with this name. $not is no such operator. */
  static boolean isFieldOperator(String name) {
    return fieldParser(name) != null && !name.equals("$not");
  }

  /**
   * Whether the argument of $elemMatch is about the elements ({@code {$gt: 1}}) rather than about
   * their fields ({@code {x: 1}}, {@code {$or: […]}}, a DBRef).
   */
  static boolean isConditionOnValue(RawValue value) {
    if (!OperatorDocuments.isOperatorDocumentNotPartOfDbRef(value)) {
      return false;
    }
    ElementCursor elements = value.elements();
    return elements.next() && topLevelParser(elements.name()) == null;
  }

  private static MatchExpression equal(MatchParser parser, FieldPath path, Operand operand) {
    return ComparisonMatch.equal(path, operand.value(), parser.context());
  }

  private static MatchExpression notEqual(MatchParser parser, FieldPath path, Operand operand) {
    return ComparisonMatch.parseNotEqual(path, operand, parser.context());
  }

  private static MatchExpression in(MatchParser parser, FieldPath path, Operand operand) {
    return InMatch.parse(path, operand, parser.context());
  }

  private static MatchExpression notIn(MatchParser parser, FieldPath path, Operand operand) {
    return new NotMatch(in(parser, path, operand));
  }

  private static MatchExpression dbRefField(MatchParser parser, Operand operand) {
    // Names of collections and databases are the same or not, whatever the collation.
    Collation collation = operand.operator().equals("$id") ? parser.context().collation() : null;
    return ComparisonMatch.of(
        Comparison.EQ,
        FieldPath.of(operand.operator()),
        operand.value(),
        collation,
        parser.meter());
  }

  private static FieldParser range(Comparison comparison) {
    return (parser, path, operand) ->
        ComparisonMatch.parseRange(comparison, path, operand, parser.context());
  }

  private static FieldParser bits(Test test) {
    return (parser, path, operand) -> BitsMatch.parse(test, parser, path, operand);
  }

  private static MatchOperator field(String name, Family family, String since, FieldParser parser) {
    return new MatchOperator(name, family, since, Support.SUPPORTED, null, parser);
  }

  private static MatchOperator top(
      String name, Family family, String since, TopLevelParser parser) {
    return new MatchOperator(name, family, since, Support.SUPPORTED, parser, null);
  }

  private static MatchOperator argument(String name, String since) {
    return new MatchOperator(name, Family.ARGUMENT, since, Support.SUPPORTED, null, null);
  }
}
