package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.operation.UpdateStatement;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import java.util.List;

/** Reads one entry of {@code updates}. */
final class UpdateStatements {
  private UpdateStatements() {}

  static UpdateStatement parse(RawDocument statement) {
    RawDocument query = null;
    RawValue update = null;
    boolean multi = false;
    boolean upsert = false;
    List<RawDocument> arrayFilters = List.of();
    RawDocument sort = RawDocument.EMPTY;
    RawValue hint = null;
    RawDocument constants = null;
    ArgumentReader reader = ArgumentReader.of("update.updates", statement);
    while (reader.next()) {
      switch (reader.name()) {
        case "q" -> query = reader.document();
        case "u" -> update = updateValue(reader);
        case "multi" -> multi = reader.strictBool();
        case "upsert" -> upsert = reader.strictBool();
        case "arrayFilters" -> arrayFilters = reader.documents();
        case "sort" -> sort = NaturalOrder.checkSort(reader.document());
        case "hint" -> hint = Hints.check(reader);
        case "collation" -> UnsupportedArguments.collation(reader);
        case "c" -> constants = reader.document();
        default -> reader.unknown();
      }
    }
    if (query == null) {
      throw ArgumentTypes.missing("update.updates.q");
    }
    if (update == null) {
      throw ArgumentTypes.missing("update.updates.u");
    }
    var parsed = new UpdateStatement(query, update, multi, upsert, arrayFilters, sort, hint);
    checkTogether(parsed, constants);
    return parsed;
  }

  /** What an update's arguments must not be beside each other; {@code constants} may be null. */
  static void checkTogether(UpdateStatement statement, RawDocument constants) {
    if (statement.multi() && !statement.sort().isEmpty()) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "Cannot specify sort with multi=true");
    }
    if (constants != null && statement.update().isDocument()) {
      throw new CommandException(
          ErrorCode.CONSTANTS_WITHOUT_PIPELINE,
          "Constant values may only be specified for pipeline updates");
    }
  }

  static RawValue updateValue(ArgumentReader reader) {
    RawValue update = reader.value();
    if (!update.isDocument() && !update.isArray()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Update argument must be either an object or an array");
    }
    return update;
  }
}
