package dev.wisent.tools.live;

import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;

/**
 * What the two tools have in common.
 *
 * @param uri a connection string that is not in a flag, or null
 * @param rows how many, 0 for all until the interruption
 * @param inPlace whether each table takes the place of the last one
 */
record LiveFlags(String uri, int seconds, int rows, boolean json, boolean header, boolean inPlace) {
  static final FlagSpec INTERACTIVE =
      FlagSpec.on("interactive", "one table, drawn again in the same place").letter('i');

  private static final int SECONDS_MAX = 86_400;

  static LiveFlags parse(Flags flags) throws ToolException {
    flags.exclude("json", "interactive");
    String uri = null;
    int seconds = 1;
    for (String each : flags.positional()) {
      if (each.startsWith("mongodb")) {
        uri = each;
      } else if (each.matches("[1-9]\\d{0,4}")) {
        seconds = Math.min(SECONDS_MAX, Integer.parseInt(each));
      } else {
        throw ToolException.badOption(
            "'" + each + "' is no number of seconds and no connection string");
      }
    }
    return new LiveFlags(
        uri,
        seconds,
        flags.number("rowcount", 0, 0, Integer.MAX_VALUE),
        flags.on("json"),
        !flags.on("noheaders"),
        flags.on("interactive"));
  }
}
