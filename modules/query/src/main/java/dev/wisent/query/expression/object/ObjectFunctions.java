package dev.wisent.query.expression.object;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Values;

/** Expressions about documents that are functions of their arguments' values. */
final class ObjectFunctions {
  private ObjectFunctions() {}

  static RawValue mergeObjects(RawValue[] documents) {
    var fields = new FieldMap();
    for (RawValue document : documents) {
      fields.merge(document);
    }
    return fields.toValue();
  }

  static RawValue objectToArray(RawValue document) {
    if (Values.isNullish(document)) {
      return RawValue.NULL;
    }
    if (!document.isDocument()) {
      throw new CommandException(
          ErrorCode.OBJECT_TO_ARRAY_NOT_OBJECT,
          "$objectToArray requires a document input, found: " + Values.typeName(document));
    }
    var out = new BsonBuilder(document.length() * 2);
    ElementCursor fields = document.elements();
    for (int i = 0; fields.next(); i++) {
      out.startDocument(i).appendString("k", fields.name()).append("v", fields.value()).end();
    }
    return RawValue.ofArray(out.toDocument());
  }

  /** The first element says whether all are pairs or documents with {@code k} and {@code v}. */
  static RawValue arrayToObject(RawValue array) {
    if (Values.isNullish(array)) {
      return RawValue.NULL;
    }
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.ARRAY_TO_OBJECT_NOT_ARRAY,
          "$arrayToObject requires an array input, found: " + Values.typeName(array));
    }
    var fields = new FieldMap();
    ElementCursor elements = array.elements();
    boolean pairs = false;
    for (int i = 0; elements.next(); i++) {
      RawValue element = elements.value();
      if (i == 0) {
        if (!element.isArray() && !element.isDocument()) {
          throw new CommandException(
              ErrorCode.ARRAY_TO_OBJECT_FORMAT,
              "Unrecognised input type format for $arrayToObject: " + Values.typeName(element));
        }
        pairs = element.isArray();
      }
      if (pairs) {
        putPair(element, fields);
      } else {
        putKeyAndValue(element, fields);
      }
    }
    return fields.toValue();
  }

  private static void putPair(RawValue element, FieldMap fields) {
    if (!element.isArray()) {
      throw new CommandException(
          ErrorCode.ARRAY_TO_OBJECT_MIXED_ARRAYS,
          "$arrayToObject requires a consistent input format. Elements mustall be arrays or all be"
              + " objects. Array was detected, now found: "
              + Values.typeName(element));
    }
    RawValue[] pair = ArrayBuilder.elements(element);
    if (pair.length != 2) {
      throw new CommandException(
          ErrorCode.ARRAY_TO_OBJECT_PAIR,
          "$arrayToObject requires an array of size 2 arrays,found array of size: " + pair.length);
    }
    if (!pair[0].isString()) {
      throw new CommandException(
          ErrorCode.ARRAY_TO_OBJECT_PAIR_KEY,
          "$arrayToObject requires an array of key-value pairs, where the key must be of type"
              + " string. Found key type: "
              + Values.typeName(pair[0]));
    }
    put(pair[0], pair[1], fields);
  }

  private static void putKeyAndValue(RawValue element, FieldMap fields) {
    if (!element.isDocument()) {
      throw new CommandException(
          ErrorCode.ARRAY_TO_OBJECT_MIXED_OBJECTS,
          "$arrayToObject requires a consistent input format. Elements mustall be arrays or all be"
              + " objects. Object was detected, now found: "
              + Values.typeName(element));
    }
    RawDocument document = element.asDocument();
    if (document.fieldCount() != 2) {
      throw new CommandException(
          ErrorCode.ARRAY_TO_OBJECT_KEY_COUNT,
          "$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:"
              + document.fieldCount());
    }
    RawValue key = document.get("k");
    RawValue value = document.get("v");
    if (key == null || value == null) {
      throw new CommandException(
          ErrorCode.ARRAY_TO_OBJECT_KEYS,
          "$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys"
              + " from: "
              + ValueText.of(element));
    }
    if (!key.isString()) {
      throw new CommandException(
          ErrorCode.ARRAY_TO_OBJECT_KEY_TYPE,
          "$arrayToObject requires an object with keys 'k' and 'v', where the value of 'k' must be"
              + " of type string. Found type: "
              + Values.typeName(key));
    }
    put(key, value, fields);
  }

  private static void put(RawValue key, RawValue value, FieldMap fields) {
    String name = key.asString();
    if (name.indexOf('\0') >= 0) {
      throw new CommandException(
          ErrorCode.ARRAY_TO_OBJECT_KEY_NULL, "Key field cannot contain an embedded null byte");
    }
    fields.put(name, value);
  }
}
