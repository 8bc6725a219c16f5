package dev.wisent.server.command;

import dev.wisent.bson.ValueText;
import dev.wisent.server.operation.RunningOperation;

/** A command for the log: whole if it is short, cut off otherwise. */
final class CommandText {
  private static final int BYTES_MAX = 4096;

  private CommandText() {}

  static String of(RunningOperation operation) {
    if (operation.command().length() > BYTES_MAX) {
      return operation.spec().name() + " (" + operation.command().length() + " bytes)";
    }
    return ValueText.of(operation.command());
  }
}
