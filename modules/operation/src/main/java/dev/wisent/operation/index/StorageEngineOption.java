package dev.wisent.operation.index;

import static dev.wisent.operation.index.IndexKeyCheck.cannotCreate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;

/** The option {@code storageEngine} of an index: there is no engine that takes options. */
final class StorageEngineOption {
  private StorageEngineOption() {}

  static void check(RawValue value) {
    if (!value.isDocument()) {
      throw cannotCreate("\"storageEngine\" options must be a document if present");
    }
    ElementCursor engines = value.elements();
    if (!engines.next()) {
      throw cannotCreate(
          "Empty \"storageEngine\" options are invalid. Please remove the field or include valid"
              + " options.");
    }
    throw new CommandException(
        ErrorCode.INVALID_OPTIONS,
        engines.name() + " is not a registered storage engine for this server");
  }
}
