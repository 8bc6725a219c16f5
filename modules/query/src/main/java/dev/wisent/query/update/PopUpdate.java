package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.IntegerOperand;
import dev.wisent.query.match.Operand;
import java.util.List;

/** {@code $pop}: takes away the first or the last element. */
record PopUpdate(boolean first) implements FieldOperator {
  static PopUpdate parse(String path, RawValue argument) {
    long end = IntegerOperand.toLong(new Operand(path, argument, RawDocument.EMPTY));
    if (Math.abs(end) != 1) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "$pop expects 1 or -1, found: " + end);
    }
    return new PopUpdate(end < 0);
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    if (!current.isArray()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "Path '"
              + target.path()
              + "' contains an element of non-array type '"
              + ElementType.alias(current.type())
              + "'");
    }
    List<RawValue> elements = ArrayValues.of(current);
    int size = elements.size();
    if (size == 0) {
      return null;
    }
    return ArrayValues.toArray(first ? elements.subList(1, size) : elements.subList(0, size - 1));
  }

  @Override
  public RawValue create() {
    return null;
  }
}
