package dev.wisent.conformance.unified;

import java.util.HexFormat;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * Compares a value with an expected one that may contain the format's {@code $$} operators.
 *
 * <p>A root document (also one in a root array) may have more fields than expected, a nested one
 * may not. Numbers other than decimals are equal when their values are.
 */
record ValueMatcher(Entities entities) {

  /** Fails with the path of the first difference; a missing actual value is null. */
  void check(BsonValue expected, BsonValue actual) {
    match(expected, actual, "result", true);
  }

  /** Equality with the format's leniency about number types. */
  static boolean sameValue(BsonValue expected, BsonValue actual) {
    if (actual == null) {
      return false;
    }
    if (isPlainNumber(expected) && isPlainNumber(actual)) {
      return sameNumber(expected, actual);
    }
    return expected.equals(actual);
  }

  private void match(BsonValue expected, BsonValue actual, String path, boolean root) {
    if (expected.isDocument() && SpecialOperator.isIn(expected.asDocument())) {
      matchSpecial(expected.asDocument(), actual, path, root);
    } else if (actual == null) {
      throw difference(path, expected, null);
    } else if (expected.isDocument() && actual.isDocument()) {
      matchDocument(expected.asDocument(), actual.asDocument(), path, root);
    } else if (expected.isArray() && actual.isArray()) {
      matchArray(expected.asArray(), actual.asArray(), path, root);
    } else if (!sameValue(expected, actual)) {
      throw difference(path, expected, actual);
    }
  }

  private void matchDocument(
      BsonDocument expected, BsonDocument actual, String path, boolean root) {
    expected.forEach((name, value) -> match(value, actual.get(name), path + "." + name, false));
    if (!root) {
      for (String name : actual.keySet()) {
        if (!expected.containsKey(name)) {
          throw new AssertionError(
              "unexpected field " + path + "." + name + " in " + actual.toJson());
        }
      }
    }
  }

  private void matchArray(BsonArray expected, BsonArray actual, String path, boolean root) {
    if (expected.size() != actual.size()) {
      throw difference(path, expected, actual);
    }
    for (int i = 0; i < expected.size(); i++) {
      match(expected.get(i), actual.get(i), path + "[" + i + "]", root);
    }
  }

  private void matchSpecial(BsonDocument expected, BsonValue actual, String path, boolean root) {
    BsonValue operand = expected.get(expected.getFirstKey());
    switch (SpecialOperator.of(expected)) {
      case EXISTS -> matchExists(operand.asBoolean().getValue(), actual, path);
      case TYPE -> require(hasType(operand, actual), path, expected, actual);
      case UNSET_OR_MATCHES -> {
        if (actual != null) {
          match(operand, actual, path, root);
        }
      }
      case MATCHES_ENTITY -> {
        String id = operand.asString().getValue();
        BsonValue entity =
            entities.value(id).orElseThrow(() -> new IllegalArgumentException("no value " + id));
        match(entity, actual, path, root);
      }
      case MATCHES_HEX_BYTES ->
          require(
              hexOf(actual).equalsIgnoreCase(operand.asString().getValue()),
              path,
              expected,
              actual);
      case SESSION_LSID ->
          match(entities.sessionId(operand.asString().getValue()), actual, path, false);
      case LTE -> require(atMost(actual, operand), path, expected, actual);
      case MATCH_AS_DOCUMENT ->
          match(operand, BsonDocument.parse(actual.asString().getValue()), path, false);
      case MATCH_AS_ROOT -> match(operand, actual, path, true);
    }
  }

  private static void matchExists(boolean shouldExist, BsonValue actual, String path) {
    if (shouldExist != (actual != null)) {
      throw new AssertionError(
          path + (shouldExist ? " is missing" : " should not be there: " + actual));
    }
  }

  private static boolean hasType(BsonValue expected, BsonValue actual) {
    if (actual == null) {
      return false;
    }
    List<String> names =
        expected.isArray()
            ? expected.asArray().stream().map(name -> name.asString().getValue()).toList()
            : List.of(expected.asString().getValue());
    return names.contains(TypeNames.of(actual.getBsonType()))
        || (names.contains("number") && actual.isNumber());
  }

  private static String hexOf(BsonValue actual) {
    return actual != null && actual.isBinary()
        ? HexFormat.of().formatHex(actual.asBinary().getData())
        : "";
  }

  private static boolean atMost(BsonValue actual, BsonValue limit) {
    return actual != null
        && actual.isNumber()
        && actual.asNumber().doubleValue() <= limit.asNumber().doubleValue();
  }

  private static boolean isPlainNumber(BsonValue value) {
    return value.isNumber() && value.getBsonType() != BsonType.DECIMAL128;
  }

  private static boolean sameNumber(BsonValue left, BsonValue right) {
    boolean asDoubles = left.isDouble() || right.isDouble();
    return asDoubles
        ? left.asNumber().doubleValue() == right.asNumber().doubleValue()
        : left.asNumber().longValue() == right.asNumber().longValue();
  }

  private static void require(boolean holds, String path, BsonValue expected, BsonValue actual) {
    if (!holds) {
      throw difference(path, expected, actual);
    }
  }

  private static AssertionError difference(String path, BsonValue expected, BsonValue actual) {
    return new AssertionError(path + ": expected " + expected + " but was " + actual);
  }
}
