package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.PlainValues;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.sharding.StaleConfigException;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps what a router writes to the shard keys that this shard owns. Writes of direct connections
 * and of collections that are not sharded are not restricted. For one thread.
 */
final class KeyGuard {
  private final OwnedRanges owned; // null where nothing is restricted
  private final List<OwnedRanges> restrictions; // a document has to be in all of them
  private final OwnedKeys left; // what a migration does not touch; null for any other write
  private final OperationContext operation;

  KeyGuard(Namespace namespace, Ownership ownership, OperationContext operation) {
    this.owned = ownership.forOperation(namespace, operation);
    this.restrictions = OperationState.restrictions(operation);
    OwnedRanges here = OperationState.isOfMigration(operation) ? ownership.owned(namespace) : null;
    this.left = here == null ? null : new OwnedKeys(here);
    this.operation = operation;
  }

  /**
   * Whether a document counts. For a router one that is not owned does not exist, and for a
   * migration one that is owned (rules H8, H13).
   */
  boolean owns(RawDocument document) {
    if (left != null) {
      return !left.has(document);
    }
    return (owned == null || owned.owns(document)) && isInAll(document);
  }

  private boolean isInAll(RawDocument document) {
    for (OwnedRanges each : restrictions) {
      if (!each.owns(document)) {
        return false;
      }
    }
    return true;
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

  /**
   * Checks whether an update may change the shard key as it does, by the rules of MongoDB.
   *
   * @return whether the document moves to another shard
   */
  boolean checkUpdate(UpdateStatement statement, RawDocument before, RawDocument after) {
    if (owned == null) {
      return false;
    }
    byte[] key = newKey(after);
    if (Arrays.equals(key, owned.key().encodedKeyOf(before))) {
      return false;
    }
    if (statement.multi()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Multi-update operations are not allowed when updating the shard key field.");
    }
    if (operation.retryableWrite() == null && TransactionWrites.of(operation) == null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Must run update to shard key field in a multi-statement transaction or with"
              + " retryWrites: true.");
    }
    if (owned.owns(key)) {
      return false;
    }
    if (OperationState.moves(operation) == null) {
      throw new CommandException(
          ErrorCode.WOULD_CHANGE_OWNING_SHARD,
          "This update would cause the doc to change owning shards");
    }
    return true;
  }

  private byte[] newKey(RawDocument after) {
    try {
      return owned.key().encodedKeyOf(after);
    } catch (CommandException e) {
      throw withArray(after, e);
    }
  }

  private CommandException withArray(RawDocument after, CommandException error) {
    for (KeyPattern.Field field : owned.key().fields()) {
      RawValue value = PlainValues.valueOrArray(after, field.path());
      if (value != null && value.isArray()) {
        return new CommandException(
            ErrorCode.NOT_SINGLE_VALUE_FIELD,
            "After applying the update to the document, the field '"
                + field.path().dotted()
                + "' was found to be an array or array descendant.");
      }
    }
    return error;
  }
}
