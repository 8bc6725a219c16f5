package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.arithmetic.NumberText;

/** Array expressions that are functions of their arguments' values. */
final class ArrayFunctions {
  /** What MongoDB counts for a range, and for one element of it. */
  private static final int RANGE_BYTES = 24;

  private static final int RANGE_ELEMENT_BYTES = 16;

  private static final long RANGE_BYTES_MAX = 100L * 1024 * 1024;

  private ArrayFunctions() {}

  static RawValue arrayElemAt(RawValue array, RawValue index) {
    if (Values.isNullish(array) || Values.isNullish(index)) {
      return RawValue.NULL;
    }
    requireFirstArray("$arrayElemAt's first argument", array);
    if (!index.isNumber()) {
      throw new CommandException(
          ErrorCode.ARRAY_ELEM_AT_INDEX_TYPE,
          "$arrayElemAt's second argument must be a numeric value, but is "
              + Values.typeName(index));
    }
    if (!Values.isInt32(index)) {
      throw new CommandException(
          ErrorCode.ARRAY_ELEM_AT_INDEX_RANGE,
          "$arrayElemAt's second argument must be representable as a 32-bit integer: "
              + NumberText.of(index.toDouble()));
    }
    long position = index.toLong();
    return elementAt(array, position < 0 ? array.asDocument().fieldCount() + position : position);
  }

  /** Null where there is no such element. */
  private static RawValue elementAt(RawValue array, long position) {
    if (position < 0) {
      return null;
    }
    ElementCursor elements = array.elements();
    for (long i = 0; elements.next(); i++) {
      if (i == position) {
        return elements.value();
      }
    }
    return null;
  }

  static RawValue first(RawValue array) {
    if (Values.isNullish(array)) {
      return RawValue.NULL;
    }
    requireFirstArray("$first's argument", array);
    return elementAt(array, 0);
  }

  static RawValue last(RawValue array) {
    if (Values.isNullish(array)) {
      return RawValue.NULL;
    }
    requireFirstArray("$last's argument", array);
    return elementAt(array, array.asDocument().fieldCount() - 1L);
  }

  private static void requireFirstArray(String what, RawValue array) {
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.ARRAY_ELEM_AT_NOT_ARRAY,
          what + " must be an array, but is " + Values.typeName(array));
    }
  }

  static RawValue concatArrays(RawValue[] arrays) {
    var out = new ArrayBuilder();
    for (RawValue array : arrays) {
      if (Values.isNullish(array)) {
        return RawValue.NULL;
      }
      if (!array.isArray()) {
        throw new CommandException(
            ErrorCode.CONCAT_ARRAYS_NOT_ARRAY,
            "$concatArrays only supports arrays, not " + Values.typeName(array));
      }
      out.addAll(array);
    }
    return out.build();
  }

  static RawValue in(Collation collation, RawValue value, RawValue array) {
    if (array == null || !array.isArray()) {
      throw new CommandException(
          ErrorCode.IN_NOT_ARRAY,
          "$in requires an array as a second argument, found: " + Values.typeName(array));
    }
    ElementCursor elements = array.elements();
    while (elements.next()) {
      if (Values.equal(collation, value, elements.value())) {
        return RawValue.TRUE;
      }
    }
    return RawValue.FALSE;
  }

  static RawValue indexOfArray(Collation collation, RawValue[] arguments) {
    RawValue array = arguments[0];
    if (Values.isNullish(array)) {
      return RawValue.NULL;
    }
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.INDEX_OF_ARRAY_NOT_ARRAY,
          "$indexOfArray requires an array as a first argument, found: " + Values.typeName(array));
    }
    int start = SearchRange.start("$indexOfArray", arguments);
    int end = SearchRange.end("$indexOfArray", arguments);
    ElementCursor elements = array.elements();
    for (int i = 0; i < end && elements.next(); i++) {
      if (i >= start && Values.equal(collation, elements.value(), arguments[1])) {
        return RawValue.ofInt32(i);
      }
    }
    return RawValue.ofInt32(-1);
  }

  static RawValue isArray(RawValue value) {
    return RawValue.ofBoolean(value != null && value.isArray());
  }

  static RawValue range(RawValue[] arguments) {
    int start =
        rangeNumber(
            arguments[0],
            ErrorCode.RANGE_START_TYPE,
            "$range requires a numeric starting value, found value of type: ",
            ErrorCode.RANGE_START_RANGE,
            "$range requires a starting value");
    int end =
        rangeNumber(
            arguments[1],
            ErrorCode.RANGE_END_TYPE,
            "$range requires a numeric ending value, found value of type: ",
            ErrorCode.RANGE_END_RANGE,
            "$range requires an ending value");
    int step = 1;
    if (arguments.length > 2) {
      step =
          rangeNumber(
              arguments[2],
              ErrorCode.RANGE_STEP_TYPE,
              "$range requires a numeric step value, found value of type:",
              ErrorCode.RANGE_STEP_RANGE,
              "$range requires a step value");
      if (step == 0) {
        throw new CommandException(
            ErrorCode.RANGE_STEP_ZERO, "$range requires a non-zero step value");
      }
    }
    long count = Math.max(0, Math.ceilDiv((long) end - start, (long) step));
    long steps = ((long) end - start) / step;
    long bytes = RANGE_BYTES + (steps < 0 ? 0 : 1 + steps) * RANGE_ELEMENT_BYTES;
    if (bytes >= RANGE_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.EXCEEDED_MEMORY_LIMIT,
          "$range would use too much memory ("
              + bytes
              + " bytes) and cannot spill to disk. Memory limit: "
              + RANGE_BYTES_MAX
              + " bytes");
    }
    var out = new ArrayBuilder();
    for (long i = 0; i < count; i++) {
      out.add(RawValue.ofInt32((int) (start + i * step)));
    }
    return out.build();
  }

  private static int rangeNumber(
      RawValue value, ErrorCode type, String typeComplaint, ErrorCode range, String what) {
    if (value == null || !value.isNumber()) {
      throw new CommandException(type, typeComplaint + Values.typeName(value));
    }
    if (!Values.isInt32(value)) {
      throw new CommandException(
          range,
          what
              + " that can be represented as a 32-bit integer, found value: "
              + Values.text(value));
    }
    return (int) value.toLong();
  }

  static RawValue reverseArray(RawValue array) {
    if (Values.isNullish(array)) {
      return RawValue.NULL;
    }
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.REVERSE_ARRAY_NOT_ARRAY,
          "The argument to $reverseArray must be an array, but was of type: "
              + Values.typeName(array));
    }
    RawValue[] elements = ArrayBuilder.elements(array);
    var out = new ArrayBuilder(array.length());
    for (int i = elements.length - 1; i >= 0; i--) {
      out.add(elements[i]);
    }
    return out.build();
  }

  static RawValue size(RawValue array) {
    if (array == null || !array.isArray()) {
      throw new CommandException(
          ErrorCode.SIZE_NOT_ARRAY,
          "The argument to $size must be an array, but was of type: " + Values.typeName(array));
    }
    return RawValue.ofInt32(array.asDocument().fieldCount());
  }

  static RawValue slice(RawValue[] arguments) {
    RawValue array = arguments[0];
    RawValue second = arguments[1];
    if (Values.isNullish(array) || Values.isNullish(second)) {
      return RawValue.NULL;
    }
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.SLICE_ARGUMENT_NOT_ARRAY,
          "First argument to $slice must be an array, but is of type: " + Values.typeName(array));
    }
    if (!second.isNumber()) {
      throw new CommandException(
          ErrorCode.SLICE_SECOND_TYPE,
          "Second argument to $slice must be a numeric value, but is of type: "
              + Values.typeName(second));
    }
    if (!Values.isInt32(second)) {
      throw new CommandException(
          ErrorCode.SLICE_SECOND_RANGE,
          "Second argument to $slice can't be represented as a 32-bit integer: "
              + NumberText.of(second.toDouble()));
    }
    long size = array.asDocument().fieldCount();
    long position = second.toLong();
    if (arguments.length == 2) {
      return position >= 0
          ? part(array, 0, position)
          : part(array, Math.max(0, size + position), size);
    }
    RawValue third = arguments[2];
    if (Values.isNullish(third)) {
      return RawValue.NULL;
    }
    long start = position < 0 ? Math.max(0, size + position) : Math.min(size, position);
    return part(array, start, start + sliceCount(third));
  }

  private static long sliceCount(RawValue count) {
    if (!count.isNumber()) {
      throw new CommandException(
          ErrorCode.SLICE_THIRD_TYPE,
          "Third argument to $slice must be numeric, but is of type: " + Values.typeName(count));
    }
    if (!Values.isInt32(count)) {
      throw new CommandException(
          ErrorCode.SLICE_THIRD_RANGE,
          "Third argument to $slice can't be represented as a 32-bit integer: "
              + NumberText.of(count.toDouble()));
    }
    if (count.toLong() <= 0) {
      throw new CommandException(
          ErrorCode.SLICE_THIRD_NOT_POSITIVE,
          "Third argument to $slice must be positive: " + count.toLong());
    }
    return count.toLong();
  }

  private static RawValue part(RawValue array, long start, long end) {
    var out = new ArrayBuilder();
    ElementCursor elements = array.elements();
    for (long i = 0; i < end && elements.next(); i++) {
      if (i >= start) {
        out.add(elements.value());
      }
    }
    return out.build();
  }
}
