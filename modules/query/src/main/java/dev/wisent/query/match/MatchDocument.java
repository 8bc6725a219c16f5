package dev.wisent.query.match;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.text.TextArguments;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A filter written as a document again, with every operator spelled out, as explain shows it:
 * {@code {a: 1, b: {$ne: 2}}} is {@code {$and: [{a: {$eq: 1}}, {b: {$not: {$eq: 2}}}]}}. Parsed, it
 * matches what the filter matches.
 */
public final class MatchDocument {
  private MatchDocument() {}

  public static RawDocument of(MatchExpression expression) {
    var out = new BsonBuilder();
    if (expression != AlwaysMatch.TRUE) {
      append(expression, out);
    }
    return out.toDocument();
  }

  /** Adds the condition to the document that is open. */
  private static void append(MatchExpression expression, BsonBuilder out) {
    switch (expression) {
      case AndMatch and -> appendList("$and", and.children(), out);
      case OrMatch or -> appendList("$or", or.children(), out);
      case NorMatch nor -> appendList("$nor", nor.children(), out);
      case NotMatch not -> appendNot(not, out);
      case AlwaysMatch always ->
          out.appendInt32(always == AlwaysMatch.TRUE ? "$alwaysTrue" : "$alwaysFalse", 1);
      case SampleRateMatch sample -> out.appendDouble("$sampleRate", sample.rate());
      case TextMatch text -> appendText(text.arguments(), out);
      case WhereMatch where -> out.append("$where", where.code());
      case JsonSchemaMatch match -> out.appendDocument("$jsonSchema", match.schema().source());
      case ExprMatch expr -> out.append("$expr", expr.expression().serialize());
      case ComparisonMatch match when match.path().dotted().startsWith("$") ->
          // The fields of a DBRef take a value and no operators.
          out.append(match.path().dotted(), match.operand());
      case PathMatch match -> {
        out.startDocument(match.path().dotted());
        appendOperator(match, out);
        out.end();
      }
    }
  }

  /** As MongoDB shows it, with what was left out. */
  private static void appendText(TextArguments text, BsonBuilder out) {
    out.startDocument("$text")
        .appendString("$search", text.search())
        .appendString("$language", text.language())
        .appendBoolean("$caseSensitive", text.caseSensitive())
        .appendBoolean("$diacriticSensitive", text.diacriticSensitive())
        .end();
  }

  private static void appendList(String name, List<MatchExpression> children, BsonBuilder out) {
    out.startArray(name);
    for (int i = 0; i < children.size(); i++) {
      out.startDocument(i);
      append(children.get(i), out);
      out.end();
    }
    out.end();
  }

  private static void appendNot(NotMatch not, BsonBuilder out) {
    if (not.child() instanceof PathMatch match) {
      out.startDocument(match.path().dotted()).startDocument("$not");
      appendOperator(match, out);
      out.end().end();
    } else {
      appendList("$nor", List.of(not.child()), out);
    }
  }

  /** Adds the condition, without its path, to the document of operators that is open. */
  private static void appendOperator(PathMatch match, BsonBuilder out) {
    switch (match) {
      case ComparisonMatch comparison -> out.append(match.operator(), comparison.operand());
      case ExprComparisonMatch comparison -> out.append(match.operator(), comparison.operand());
      case InMatch in -> appendIn(in.equalities(), in.regexes(), out);
      case ExistsMatch ignored -> out.appendBoolean("$exists", true);
      case TypeMatch type -> appendTypes(type, out);
      case ModMatch mod ->
          out.startArray("$mod")
              .append(0, RawValue.ofInt64(mod.divisor()))
              .append(1, RawValue.ofInt64(mod.remainder()))
              .end();
      case RegexMatch regex -> {
        out.appendString("$regex", regex.pattern());
        if (!regex.options().isEmpty()) {
          out.appendString("$options", regex.options());
        }
      }
      case BitsMatch bits -> {
        out.startArray(match.operator());
        int[] positions = bits.positions();
        for (int i = 0; i < positions.length; i++) {
          out.append(i, RawValue.ofInt32(positions[i]));
        }
        out.end();
      }
      case SizeMatch size -> out.appendInt32("$size", size.size());
      case GeoMatch geo -> out.appendAll(geo.source());
      case NearMatch near -> out.appendAll(near.source());
      case ElemMatchObject elements -> {
        out.startDocument("$elemMatch");
        append(elements.condition(), out);
        out.end();
      }
      case ElemMatchValue elements -> {
        out.startDocument("$elemMatch");
        appendOnValue(elements.conditions(), out);
        out.end();
      }
    }
  }

  private static void appendIn(
      List<RawValue> equalities, List<RegexMatch> regexes, BsonBuilder out) {
    out.startArray("$in");
    int index = 0;
    for (RawValue value : equalities) {
      out.append(index++, value);
    }
    for (RegexMatch regex : regexes) {
      out.append(index++, regexValue(regex));
    }
    out.end();
  }

  private static RawValue regexValue(RegexMatch regex) {
    byte[] pattern = regex.pattern().getBytes(StandardCharsets.UTF_8);
    byte[] options = regex.options().getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[pattern.length + options.length + 2];
    System.arraycopy(pattern, 0, bytes, 0, pattern.length);
    System.arraycopy(options, 0, bytes, pattern.length + 1, options.length);
    return new RawValue(ElementType.REGEX, bytes, 0, bytes.length);
  }

  private static void appendTypes(TypeMatch match, BsonBuilder out) {
    out.startArray("$type");
    int index = 0;
    boolean numbers = match.acceptsNumbers();
    if (numbers) {
      out.append(index++, RawValue.ofString("number"));
    }
    for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++) {
      byte code = (byte) type;
      if (ElementType.isKnown(code)
          && match.accepts(code)
          && !(numbers && ElementType.isNumber(code))) {
        out.append(index++, RawValue.ofInt32(type));
      }
    }
    out.end();
  }

  /** Adds conditions on elements, which have no name, to the document of operators. */
  private static void appendOnValue(List<MatchExpression> conditions, BsonBuilder out) {
    // Two patterns in one document would read each other's options.
    boolean regexesApart = conditions.stream().filter(RegexMatch.class::isInstance).count() > 1;
    for (MatchExpression condition : conditions) {
      if (regexesApart && condition instanceof RegexMatch regex) {
        appendIn(List.of(), List.of(regex), out);
      } else {
        appendOnValue(condition, out);
      }
    }
  }

  private static void appendOnValue(MatchExpression condition, BsonBuilder out) {
    switch (condition) {
      case PathMatch match -> appendOperator(match, out);
      case AndMatch and -> appendOnValue(and.children(), out);
      case NotMatch not -> {
        out.startDocument("$not");
        appendOnValue(not.child(), out);
        out.end();
      }
      case AlwaysMatch always -> {
        if (always == AlwaysMatch.FALSE) {
          appendIn(List.of(), List.of(), out);
        } else {
          out.startDocument("$not");
          appendIn(List.of(), List.of(), out);
          out.end();
        }
      }
      case OrMatch ignored -> throw noSuchCondition();
      case NorMatch ignored -> throw noSuchCondition();
      case SampleRateMatch ignored -> throw noSuchCondition();
      case TextMatch ignored -> throw noSuchCondition();
      case JsonSchemaMatch ignored -> throw noSuchCondition();
      case WhereMatch ignored -> throw noSuchCondition();
      case ExprMatch ignored -> throw noSuchCondition();
    }
  }

  private static IllegalStateException noSuchCondition() {
    return new IllegalStateException("not a condition on a value");
  }
}
