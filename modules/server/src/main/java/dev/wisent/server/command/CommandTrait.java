package dev.wisent.server.command;

/** Something that holds of some commands. */
public enum CommandTrait {
  /** Runs against the admin database only. */
  ADMIN_ONLY,
  /** Finds out what a node does that has no room left, or makes room: always served. */
  RELIEF,
  /** Takes a write concern. */
  WRITE_CONCERN,
  /** Tells in a replica set when its last write happened. */
  OP_TIME,
  /** May be sent again under the same transaction number without a second effect. */
  RETRYABLE_WRITE,
  /** Takes the UUID of a collection in place of its name. */
  COLLECTION_BY_UUID,
  /** Takes {@code collectionUUID}. */
  COLLECTION_UUID,
  /** Its large arguments are documents, which stay bytes. */
  ARGUMENTS_STAY_BYTES
}
