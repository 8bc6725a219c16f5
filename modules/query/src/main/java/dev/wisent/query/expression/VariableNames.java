package dev.wisent.query.expression;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/** What variables may be called: users' begin with a small letter, the system's with a capital. */
final class VariableNames {
  private VariableNames() {}

  static void checkForRead(String name) {
    check(
        name,
        c -> isLetter(c) || c >= 0x80,
        "starts with an invalid character for a variable name");
  }

  /** {@code CURRENT} may be bound anew, no other of the system's. */
  static void checkForWrite(String name) {
    if (!name.equals(SystemVariables.CURRENT)) {
      check(
          name,
          c -> (c >= 'a' && c <= 'z') || c >= 0x80,
          "starts with an invalid character for a user variable name");
    }
  }

  private interface First {
    boolean allows(char c);
  }

  private static void check(String name, First first, String complaint) {
    if (name.isEmpty()) {
      throw failed("empty variable names are not allowed");
    }
    if (!first.allows(name.charAt(0))) {
      throw failed("'" + name + "' " + complaint);
    }
    for (int i = 1; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(isLetter(c) || (c >= '0' && c <= '9') || c == '_' || c >= 0x80)) {
        throw failed(
            "'" + name + "' contains an invalid character for a variable name: '" + c + "'");
      }
    }
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static CommandException failed(String message) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, message);
  }
}
