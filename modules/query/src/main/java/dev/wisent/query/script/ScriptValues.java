package dev.wisent.query.script;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.graalvm.polyglot.Value;

/**
 * BSON as JavaScript sees it in MongoDB: numbers of 32 bits and doubles are numbers, documents and
 * arrays are what they are in JavaScript, and for the other types there are the classes that the
 * shell has. Everything is a copy, which functions may change as they like.
 */
final class ScriptValues {
  /** Fields that are handed over at once. */
  private static final int FIELDS_MAX = 200;

  private final Value undefined;
  private final Value newObject;
  private final Value extendObject;
  private final Value newArray;
  private final Value extendArray;
  private final Value newTyped;

  ScriptValues(Value prelude) {
    this.undefined = prelude.getMember("nothing");
    this.newObject = prelude.getMember("newObject");
    this.extendObject = prelude.getMember("extendObject");
    this.newArray = prelude.getMember("newArray");
    this.extendArray = prelude.getMember("extendArray");
    this.newTyped = prelude.getMember("newTyped");
  }

  Object of(RawDocument document) {
    return object(document.elements());
  }

  Object of(RawValue value) {
    return switch (value.type()) {
      case ElementType.DOUBLE -> value.asDouble();
      case ElementType.INT32 -> value.asInt32();
      case ElementType.STRING, ElementType.SYMBOL -> value.asString();
      case ElementType.BOOLEAN -> value.asBoolean();
      case ElementType.NULL -> null;
      case ElementType.UNDEFINED -> undefined;
      case ElementType.DOCUMENT -> object(value.elements());
      case ElementType.ARRAY -> array(value.elements());
      default -> typed(value);
    };
  }

  private Object object(ElementCursor elements) {
    List<Object> fields = new ArrayList<>();
    Value object = null;
    while (elements.next()) {
      fields.add(elements.name());
      fields.add(of(elements.value()));
      if (fields.size() == 2 * FIELDS_MAX) {
        object = hand(object == null ? newObject : extendObject, object, fields);
      }
    }
    return fields.isEmpty() && object != null
        ? object
        : hand(object == null ? newObject : extendObject, object, fields);
  }

  private Object array(ElementCursor elements) {
    List<Object> items = new ArrayList<>();
    Value array = null;
    while (elements.next()) {
      items.add(of(elements.value()));
      if (items.size() == FIELDS_MAX) {
        array = hand(array == null ? newArray : extendArray, array, items);
      }
    }
    return items.isEmpty() && array != null
        ? array
        : hand(array == null ? newArray : extendArray, array, items);
  }

  private static Value hand(Value function, Value to, List<Object> parts) {
    if (to != null) {
      parts.addFirst(to);
    }
    Value result = function.execute(parts.toArray());
    parts.clear();
    return result;
  }

  private Object typed(RawValue value) {
    return switch (value.type()) {
      case ElementType.INT64 -> newTyped.execute("long", Long.toString(value.asInt64()));
      case ElementType.DECIMAL128 -> newTyped.execute("decimal", value.asDecimal128().toString());
      case ElementType.OBJECT_ID -> newTyped.execute("objectId", value.asObjectId().toHexString());
      case ElementType.DATE -> newTyped.execute("date", (double) value.asInt64());
      case ElementType.TIMESTAMP ->
          newTyped.execute(
              "timestamp",
              (double) (value.asInt64() >>> 32),
              (double) (value.asInt64() & 0xFFFFFFFFL));
      case ElementType.BINARY -> newTyped.execute("binary", value.binarySubtype(), base64(value));
      case ElementType.REGEX ->
          newTyped.execute("regex", value.regexPattern(), value.regexOptions());
      case ElementType.MIN_KEY -> newTyped.execute("minKey");
      case ElementType.MAX_KEY -> newTyped.execute("maxKey");
      case ElementType.CODE -> newTyped.execute("code", value.asString());
      case ElementType.CODE_WITH_SCOPE -> codeWithScope(value);
      case ElementType.DB_POINTER -> pointer(value);
      default -> throw new IllegalArgumentException("no typed value: " + value.type());
    };
  }

  private static String base64(RawValue binary) {
    return Base64.getEncoder().encodeToString(binary.asBinary());
  }

  /** A total length, the code, and the scope. */
  private Object codeWithScope(RawValue value) {
    var code =
        new RawValue(ElementType.CODE, value.bytes(), value.offset() + 4, value.length() - 4);
    String text = code.asString();
    int scope = value.offset() + 9 + text.getBytes(StandardCharsets.UTF_8).length;
    return newTyped.execute("code", text, of(RawDocument.at(value.bytes(), scope)));
  }

  /** A namespace and twelve bytes. */
  private Object pointer(RawValue value) {
    int id = value.offset() + value.length() - 12;
    return newTyped.execute(
        "dbPointer",
        value.asString(),
        new RawValue(ElementType.OBJECT_ID, value.bytes(), id, 12).asObjectId().toHexString());
  }
}
