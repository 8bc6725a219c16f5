package dev.wisent.operation.transaction;

/**
 * What a transaction of several shards has prepared on this one, where its outcome is not known.
 *
 * @param coordinator the shard that knows the outcome; null where that was not told
 * @param preparedAt as the 64 bits of a BSON timestamp
 */
public record PreparedPart(TransactionId id, String coordinator, long preparedAt) {}
