package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentReader;

/** Arguments that exist in MongoDB and are refused until they have an effect here. */
final class UnsupportedArguments {
  private UnsupportedArguments() {}

  /** The simple collation is what everything uses; any other is refused. */
  static void collation(ArgumentReader reader) {
    RawDocument collation = reader.document();
    RawValue locale = collation.get("locale");
    boolean simple =
        collation.isEmpty()
            || (locale != null && locale.isString() && locale.asString().equals("simple"));
    if (!simple) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "collation other than 'simple' is not supported yet");
    }
  }
}
