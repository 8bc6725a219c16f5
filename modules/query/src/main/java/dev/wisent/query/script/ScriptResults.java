package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import java.util.Base64;
import org.bson.BsonDbPointer;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonRegularExpression;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.graalvm.polyglot.Value;

/** What functions return, as BSON. Numbers are doubles, unless a class says otherwise. */
final class ScriptResults {
  private final Value kindOf;
  private final Value keysOf;

  ScriptResults(Value prelude) {
    this.kindOf = prelude.getMember("kindOf");
    this.keysOf = prelude.getMember("keysOf");
  }

  /** Returns null for undefined. */
  RawValue of(Value value) {
    return isUndefined(value) ? null : convert(value, 0);
  }

  private boolean isUndefined(Value value) {
    return value.isNull() && kindOf.execute(value).asString().equals("undefined");
  }

  private RawValue convert(Value value, int depth) {
    if (depth > Limits.NESTING_DEPTH_MAX) {
      throw new CommandException(
          ErrorCode.JS_INTERPRETER_FAILURE,
          "Exceeded depth limit of "
              + Limits.NESTING_DEPTH_MAX
              + " when converting js object to BSON. Do you have a cycle?");
    }
    if (value.isNumber()) {
      return RawValue.ofDouble(value.asDouble());
    }
    if (value.isString()) {
      return RawValue.ofString(value.asString());
    }
    if (value.isBoolean()) {
      return RawValue.ofBoolean(value.asBoolean());
    }
    String kind = kindOf.execute(value).asString();
    return switch (kind) {
      case "null" -> RawValue.NULL;
      case "undefined" -> RawValue.UNDEFINED;
      case "array" -> array(value, depth);
      case "object" -> object(value, depth);
      case "code" -> code(value, depth);
      default -> typed(kind, value);
    };
  }

  private RawValue code(Value code, int depth) {
    String text = text(code, "code");
    return code.hasMember("scope")
        ? RawValue.of(
            new BsonJavaScriptWithScope(
                text, convert(code.getMember("scope"), depth + 1).asDocument().toBsonDocument()))
        : RawValue.of(new BsonJavaScript(text));
  }

  private RawValue array(Value array, int depth) {
    var out = new BsonBuilder();
    long size = array.getArraySize();
    for (int i = 0; i < size; i++) {
      out.append(i, convert(array.getArrayElement(i), depth + 1));
      checkSize(out);
    }
    return RawValue.ofArray(out.toDocument());
  }

  private RawValue object(Value object, int depth) {
    var out = new BsonBuilder();
    Value keys = keysOf.execute(object);
    long size = keys.getArraySize();
    for (int i = 0; i < size; i++) {
      String key = keys.getArrayElement(i).asString();
      Value member = object.getMember(key);
      if (member != null) {
        out.append(key, convert(member, depth + 1));
        checkSize(out);
      }
    }
    return RawValue.ofDocument(out.toDocument());
  }

  private static void checkSize(BsonBuilder out) {
    if (out.position() > Limits.DOCUMENT_BYTES_MAX_INTERNAL) {
      throw new CommandException(
          ErrorCode.BSON_OBJECT_TOO_LARGE, "the result of a function is too large");
    }
  }

  private static RawValue typed(String kind, Value value) {
    return switch (kind) {
      case "date" -> RawValue.ofDate((long) value.invokeMember("getTime").asDouble());
      case "long" -> RawValue.ofInt64(Long.parseLong(text(value, "$text")));
      case "int" -> RawValue.ofInt32((int) value.getMember("$number").asDouble());
      case "decimal" -> RawValue.ofDecimal128(Decimal128.parse(text(value, "$text")));
      case "objectId" -> RawValue.ofObjectId(new ObjectId(text(value, "str")));
      case "timestamp" ->
          RawValue.ofTimestamp(
              ((long) value.getMember("t").asDouble() << 32)
                  | (long) value.getMember("i").asDouble());
      case "binary" ->
          new BsonBuilder()
              .appendBinary(
                  "",
                  (byte) value.getMember("type").asInt(),
                  Base64.getDecoder().decode(text(value, "$base64")))
              .toDocument()
              .get("");
      case "regex" ->
          RawValue.of(new BsonRegularExpression(text(value, "source"), text(value, "flags")));
      case "minKey" -> RawValue.MIN_KEY;
      case "maxKey" -> RawValue.MAX_KEY;
      case "dbPointer" ->
          RawValue.of(
              new BsonDbPointer(
                  text(value, "ns"), new ObjectId(text(value.getMember("id"), "str"))));
      case "function" -> RawValue.of(new BsonJavaScript(value.invokeMember("toString").asString()));
      default ->
          throw new CommandException(
              ErrorCode.JS_INTERPRETER_FAILURE, "cannot convert a " + kind + " to BSON");
    };
  }

  private static String text(Value value, String member) {
    return value.getMember(member).asString();
  }
}
