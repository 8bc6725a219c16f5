package dev.wisent.server.user;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Of whom {@code usersInfo} and {@code rolesInfo} tell.
 *
 * @param exact the names; null for all of the database, or of all databases
 * @param allDatabases whether all are meant
 */
record InfoTarget<T>(List<T> exact, boolean allDatabases) {
  private static final String FOR_ALL = "forAllDBs";

  /**
   * Reads it from the command's own field.
   *
   * @param allowsAll whether {@code {forAllDBs: true}} is known
   * @param parse reads a name
   */
  static <T> InfoTarget<T> of(
      CommandRequest request, boolean allowsAll, BiFunction<RawValue, String, T> parse) {
    RawValue argument = request.argument();
    if (argument.isNumber() && argument.toLong() == 1) {
      return new InfoTarget<>(null, false);
    }
    if (allowsAll && argument.isDocument()) {
      RawValue all = argument.asDocument().get(FOR_ALL);
      if (all != null && all.isTruthy()) {
        return new InfoTarget<>(null, true);
      }
    }
    var names = new ArrayList<T>();
    if (argument.isArray()) {
      for (ElementCursor each = argument.elements(); each.next(); ) {
        names.add(parse.apply(each.value(), request.database()));
      }
    } else {
      names.add(parse.apply(argument, request.database()));
    }
    return new InfoTarget<>(names, false);
  }

  boolean isExact() {
    return exact != null;
  }
}
