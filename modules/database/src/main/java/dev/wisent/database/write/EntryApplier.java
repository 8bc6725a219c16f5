package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.write.UpdateExecutor.Changed;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.oplog.OplogOperation;
import dev.wisent.query.update.DiffUpdate;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateParser;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Does to documents what entries of an oplog say. Doing it again changes nothing. Validators are
 * not asked: what is in an oplog has been accepted once.
 */
public final class EntryApplier {
  private static final long MODIFIERS_VERSION = 1;
  private static final long DIFF_VERSION = 2;

  private final WriteAccess access;
  private final InsertExecutor inserts;
  private final UpdateExecutor updates;
  private final DeleteExecutor deletes;

  public EntryApplier(
      WriteAccess access, InsertExecutor inserts, UpdateExecutor updates, DeleteExecutor deletes) {
    this.access = access;
    this.inserts = inserts;
    this.updates = updates;
    this.deletes = deletes;
  }

  /** Applies an entry that is about one document. */
  public void apply(OplogOperation entry, OperationContext operation) {
    Namespace namespace = namespace(entry);
    if (access.catalog().find(namespace) == null) {
      if (entry.kind() == OplogOperation.Kind.DELETE) {
        return;
      }
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND,
          "cannot apply insert or update operation on a non-existent namespace " + namespace);
    }
    switch (entry.kind()) {
      case INSERT -> insert(namespace, entry.what(), operation);
      case UPDATE -> update(namespace, entry, operation);
      case DELETE ->
          deletes.deleteOne(
              namespace,
              new DeleteStatement(id(entry.what()), false, null),
              RawDocument.EMPTY,
              operation);
      case COMMAND, NOTHING ->
          throw new IllegalArgumentException("not about a document: " + entry.kind());
    }
  }

  private Namespace namespace(OplogOperation entry) {
    UUID uuid = entry.uuid();
    if (uuid == null) {
      return entry.namespace();
    }
    for (Collection collection : access.catalog().inDatabase(entry.namespace().database())) {
      if (collection.definition().uuid().equals(uuid)) {
        return collection.namespace();
      }
    }
    throw new CommandException(
        ErrorCode.NAMESPACE_NOT_FOUND,
        "No namespace with UUID " + uuid + " in database " + entry.namespace().database());
  }

  /** A document that is there already becomes this one. */
  private void insert(Namespace namespace, RawDocument document, OperationContext operation) {
    var request = new InsertRequest(namespace, List.of(document), true, true);
    var failures = inserts.insert(operation, request).failures();
    if (failures.isEmpty()) {
      return;
    }
    CommandException error = failures.getFirst().error();
    if (!(error instanceof DuplicateKeyException) || document.get("_id") == null) {
      throw error;
    }
    Update replacement =
        UpdateParser.parse(RawValue.ofDocument(document), List.of(), access.context());
    UpdateStatement statement = statement(id(document), document, false);
    if (updates.updateOne(namespace, statement, replacement, true, operation) == Changed.NOTHING) {
      // It is another document that has one of its keys.
      throw error;
    }
  }

  private void update(Namespace namespace, OplogOperation entry, OperationContext operation) {
    Update update = update(entry.what());
    UpdateStatement statement = statement(id(entry.which()), entry.what(), entry.upsert());
    Changed changed = updates.updateOne(namespace, statement, update, true, operation);
    if (changed.before() != null) {
      return;
    }
    if (!entry.upsert() || update instanceof DiffUpdate) {
      throw new CommandException(
          ErrorCode.UPDATE_OPERATION_FAILED,
          "Failed to apply update: there is no document " + entry.which());
    }
    updates.upsert(namespace, statement, update, true, operation);
  }

  private Update update(RawDocument what) {
    RawValue version = what.get("$v");
    if (version == null) {
      return UpdateParser.parse(RawValue.ofDocument(what), List.of(), access.context());
    }
    long number = version.isNumber() ? version.toLong() : 0;
    RawValue diff = what.get("diff");
    if (number == DIFF_VERSION && diff != null && diff.isDocument()) {
      return new DiffUpdate(diff.asDocument());
    }
    if (number == MODIFIERS_VERSION) {
      return UpdateParser.parse(
          RawValue.ofDocument(what.without(Set.of("$v"))), List.of(), access.context());
    }
    throw new CommandException(
        ErrorCode.FAILED_TO_PARSE, "Unrecognized value for '$v' field: " + version);
  }

  private static UpdateStatement statement(RawDocument query, RawDocument update, boolean upsert) {
    return new UpdateStatement(
        query, RawValue.ofDocument(update), false, upsert, List.of(), RawDocument.EMPTY, null);
  }

  private static RawDocument id(RawDocument document) {
    RawValue id = document.get("_id");
    if (id == null) {
      throw new CommandException(
          ErrorCode.NO_SUCH_KEY, "Failed to apply operation due to missing _id: " + document);
    }
    return new BsonBuilder().append("_id", id).toDocument();
  }
}
