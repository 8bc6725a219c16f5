package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The fields of a specification, all of which are known, with the types that they must have. */
final class SpecFields {
  private final String name;
  private final RawValue spec;

  private SpecFields(String name, RawValue spec) {
    this.name = name;
    this.spec = spec;
  }

  /**
   * @param name what is specified, for messages
   */
  static SpecFields read(String name, RawValue spec, Set<String> known) {
    ElementCursor fields = spec.elements();
    while (fields.next()) {
      if (!known.contains(fields.name())) {
        throw new CommandException(
            ErrorCode.IDL_UNKNOWN_FIELD,
            "BSON field '" + name + "." + fields.name() + "' is an unknown field.");
      }
    }
    return new SpecFields(name, spec);
  }

  /** The specification of a stage, which must be an object. */
  static SpecFields readStage(String stage, String article, RawValue spec, Set<String> known) {
    if (!spec.isDocument()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          article
              + stage
              + " stage specification must be an object, found "
              + Values.typeName(spec));
    }
    return read(stage, spec, known);
  }

  /** A field of any type; null where it is not there. */
  RawValue get(String field) {
    return spec.asDocument().get(field);
  }

  /** A field that has to be there. */
  RawValue require(String field) {
    RawValue value = get(field);
    if (value == null) {
      throw new CommandException(
          ErrorCode.IDL_FAILED_TO_PARSE,
          "BSON field '" + name + "." + field + "' is missing but a required field");
    }
    return value;
  }

  /** A field that has to be there, of one type. */
  RawValue require(String field, byte type) {
    return check(field, require(field), type);
  }

  /** A field of one of these types; null where it is not there. */
  RawValue get(String field, byte... types) {
    RawValue value = get(field);
    return value == null ? null : check(field, value, types);
  }

  private RawValue check(String field, RawValue value, byte... types) {
    for (byte type : types) {
      if (value.type() == type) {
        return value;
      }
    }
    var expected = new ArrayList<String>();
    for (byte type : types) {
      expected.add(ElementType.alias(type));
    }
    throw new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "BSON field '"
            + name
            + "."
            + field
            + "' is the wrong type '"
            + Values.typeName(value)
            + (expected.size() == 1
                ? "', expected type '" + expected.getFirst() + "'"
                : "', expected types '[" + String.join(", ", expected) + "]'"));
  }

  /** A field that is an array of strings; null where it is not there. */
  List<String> strings(String field) {
    RawValue array = get(field, ElementType.ARRAY);
    if (array == null) {
      return null;
    }
    var strings = new ArrayList<String>();
    ElementCursor elements = array.elements();
    while (elements.next()) {
      String element = field + "." + elements.name();
      strings.add(check(element, elements.value(), ElementType.STRING).asString());
    }
    return strings;
  }
}
