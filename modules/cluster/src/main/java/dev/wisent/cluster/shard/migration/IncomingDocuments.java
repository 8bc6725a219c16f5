package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.MigrationFigures.Figure;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.WriteOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes documents of a range that this shard does not own yet. The oplog marks them; documents
 * that the shard owns are left alone (rule H13). Thread-safe.
 */
final class IncomingDocuments {
  private static final int CLEARED_TOGETHER = 1000;

  private final Operations documents;
  private final MigrationFigures figures;

  IncomingDocuments(Operations documents, MigrationFigures figures) {
    this.documents = documents;
    this.figures = figures;
  }

  /** Deletes what an earlier migration has left of a range. */
  void clear(OperationContext operation, Namespace namespace, RangeDocuments range) {
    while (true) {
      operation.checkNow();
      List<RawDocument> found =
          range.first(operation, CLEARED_TOGETHER).stream().map(IncomingDocuments::idOf).toList();
      if (found.isEmpty() || delete(operation, namespace, found) == 0) {
        return;
      }
    }
  }

  private static RawDocument idOf(RawDocument document) {
    return DocumentFields.byId(document.get("_id"));
  }

  /** Deletes documents that have come; returns how many there were. */
  long remove(OperationContext operation, Namespace namespace, List<RawDocument> given) {
    return delete(operation, namespace, given.stream().map(IncomingDocuments::idOf).toList());
  }

  /** Deletes documents by filters for their {@code _id}; returns how many there were. */
  long delete(OperationContext operation, Namespace namespace, List<RawDocument> ids) {
    if (ids.isEmpty()) {
      return 0;
    }
    OperationState.ofMigration(operation);
    var statements = ids.stream().map(id -> new DeleteStatement(id, false, null)).toList();
    WriteOutcome outcome =
        documents.delete(operation, new DeleteRequest(namespace, statements, true));
    requireDone(outcome);
    return outcome.matched();
  }

  /**
   * Inserts documents; one that is there already is replaced, unless this shard owns it. Returns by
   * how many there are more.
   *
   * @param late whether they were changed after the first copy
   */
  long insert(
      OperationContext operation, Namespace namespace, List<RawDocument> given, boolean late) {
    OperationState.ofMigration(operation);
    List<RawDocument> there = tryInsert(operation, namespace, given);
    long replaced = 0;
    if (!there.isEmpty()) {
      replaced = remove(operation, namespace, there);
      WriteOutcome again =
          documents.insert(operation, new InsertRequest(namespace, there, true, true));
      if (!again.failures().isEmpty()) {
        throw conflict(namespace, again.failures().getFirst().error());
      }
    }
    long bytes = given.stream().mapToLong(RawDocument::length).sum();
    figures.add(late ? Figure.DOCUMENTS_CAUGHT_UP : Figure.DOCUMENTS_RECEIVED, given.size());
    figures.add(late ? Figure.BYTES_CAUGHT_UP : Figure.BYTES_RECEIVED, bytes);
    return given.size() - replaced;
  }

  /** Those whose {@code _id}, or another unique key, is taken. */
  private List<RawDocument> tryInsert(
      OperationContext operation, Namespace namespace, List<RawDocument> given) {
    var there = new ArrayList<RawDocument>();
    WriteOutcome outcome =
        documents.insert(operation, new InsertRequest(namespace, given, false, true));
    for (WriteOutcome.Failure failure : outcome.failures()) {
      if (failure.error().code() != ErrorCode.DUPLICATE_KEY) {
        throw failure.error();
      }
      there.add(given.get(failure.index()));
    }
    return there;
  }

  private static CommandException conflict(Namespace namespace, CommandException error) {
    if (error.code() != ErrorCode.DUPLICATE_KEY) {
      return error;
    }
    return new CommandException(
        ErrorCode.DUPLICATE_KEY,
        "A document of the range cannot be moved: the recipient owns another document of "
            + namespace
            + " with the same unique key :: caused by :: "
            + error.getMessage());
  }

  private static void requireDone(WriteOutcome outcome) {
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
  }
}
