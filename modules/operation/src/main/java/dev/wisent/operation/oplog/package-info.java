/**
 * What commands ask of the oplog, by value: {@link dev.wisent.operation.oplog.OplogControl}, its
 * limits and the entries that clients have applied. Only a member of a replica set keeps an oplog.
 */
package dev.wisent.operation.oplog;
