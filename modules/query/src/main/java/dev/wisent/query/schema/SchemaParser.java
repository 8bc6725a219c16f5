package dev.wisent.query.schema;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads schemas. What it does not support, it refuses as MongoDB does. */
final class SchemaParser {
  private static final List<String> TEXTS = List.of("description", "title");

  private SchemaParser() {}

  /** Parses a schema for documents. */
  static JsonSchema parse(RawDocument schema, WorkMeter meter) {
    return parse(schema, true, meter);
  }

  /** Parses a schema for values inside documents. */
  static JsonSchema parseNested(RawDocument schema, Keyword keyword) {
    return parse(schema, false, keyword.meter());
  }

  /** Parses a schema for the same values that the keyword is about. */
  static JsonSchema parseBeside(RawDocument schema, Keyword keyword) {
    return parse(schema, keyword.top(), keyword.meter());
  }

  private static JsonSchema parse(RawDocument schema, boolean top, WorkMeter meter) {
    checkNames(schema);
    for (String name : TEXTS) {
      RawValue text = schema.get(name);
      if (text != null && !text.isString()) {
        throw new Keyword(name, text, schema, top, meter).wrongType("must be of type string");
      }
    }
    TypeRule type = type(schema, top, meter);
    var rules = new ArrayList<SchemaRule>();
    for (SchemaKeyword row : SchemaKeywords.rows()) {
      RawValue value = schema.get(row.name());
      if (value != null && row.parser() != null) {
        SchemaRule rule = row.parser().parse(new Keyword(row.name(), value, schema, top, meter));
        if (rule != null && (type == null || type.leavesRoomFor(rule.target()))) {
          rules.add(rule);
        }
      }
    }
    if (type != null && !top) {
      rules.add(type);
    }
    boolean impossible = top && type != null && !type.types().accepts(ElementType.DOCUMENT);
    return new JsonSchema(schema, rules, impossible, meter);
  }

  private static void checkNames(RawDocument schema) {
    Set<String> seen = new HashSet<>();
    ElementCursor elements = schema.elements();
    while (elements.next()) {
      String name = elements.name();
      SchemaKeyword row = SchemaKeywords.find(name);
      if (row == null) {
        throw failedToParse("Unknown $jsonSchema keyword: " + name);
      }
      if (row.support() == SchemaKeyword.Support.REFUSED) {
        throw failedToParse("$jsonSchema keyword '" + name + "' is not currently supported");
      }
      if (row.support() == SchemaKeyword.Support.ENCRYPTION) {
        throw new CommandException(
            ErrorCode.QUERY_FEATURE_NOT_ALLOWED,
            "Encryption-related validator keywords are not allowed in this context");
      }
      if (!seen.add(name)) {
        throw failedToParse("Duplicate $jsonSchema keyword: " + name);
      }
    }
  }

  private static TypeRule type(RawDocument schema, boolean top, WorkMeter meter) {
    RawValue type = schema.get("type");
    RawValue bsonType = schema.get("bsonType");
    if (type != null && bsonType != null) {
      throw failedToParse("Cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
    }
    if (type != null) {
      return TypeRule.parse(new Keyword("type", type, schema, top, meter));
    }
    return bsonType == null
        ? null
        : TypeRule.parse(new Keyword("bsonType", bsonType, schema, top, meter));
  }

  private static CommandException failedToParse(String message) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, message);
  }
}
