package dev.wisent.cluster.config.metadata;

import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.coordinator.RunOutcome;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandRequest;
import java.util.UUID;

/**
 * What came of requests that changed metadata, by the keys that routers give them. The answer of a
 * primary that has lost its term may get lost; the router asks the next one, which finds it here.
 */
public final class KeptOutcomes {
  public static final String COLLECTION = "system.sharding_ddl_outcomes";

  /** A generic argument of MongoDB's commands. */
  private static final String KEY = "clientOperationKey";

  /** With its length and subtype. */
  private static final int UUID_VALUE_BYTES = 21;

  private final CatalogStore store;

  public KeptOutcomes(CatalogStore store) {
    this.store = store;
  }

  /** The key of a request; null if it has none. */
  public static UUID keyOf(CommandRequest request) {
    RawValue key = request.body().get(KEY);
    return key != null && key.type() == ElementType.BINARY && key.length() == UUID_VALUE_BYTES
        ? key.asUuid()
        : null;
  }

  /** What a change keeps of its request; null where that has no key. */
  public static RawDocument of(CommandRequest request, long wallMillis, RawDocument result) {
    UUID key = keyOf(request);
    return key == null ? null : RunOutcome.succeeded(key, wallMillis, result);
  }

  /** Null where none is known. */
  public RawDocument find(OperationContext operation, UUID key) {
    return store.findOne(operation, COLLECTION, DocumentFields.byId(RawValue.ofUuid(key)));
  }
}
