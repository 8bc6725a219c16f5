package dev.wisent.server.command.collection;

import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;

/** The {@code scale} argument of statistics: what sizes are divided by. */
final class ScaleArgument {
  private ScaleArgument() {}

  static long check(ArgumentReader reader) {
    return ArgumentTypes.atLeast(1, reader.path(), reader.value());
  }
}
