package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import java.util.List;

/**
 * Reads an update, whose arguments {@code update} and {@code bulkWrite} call by different names.
 *
 * @param path what stands before names in errors
 * @param namespace the argument that names the collection; null if there is none
 */
record UpdateStatements(
    String path, String namespace, String query, String update, String constants) {
  /** An entry of {@code update.updates}. */
  static final UpdateStatements OF_UPDATE =
      new UpdateStatements("update.updates", null, "q", "u", "c");

  /** An update of {@code bulkWrite.ops}. */
  static final UpdateStatements OF_BULK_WRITE =
      new UpdateStatements("bulkWrite.ops.update", "update", "filter", "updateMods", "constants");

  UpdateStatement parse(RawDocument statement) {
    RawDocument filter = null;
    RawValue change = null;
    boolean multi = false;
    boolean upsert = false;
    List<RawDocument> arrayFilters = List.of();
    RawDocument sort = RawDocument.EMPTY;
    RawValue hint = null;
    CollationChoice collation = CollationChoice.INHERITED;
    RawDocument values = null;
    ArgumentReader reader = ArgumentReader.of(path, statement);
    while (reader.next()) {
      String name = reader.name();
      switch (name) {
        case "multi" -> multi = reader.strictBool();
        case "upsert" -> upsert = reader.strictBool();
        case "arrayFilters" -> arrayFilters = reader.documents();
        case "sort" -> sort = NaturalOrder.checkSort(reader.document());
        case "hint" -> hint = Hints.check(reader);
        case "collation" -> collation = reader.collation();
        default -> {
          if (name.equals(query)) {
            filter = reader.document();
          } else if (name.equals(update)) {
            change = updateValue(reader);
          } else if (name.equals(constants)) {
            values = reader.document();
          } else if (name.equals(namespace)) {
            reader.wholeNumber();
          } else {
            reader.unknown();
          }
        }
      }
    }
    if (filter == null) {
      throw ArgumentTypes.missing(path + "." + query);
    }
    if (change == null) {
      throw ArgumentTypes.missing(path + "." + update);
    }
    var parsed =
        new UpdateStatement(
            filter,
            change,
            multi,
            upsert,
            arrayFilters,
            sort,
            hint,
            values == null ? RawDocument.EMPTY : values,
            collation);
    checkTogether(parsed, values);
    return parsed;
  }

  /** What an update's arguments must not be beside each other; {@code values} may be null. */
  private static void checkTogether(UpdateStatement statement, RawDocument values) {
    if (statement.multi() && !statement.sort().isEmpty()) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "Cannot specify sort with multi=true");
    }
    if (values != null && statement.update().isDocument()) {
      throw new CommandException(
          ErrorCode.CONSTANTS_WITHOUT_PIPELINE,
          "Constant values may only be specified for pipeline updates");
    }
  }

  static RawValue updateValue(ArgumentReader reader) {
    RawValue value = reader.value();
    if (!value.isDocument() && !value.isArray()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Update argument must be either an object or an array");
    }
    return value;
  }
}
