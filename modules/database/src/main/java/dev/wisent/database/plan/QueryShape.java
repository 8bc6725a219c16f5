package dev.wisent.database.plan;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.AlwaysMatch;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.ElemMatchObject;
import dev.wisent.query.match.ElemMatchValue;
import dev.wisent.query.match.ExprMatch;
import dev.wisent.query.match.JsonSchemaMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.match.NorMatch;
import dev.wisent.query.match.NotMatch;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.match.PathMatch;
import dev.wisent.query.match.SampleRateMatch;
import dev.wisent.query.match.TextMatch;
import dev.wisent.query.match.WhereMatch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * What queries have in common that differ in their values only: which operators on which paths, the
 * sort, the projection and the collation. Plans are remembered, and index filters set, for a shape.
 */
public record QueryShape(String text) {
  /**
   * @param collation null for the simple one
   */
  public static QueryShape of(
      MatchExpression filter, RawDocument sort, RawDocument projection, Collation collation) {
    var text = new StringBuilder();
    append(MatchNormalForm.of(filter), text);
    return new QueryShape(
        text.append('|')
            .append(ValueText.of(sort))
            .append('|')
            .append(ValueText.of(projection))
            .append(collation == null ? "" : "|" + ValueText.of(collation.document()))
            .toString());
  }

  /** Eight hex digits by which explain, the profiler and the plan cache name the shape. */
  public String hash() {
    return hash(text);
  }

  /** Eight hex digits for a text. */
  public static String hash(String text) {
    var checksum = new CRC32();
    checksum.update(text.getBytes(StandardCharsets.UTF_8));
    return "%08X".formatted(checksum.getValue());
  }

  private static void append(MatchExpression expression, StringBuilder out) {
    switch (expression) {
      case AndMatch and -> append("$and", and.children(), out);
      case OrMatch or -> append("$or", or.children(), out);
      case NorMatch nor -> append("$nor", nor.children(), out);
      case NotMatch not -> append("$not", List.of(not.child()), out);
      case AlwaysMatch always -> out.append(always == AlwaysMatch.TRUE ? "{}" : "$alwaysFalse");
      case SampleRateMatch ignored -> out.append("$sampleRate");
      case TextMatch ignored -> out.append("$text");
      case WhereMatch ignored -> out.append("$where");
      case JsonSchemaMatch match ->
          out.append("$jsonSchema ").append(ValueText.of(match.schema().source()));
      case ExprMatch expr ->
          out.append("$expr ")
              .append(ValueText.of(withoutConstants(expr.expression().serialize())));
      case ElemMatchObject match -> {
        appendPath(match, out);
        append("", List.of(match.condition()), out);
      }
      case ElemMatchValue match -> {
        appendPath(match, out);
        append("", match.conditions(), out);
      }
      case PathMatch match -> appendPath(match, out);
    }
  }

  /** An expression with the types of its constants in their places. */
  private static RawValue withoutConstants(RawValue expression) {
    if (!expression.isDocument() && !expression.isArray()) {
      return expression;
    }
    var shape = new BsonBuilder();
    ElementCursor fields = expression.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      boolean constant = expression.isDocument() && fields.name().equals("$const");
      shape.appendUnderNameOf(
          fields, constant ? RawValue.ofInt32(value.type()) : withoutConstants(value));
    }
    return expression.isArray()
        ? RawValue.ofArray(shape.toDocument())
        : RawValue.ofDocument(shape.toDocument());
  }

  private static void append(String operator, List<MatchExpression> children, StringBuilder out) {
    out.append(operator).append('[');
    for (int i = 0; i < children.size(); i++) {
      out.append(i == 0 ? "" : ",");
      append(children.get(i), out);
    }
    out.append(']');
  }

  /** A path may hold any character, so its length stands before it. */
  private static void appendPath(PathMatch match, StringBuilder out) {
    String path = match.path().dotted();
    out.append(match.operator()).append(' ').append(path.length()).append(':').append(path);
  }
}
