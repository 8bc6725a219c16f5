package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.FunctionExpression;
import dev.wisent.query.expression.Values;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Expressions that look at arrays as sets. Unions and intersections come out sorted. */
final class SetFunctions {
  private SetFunctions() {}

  static RawValue allElementsTrue(RawValue array) {
    requireElements("$allElementsTrue", ErrorCode.ALL_ELEMENTS_TRUE_NOT_ARRAY, array);
    ElementCursor elements = array.elements();
    while (elements.next()) {
      if (!elements.value().isTruthy()) {
        return RawValue.FALSE;
      }
    }
    return RawValue.TRUE;
  }

  static RawValue anyElementTrue(RawValue array) {
    requireElements("$anyElementTrue", ErrorCode.ANY_ELEMENT_TRUE_NOT_ARRAY, array);
    ElementCursor elements = array.elements();
    while (elements.next()) {
      if (elements.value().isTruthy()) {
        return RawValue.TRUE;
      }
    }
    return RawValue.FALSE;
  }

  private static void requireElements(String name, ErrorCode code, RawValue array) {
    if (array == null || !array.isArray()) {
      throw new CommandException(
          code, name + "'s argument must be an array, but is " + Values.typeName(array));
    }
  }

  static RawValue difference(Collation collation, RawValue a, RawValue b) {
    if (Values.isNullish(a) || Values.isNullish(b)) {
      return RawValue.NULL;
    }
    requireBoth("$setDifference", ErrorCode.SET_DIFFERENCE_FIRST, "First", a);
    requireBoth("$setDifference", ErrorCode.SET_DIFFERENCE_SECOND, "Second", b);
    var left = new LinkedHashMap<ValueKey, RawValue>();
    addAll(collation, a, left);
    left.keySet().removeAll(keys(collation, b));
    return ArrayBuilder.of(left.values());
  }

  static RawValue isSubset(Collation collation, RawValue a, RawValue b) {
    requireBoth("$setIsSubset", ErrorCode.SET_IS_SUBSET_FIRST, "First", a);
    requireBoth("$setIsSubset", ErrorCode.SET_IS_SUBSET_SECOND, "Second", b);
    return RawValue.ofBoolean(keys(collation, b).containsAll(keys(collation, a)));
  }

  private static void requireBoth(String name, ErrorCode code, String which, RawValue array) {
    if (array == null || !array.isArray()) {
      throw new CommandException(
          code,
          "both operands of "
              + name
              + " must be arrays. "
              + which
              + " argument is of type: "
              + Values.typeName(array));
    }
  }

  static Expression parseEquals(ExpressionParser parser, RawValue argument) {
    Expression[] arguments = parser.arguments(argument);
    if (arguments.length < 2) {
      throw new CommandException(
          ErrorCode.SET_EQUALS_ARITY,
          "$setEquals needs at least two arguments had: " + arguments.length);
    }
    Collation collation = parser.context().collation();
    return FunctionExpression.of("$setEquals", arguments, arrays -> areEqual(collation, arrays));
  }

  private static RawValue areEqual(Collation collation, RawValue[] arrays) {
    Set<ValueKey> first = null;
    for (int i = 0; i < arrays.length; i++) {
      requireAll("$setEquals", ErrorCode.SET_EQUALS_NOT_ARRAY, i + 1 + "-th", arrays[i]);
      Set<ValueKey> next = keys(collation, arrays[i]);
      if (first == null) {
        first = next;
      } else if (!first.equals(next)) {
        return RawValue.FALSE;
      }
    }
    return RawValue.TRUE;
  }

  static RawValue intersection(Collation collation, RawValue[] arrays) {
    TreeMap<ValueKey, RawValue> common = null;
    for (RawValue array : arrays) {
      if (Values.isNullish(array)) {
        return RawValue.NULL;
      }
      requireAll("$setIntersection", ErrorCode.SET_INTERSECTION_NOT_ARRAY, "One", array);
      var next = new TreeMap<ValueKey, RawValue>();
      addAll(collation, array, next);
      common = common == null ? next : common(common, next);
    }
    return ArrayBuilder.of(common == null ? List.of() : common.values());
  }

  /** Of equal values of different types those of the smaller set stay, as in MongoDB. */
  private static TreeMap<ValueKey, RawValue> common(
      TreeMap<ValueKey, RawValue> a, TreeMap<ValueKey, RawValue> b) {
    boolean second = b.size() < a.size();
    TreeMap<ValueKey, RawValue> common = second ? b : a;
    common.keySet().retainAll((second ? a : b).keySet());
    return common;
  }

  static RawValue union(Collation collation, RawValue[] arrays) {
    var all = new TreeMap<ValueKey, RawValue>();
    for (RawValue array : arrays) {
      if (Values.isNullish(array)) {
        return RawValue.NULL;
      }
      requireAll("$setUnion", ErrorCode.SET_UNION_NOT_ARRAY, "One", array);
      addAll(collation, array, all);
    }
    return ArrayBuilder.of(all.values());
  }

  private static void requireAll(String name, ErrorCode code, String which, RawValue array) {
    if (array == null || !array.isArray()) {
      throw new CommandException(
          code,
          "All operands of "
              + name
              + " must be arrays. "
              + which
              + " argument is of type: "
              + Values.typeName(array));
    }
  }

  private static Set<ValueKey> keys(Collation collation, RawValue array) {
    var keys = new HashMap<ValueKey, RawValue>();
    addAll(collation, array, keys);
    return keys.keySet();
  }

  /** Of values that are equal the first one stays. */
  private static void addAll(Collation collation, RawValue array, Map<ValueKey, RawValue> values) {
    ElementCursor elements = array.elements();
    while (elements.next()) {
      RawValue value = elements.value();
      values.putIfAbsent(new ValueKey(Collation.key(collation, value)), value);
    }
  }
}
