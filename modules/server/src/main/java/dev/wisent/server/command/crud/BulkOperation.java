package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;

/** One entry of {@code bulkWrite.ops}. */
sealed interface BulkOperation {
  int namespaceIndex();

  record Insert(int namespaceIndex, RawDocument document) implements BulkOperation {}

  record Update(int namespaceIndex, UpdateStatement statement) implements BulkOperation {}

  record Delete(int namespaceIndex, DeleteStatement statement) implements BulkOperation {}

  static BulkOperation parse(RawDocument entry) {
    ElementCursor first = entry.elements();
    String kind = first.next() ? first.name() : "";
    return switch (kind) {
      case "insert" -> parseInsert(entry);
      case "update" -> parseUpdate(entry);
      case "delete" -> parseDelete(entry);
      default ->
          throw new CommandException(
              ErrorCode.BAD_VALUE, "Unrecognized bulkWrite operation type: '" + kind + "'");
    };
  }

  private static Insert parseInsert(RawDocument entry) {
    int namespace = -1;
    RawDocument document = null;
    ArgumentReader reader = ArgumentReader.of("bulkWrite.ops.insert", entry);
    while (reader.next()) {
      switch (reader.name()) {
        case "insert" -> namespace = (int) reader.wholeNumber();
        case "document" -> document = reader.document();
        default -> reader.unknown();
      }
    }
    if (document == null) {
      throw ArgumentTypes.missing("bulkWrite.ops.insert.document");
    }
    return new Insert(namespace, document);
  }

  private static Update parseUpdate(RawDocument entry) {
    UpdateStatement statement = UpdateStatements.OF_BULK_WRITE.parse(entry);
    return new Update(namespaceIndex(entry.get("update")), statement);
  }

  private static Delete parseDelete(RawDocument entry) {
    DeleteStatement statement = DeleteStatements.OF_BULK_WRITE.parse(entry);
    return new Delete(namespaceIndex(entry.get("delete")), statement);
  }

  private static int namespaceIndex(RawValue checked) {
    return checked.isNullish() ? -1 : (int) checked.toLong();
  }
}
