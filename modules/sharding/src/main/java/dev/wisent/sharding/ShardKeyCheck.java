package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.Set;

/** What is wrong with the pattern of a shard key. */
final class ShardKeyCheck {
  private static final String HASHED = "hashed";
  private static final Set<String> DB_REF_FIELDS = Set.of("$db", "$id", "$ref");

  private ShardKeyCheck() {}

  static void check(RawDocument pattern) {
    if (pattern.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Shard key is empty");
    }
    boolean hasHash = false;
    ElementCursor fields = pattern.elements();
    while (fields.next()) {
      checkName(fields.name());
      boolean isHash = isHash(fields.value());
      if ((hasHash && isHash) || (!isHash && !isAscending(fields.value()))) {
        throw new CommandException(
            ErrorCode.BAD_VALUE,
            "Shard key "
                + ValueText.of(pattern)
                + " can contain at most one 'hashed' field, and/or multiple numerical fields set to"
                + " a value of 1. Failed to parse field "
                + fields.name());
      }
      hasHash |= isHash;
    }
  }

  private static boolean isHash(RawValue value) {
    return value.isString() && value.asString().equals(HASHED);
  }

  private static boolean isAscending(RawValue value) {
    return value.isNumber() && value.toLong() == 1;
  }

  private static void checkName(String name) {
    if (name.isEmpty()) {
      throw wrong(name, "is empty");
    }
    boolean first = true;
    for (String part : name.split("\\.", -1)) {
      if (part.isEmpty()) {
        throw wrong(name, "contains empty parts");
      }
      if (part.startsWith("$") && (first || !DB_REF_FIELDS.contains(part))) {
        throw wrong(name, "contains parts that start with '$'");
      }
      first = false;
    }
  }

  private static CommandException wrong(String name, String what) {
    return new CommandException(ErrorCode.BAD_VALUE, "Field " + name + " " + what);
  }
}
