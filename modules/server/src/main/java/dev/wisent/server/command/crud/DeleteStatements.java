package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;

/**
 * Reads a delete, whose arguments {@code delete} and {@code bulkWrite} call by different names.
 *
 * @param path what stands before names in errors
 * @param namespace the argument that names the collection; null if there is none
 * @param limit the argument that must say how many documents are deleted; null where {@code multi}
 *     may say it
 */
record DeleteStatements(String path, String namespace, String query, String limit) {
  /** An entry of {@code delete.deletes}. */
  static final DeleteStatements OF_DELETE =
      new DeleteStatements("delete.deletes", null, "q", "limit");

  /** A delete of {@code bulkWrite.ops}. */
  static final DeleteStatements OF_BULK_WRITE =
      new DeleteStatements("bulkWrite.ops.delete", "delete", "filter", null);

  DeleteStatement parse(RawDocument statement) {
    RawDocument filter = null;
    Boolean multi = limit == null ? false : null;
    RawValue hint = null;
    CollationChoice collation = CollationChoice.INHERITED;
    ArgumentReader reader = ArgumentReader.of(path, statement);
    while (reader.next()) {
      String name = reader.name();
      if (name.equals(query)) {
        filter = reader.document();
      } else if (name.equals(limit)) {
        multi = isUnlimited(reader.wholeNumber());
      } else if (name.equals("multi") && limit == null) {
        multi = reader.strictBool();
      } else if (name.equals("hint")) {
        hint = Hints.check(reader);
      } else if (name.equals("collation")) {
        collation = reader.collation();
      } else if (name.equals(namespace)) {
        reader.wholeNumber();
      } else {
        reader.unknown();
      }
    }
    if (filter == null) {
      throw ArgumentTypes.missing(path + "." + query);
    }
    if (multi == null) {
      throw ArgumentTypes.missing(path + "." + limit);
    }
    return new DeleteStatement(filter, multi, hint, collation);
  }

  private static boolean isUnlimited(long limit) {
    if (limit != 0 && limit != 1) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "The limit field in delete objects must be 0 or 1. Got " + limit);
    }
    return limit == 0;
  }
}
