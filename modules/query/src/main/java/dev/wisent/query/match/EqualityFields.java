package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields that a filter fixes to one value. An upsert that finds nothing starts its new document
 * from them.
 *
 * <p>They come from equalities, from conjunctions of them ({@code $all} with one value is one), and
 * from what means the same: {@code $in} with one value, {@code $or} with one branch.
 */
public final class EqualityFields {
  /** A path and the value that it must have. */
  public record Field(FieldPath path, RawValue value) {}

  private EqualityFields() {}

  /** The fields in the order of the filter. Fails where two of them contradict or overlap. */
  public static List<Field> of(MatchExpression filter) {
    var fields = new ArrayList<Field>();
    collect(filter, fields);
    return fields;
  }

  private static void collect(MatchExpression expression, List<Field> fields) {
    switch (expression) {
      case AndMatch and -> and.children().forEach(child -> collect(child, fields));
      case OrMatch or when or.children().size() == 1 -> collect(or.children().getFirst(), fields);
      case ComparisonMatch comparison when comparison.isEquality() ->
          add(new Field(comparison.path(), comparison.operand()), fields);
      case InMatch in when in.equalities().size() == 1 && in.regexes().isEmpty() ->
          add(new Field(in.path(), in.equalities().getFirst()), fields);
      default -> {
        // Says nothing about a single value.
      }
    }
  }

  private static void add(Field field, List<Field> fields) {
    FieldPath path = field.path();
    for (Field other : fields) {
      if (other.path().equals(path)) {
        throw conflict("path '" + path + "' is matched twice");
      }
      if (other.path().isPrefixOf(path) || path.isPrefixOf(other.path())) {
        throw conflict("both paths '" + path + "' and '" + other.path() + "' are matched");
      }
    }
    fields.add(field);
  }

  private static CommandException conflict(String what) {
    return new CommandException(
        ErrorCode.NOT_SINGLE_VALUE_FIELD, "cannot infer query fields to set, " + what);
  }
}
