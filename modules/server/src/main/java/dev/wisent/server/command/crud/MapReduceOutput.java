package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentTypes;

/**
 * Where the results of a {@code mapReduce} go.
 *
 * @param database that of the command unless another one is given
 * @param elsewhere whether a database was given
 * @param collection null for results in the reply
 */
record MapReduceOutput(Kind kind, String database, boolean elsewhere, String collection) {
  /** What becomes of a collection. */
  enum Kind {
    INLINE,
    REPLACE,
    MERGE,
    REDUCE
  }

  static MapReduceOutput parse(RawValue out, String ownDatabase) {
    if (out.isString()) {
      return new MapReduceOutput(Kind.REPLACE, ownDatabase, false, out.asString());
    }
    if (!out.isDocument()) {
      throw bad("'out' must be either a string or an object");
    }
    if (out.asDocument().get("inline") != null) {
      checkInline(out);
      return new MapReduceOutput(Kind.INLINE, ownDatabase, false, null);
    }
    return parseTarget(out, ownDatabase);
  }

  private static void checkInline(RawValue out) {
    RawValue inline = out.asDocument().get("inline");
    if (!inline.isNumber() || inline.toLong() != 1) {
      throw bad("'inline' takes only numeric '1'");
    }
    if (out.asDocument().fieldCount() > 1) {
      throw bad("'inline' takes no other options");
    }
  }

  private static MapReduceOutput parseTarget(RawValue out, String ownDatabase) {
    Kind kind = null;
    String database = null;
    String collection = null;
    ElementCursor fields = out.elements();
    while (fields.next()) {
      String path = "mapReduce.out." + fields.name();
      switch (fields.name()) {
        case "replace", "merge", "reduce" -> {
          if (kind != null) {
            throw bad("'out' takes only one of 'replace', 'merge' and 'reduce'");
          }
          kind = kind(fields.name());
          collection = ArgumentTypes.string(path, fields.value());
        }
        case "db" -> database = ArgumentTypes.string(path, fields.value());
        case "sharded", "nonAtomic" -> requireTrue(fields);
        default -> throw ArgumentTypes.unknown(path);
      }
    }
    if (kind == null) {
      throw bad("'out' requires 'replace', 'merge', 'reduce' or 'inline'");
    }
    return new MapReduceOutput(
        kind, database == null ? ownDatabase : database, database != null, collection);
  }

  private static Kind kind(String name) {
    return switch (name) {
      case "replace" -> Kind.REPLACE;
      case "merge" -> Kind.MERGE;
      default -> Kind.REDUCE;
    };
  }

  /** Options from earlier releases that can only say what is done anyway. */
  private static void requireTrue(ElementCursor option) {
    if (option.type() != ElementType.BOOLEAN || !option.value().isTruthy()) {
      throw bad(option.name() + " field value must be true");
    }
  }

  private static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }
}
