package dev.wisent.server.profile;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.List;

/** The capped collections {@code system.profile}, one for each database that is profiled. */
public final class ProfileCollection {
  private static final int BYTES_MAX = 1 << 20;
  private static final RawDocument OPTIONS =
      new BsonBuilder().appendBoolean("capped", true).appendInt32("size", BYTES_MAX).toDocument();

  private final LocalDatabase database;

  public ProfileCollection(NodeDatabase node) {
    this.database = node.own();
  }

  /** Makes the collection of a database if there is none; a user may have made a larger one. */
  public void prepare(String name, OperationContext operation) {
    Namespace namespace = Namespace.profileOf(name);
    database
        .changes()
        .exclusively(
            operation,
            () -> {
              Collection existing = database.catalog().find(namespace);
              if (existing == null) {
                database.changes().create(namespace, OPTIONS, operation);
              } else if (!existing.definition().isCapped()) {
                throw new CommandException(
                    ErrorCode.OPERATION_FAILED, namespace + " exists but isn't capped");
              }
              return null;
            });
  }

  void add(String name, RawDocument entry, OperationContext operation) {
    Namespace namespace = Namespace.profileOf(name);
    if (database.catalog().find(namespace) == null) {
      prepare(name, operation);
    }
    var failures =
        database
            .insert(operation, new InsertRequest(namespace, List.of(entry), true, true))
            .failures();
    if (!failures.isEmpty()) {
      throw failures.getFirst().error();
    }
  }

  /** Whether {@code fsync} has locked writes out: an entry is not worth waiting for. */
  boolean isLocked() {
    return database.writeGate().lockCount() > 0;
  }
}
