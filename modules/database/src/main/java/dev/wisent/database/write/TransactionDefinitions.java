package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.IndexConflicts;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.PreparedCollections;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The collections that a transaction creates. Two transactions do not create the same name; that
 * another write has created it shows at the commit. For one thread at a time.
 */
public final class TransactionDefinitions {
  /** No collection and no index has it: names are latched under it. */
  private static final int NAMES_IDENT = 0;

  private final WriteAccess access;
  private final PreparedCollections prepared;
  private final LatchTable.Holder latches;
  private final Map<Namespace, Collection> created = new LinkedHashMap<>();

  TransactionDefinitions(
      WriteAccess access, PreparedCollections prepared, LatchTable.Holder latches) {
    this.access = access;
    this.prepared = prepared;
    this.latches = latches;
  }

  /** The collection that the transaction has created under a name; null if it has not. */
  Collection find(Namespace namespace) {
    return created.isEmpty() ? null : created.get(namespace);
  }

  boolean isEmpty() {
    return created.isEmpty();
  }

  List<Collection> created() {
    return List.copyOf(created.values());
  }

  PreparedCollections prepared() {
    return prepared;
  }

  /**
   * Creates a collection with checked options.
   *
   * @param uuid null for a new one
   */
  public Collection create(
      Namespace namespace, RawDocument options, UUID uuid, OperationContext operation) {
    if (options.get("capped") != null && options.get("capped").isTruthy()) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Cannot create a capped collection in a multi-document transaction.");
    }
    byte[] name = namespace.full().getBytes(StandardCharsets.UTF_8);
    LatchTable.Conflict held = latches.latchKey(NAMES_IDENT, name);
    if (held != null) {
      throw held.isWith(latches) ? exists(namespace) : Conflicts.writeConflict();
    }
    Collection collection =
        prepared.create(namespace, options, uuid, operation, () -> taken(namespace, operation));
    created.put(namespace, collection);
    return collection;
  }

  /** A collection that came after the snapshot is a conflict. */
  private CommandException taken(Namespace namespace, OperationContext operation) {
    boolean later =
        access.catalog().find(namespace, operation) == null
            && access.catalog().find(namespace) != null;
    return later ? Conflicts.writeConflict() : exists(namespace);
  }

  private static CommandException exists(Namespace namespace) {
    return new CommandException(
        ErrorCode.NAMESPACE_EXISTS, "namespace " + namespace + " already exists");
  }

  /**
   * Adds indexes to a collection that the transaction has created, or creates it; returns whether
   * it did.
   */
  public boolean createIndexes(
      Namespace namespace, List<RawDocument> specs, OperationContext operation) {
    Collection existing = access.catalog().find(namespace, operation);
    boolean isNew = existing == null;
    if (isNew) {
      access.views().refuse(namespace);
      IndexConflicts.checkFirst(namespace, specs);
    }
    Collection collection =
        isNew ? create(namespace, RawDocument.EMPTY, null, operation) : existing;
    List<RawDocument> missing = PreparedCollections.missing(collection, specs);
    if (!missing.isEmpty()) {
      requireNew(collection, operation);
      prepared.addIndexes(collection, missing, operation);
    }
    return isNew;
  }

  private void requireNew(Collection collection, OperationContext operation) {
    boolean own = created.containsValue(collection);
    if (!own || TransactionWrites.of(operation).in(collection).counters().documents() != 0) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Cannot create new indexes on "
              + (own ? "non-empty" : "existing")
              + " collection "
              + collection.namespace()
              + " in a multi-document transaction.");
    }
  }
}
