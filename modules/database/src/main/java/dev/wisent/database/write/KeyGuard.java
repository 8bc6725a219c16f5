package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.sharding.StaleConfigException;
import java.util.Arrays;

/**
 * Keeps what a router writes to the shard keys that this shard owns. Writes of direct connections
 * and of collections that are not sharded are not restricted. For one thread.
 */
final class KeyGuard {
  private final OwnedRanges owned; // null where nothing is restricted
  private final OperationContext operation;

  KeyGuard(Namespace namespace, Ownership ownership, OperationContext operation) {
    this.owned = ownership.forOperation(namespace, operation);
    this.operation = operation;
  }

  /** Whether a document counts; one that is not owned is there for no router. */
  boolean owns(RawDocument document) {
    return owned == null || owned.owns(document);
  }

  void checkInsert(RawDocument document) {
    if (owned != null && !owned.owns(owned.key().encodedKeyOf(document))) {
      RequestVersions routed = OperationState.routed(operation);
      throw new StaleConfigException(
          "this shard does not own the shard key of a document for " + owned.namespace(),
          owned.namespace(),
          routed.of(owned.namespace()),
          owned.version(),
          routed.shard());
    }
  }

  /** Checks whether an update may change the shard key as it does, by the rules of MongoDB. */
  void checkUpdate(UpdateStatement statement, RawDocument before, RawDocument after) {
    if (owned == null) {
      return;
    }
    byte[] key = owned.key().encodedKeyOf(after);
    if (Arrays.equals(key, owned.key().encodedKeyOf(before))) {
      return;
    }
    if (statement.multi()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Multi-update operations are not allowed when updating the shard key field.");
    }
    if (owned.key().encodedKeyOfEquality(statement.query(), null) == null) {
      throw new CommandException(
          ErrorCode.SHARD_KEY_UPDATE_WITHOUT_KEY,
          "Shard key update is not allowed without specifying the full shard key in the query");
    }
    if (operation.retryableWrite() == null && TransactionWrites.of(operation) == null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Must run update to shard key field in a multi-statement transaction or with"
              + " retryWrites: true.");
    }
    if (!owned.owns(key)) {
      throw new CommandException(
          ErrorCode.WOULD_CHANGE_OWNING_SHARD,
          "This update would cause the doc to change owning shards");
    }
  }
}
