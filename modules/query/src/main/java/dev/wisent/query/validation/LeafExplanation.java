package dev.wisent.query.validation;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.geo.GeoValue;
import dev.wisent.query.match.BitsMatch;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.ElemMatch;
import dev.wisent.query.match.ExistsMatch;
import dev.wisent.query.match.ExprComparisonMatch;
import dev.wisent.query.match.GeoMatch;
import dev.wisent.query.match.InMatch;
import dev.wisent.query.match.ModMatch;
import dev.wisent.query.match.NearMatch;
import dev.wisent.query.match.PathMatch;
import dev.wisent.query.match.RegexMatch;
import dev.wisent.query.match.SizeMatch;
import dev.wisent.query.match.TypeMatch;
import dev.wisent.query.schema.ErrorDetail;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Explains a condition on the values at a path. */
final class LeafExplanation {
  private static final List<Byte> NO_TYPES = List.of();
  private static final List<Byte> NUMBERS =
      List.of(ElementType.DECIMAL128, ElementType.DOUBLE, ElementType.INT32, ElementType.INT64);
  private static final List<Byte> NUMBERS_AND_BINARY =
      List.of(
          ElementType.BINARY,
          ElementType.DECIMAL128,
          ElementType.DOUBLE,
          ElementType.INT32,
          ElementType.INT64);
  private static final List<Byte> TEXTS =
      List.of(ElementType.REGEX, ElementType.STRING, ElementType.SYMBOL);
  private static final List<Byte> ARRAYS = List.of(ElementType.ARRAY);

  private final PathMatch leaf;
  private final RawDocument document;
  private final boolean inverted;

  LeafExplanation(PathMatch leaf, RawDocument document, boolean inverted) {
    this.leaf = leaf;
    this.document = document;
    this.inverted = inverted;
  }

  RawDocument explain(ErrorDetail error) {
    return switch (leaf) {
      case ExprComparisonMatch ignored ->
          throw new IllegalStateException("stands beside $expr, which is explained");
      case ComparisonMatch ignored ->
          onElements(error, NO_TYPES, "comparison failed", "comparison succeeded");
      case InMatch ignored ->
          onElements(
              error, NO_TYPES, "no matching value found in array", "matching value found in array");
      case ExistsMatch ignored ->
          error.reason(inverted ? "path does exist" : "path does not exist").toDocument();
      case TypeMatch ignored -> type(error);
      case ModMatch ignored ->
          onElements(
              error,
              NUMBERS,
              "$mod did not evaluate to expected remainder",
              "$mod did evaluate to expected remainder");
      case RegexMatch ignored ->
          onElements(
              error, TEXTS, "regular expression did not match", "regular expression did match");
      case BitsMatch ignored ->
          onElements(
              error,
              NUMBERS_AND_BINARY,
              "bitwise operator failed to match",
              "bitwise operator matched successfully");
      case SizeMatch ignored ->
          onArray(
              error,
              "array length was not equal to given size",
              "array length was equal to given size");
      case GeoMatch geo -> place(geo, error);
      case NearMatch near -> throw new IllegalStateException("no validator has " + near);
      case ElemMatch ignored ->
          onArray(
              error,
              "array did not satisfy the child predicate",
              "array did satisfy the child predicate");
    };
  }

  private RawDocument place(GeoMatch geo, ErrorDetail error) {
    ConsideredValues values = ConsideredValues.elements(geo.path(), document);
    if (values.isMissing()) {
      return error.reason("field was missing").toDocument();
    }
    boolean hasPlace =
        Stream.concat(
                values.values().stream(),
                ConsideredValues.whole(geo.path(), document).values().stream())
            .anyMatch(value -> GeoValue.parseOrNull(value) != null);
    if (!hasPlace) {
      error.reason("could not find a valid geometry at the given path");
    } else {
      // The typographic apostrophe is MongoDB's, and so is the missing article.
      String area = " the expression\u2019s geometry";
      String relation = geo.within() ? "contained within" + area : "intersected" + area;
      String verb = geo.within() ? (inverted ? "was " : "were ") : "";
      error.reason(
          (inverted
                  ? "at least one of considered geometries "
                  : "none of the considered geometries ")
              + verb
              + relation);
    }
    return values.appendTo(error).toDocument();
  }

  private RawDocument onElements(
      ErrorDetail error, List<Byte> expected, String normal, String whenInverted) {
    return explain(
        error, ConsideredValues.elements(leaf.path(), document), expected, normal, whenInverted);
  }

  private RawDocument onArray(ErrorDetail error, String normal, String whenInverted) {
    return explain(
        error, ConsideredValues.whole(leaf.path(), document), ARRAYS, normal, whenInverted);
  }

  private RawDocument explain(
      ErrorDetail error,
      ConsideredValues values,
      List<Byte> expected,
      String normal,
      String whenInverted) {
    if (values.isMissing()) {
      return error.reason("field was missing").toDocument();
    }
    boolean ofOtherTypes =
        !expected.isEmpty()
            && values.values().stream().noneMatch(value -> expected.contains(value.type()));
    if (ofOtherTypes) {
      error.reason("type did not match").consideredTypes(values.values());
      var names = new TreeSet<String>();
      expected.forEach(type -> names.add(ElementType.alias(type)));
      error.oneOrMany("expectedType", names);
    } else {
      error.reason(inverted ? whenInverted : normal);
    }
    return values.appendTo(error).toDocument();
  }

  private RawDocument type(ErrorDetail error) {
    ConsideredValues values = ConsideredValues.elements(leaf.path(), document);
    if (values.isMissing()) {
      return error.reason("field was missing").toDocument();
    }
    error.reason(inverted ? "type did match" : "type did not match");
    return values.appendTo(error).consideredTypes(values.values()).toDocument();
  }
}
