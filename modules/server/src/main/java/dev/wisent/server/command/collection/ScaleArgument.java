package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.server.command.ArgumentReader;

/** The {@code scale} argument of statistics: what sizes are divided by. */
final class ScaleArgument {
  private ScaleArgument() {}

  static long check(ArgumentReader reader) {
    long scale = reader.wholeNumber();
    if (scale < 1) {
      throw new CommandException(
          ErrorCode.NEGATIVE_LIMIT,
          "BSON field 'scale' value must be >= 1, actual value '" + scale + "'");
    }
    return scale;
  }
}
