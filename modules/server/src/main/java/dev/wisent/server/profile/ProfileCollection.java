package dev.wisent.server.profile;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.CreateRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.diagnostic.NodeStore;
import java.util.List;

/** The capped collections {@code system.profile}, one for each database that is profiled. */
public final class ProfileCollection {
  private static final int BYTES_MAX = 1 << 20;
  private static final RawDocument OPTIONS =
      new BsonBuilder().appendBoolean("capped", true).appendInt32("size", BYTES_MAX).toDocument();

  private final Operations operations;
  private final Definitions definitions;
  private final NodeStore store;

  public ProfileCollection(Operations operations, Definitions definitions, NodeStore store) {
    this.operations = operations;
    this.definitions = definitions;
    this.store = store;
  }

  /** Makes the collection of a database if there is none; a user may have made a larger one. */
  public void prepare(String name, OperationContext operation) {
    if (store.readOnly().isPresent()) {
      throw store.readOnly().get();
    }
    Namespace namespace = Namespace.profileOf(name);
    if (definitions.find(namespace) == null) {
      create(namespace, operation);
    }
    CollectionInfo existing = definitions.find(namespace);
    if (existing != null && !isCapped(existing)) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED, namespace + " exists but isn't capped");
    }
  }

  /** Another operation may create it meanwhile. */
  private void create(Namespace namespace, OperationContext operation) {
    try {
      definitions.create(operation, new CreateRequest(namespace, OPTIONS, null));
    } catch (CommandException e) {
      if (e.code() != ErrorCode.NAMESPACE_EXISTS) {
        throw e;
      }
    }
  }

  private static boolean isCapped(CollectionInfo collection) {
    RawValue capped = collection.options().get("capped");
    return capped != null && capped.isTruthy();
  }

  void add(String name, RawDocument entry, OperationContext operation) {
    Namespace namespace = Namespace.profileOf(name);
    if (definitions.find(namespace) == null) {
      prepare(name, operation);
    }
    var failures =
        operations
            .insert(operation, new InsertRequest(namespace, List.of(entry), true, true))
            .failures();
    if (!failures.isEmpty()) {
      throw failures.getFirst().error();
    }
  }

  /** Whether {@code fsync} has locked writes out: an entry is not worth waiting for. */
  boolean isLocked() {
    return store.areWritesLocked();
  }
}
