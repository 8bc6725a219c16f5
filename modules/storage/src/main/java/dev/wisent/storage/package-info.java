/**
 * The store of one node, on RocksDB.
 *
 * <p>{@link dev.wisent.storage.StorageEngine} opens a data directory and reads it, at its newest
 * state or at that of a {@link dev.wisent.storage.Snapshot} (both are a {@link
 * dev.wisent.storage.ReadView}), key by key or with a {@link dev.wisent.storage.KeyValueCursor}.
 * Changes are collected by a {@link dev.wisent.storage.MutationBuilder} and made permanent by a
 * {@link dev.wisent.storage.CommitLog}; {@link dev.wisent.storage.LocalCommitLog} is that of a
 * standalone node. Only entries of idents that no reader can see yet may come in past the log,
 * sorted by an {@link dev.wisent.storage.EntrySorter} and as files: {@link
 * dev.wisent.storage.SstIngest}.
 *
 * <p><b>Bytes.</b> A data directory holds {@code wisent.format} (the format version), {@code
 * wisent.lock} (the owner's process id), {@code _tmp/} (files that do not outlive the process),
 * {@code _backup/} ({@link dev.wisent.storage.ServedCheckpoints} that are being copied) and {@code
 * data/}, a RocksDB database with one column family per {@link dev.wisent.storage.Keyspace}. Keys
 * in the records and index keyspaces begin with a 4-byte big-endian ident; record keys go on with
 * an 8-byte big-endian RecordId ({@link dev.wisent.storage.RecordKeys}). Counters are 8 bytes,
 * little endian, two's complement. Oplog entries are under their timestamp, 8 bytes big endian.
 * Documents before changes are records whose RecordIds are timestamps, too ({@link
 * dev.wisent.storage.PreImage}). A mutation is a serialized RocksDB write batch, so that the same
 * bytes can be logged, replicated and applied.
 *
 * <p><b>Replicated.</b> With {@link dev.wisent.storage.StorageOptions#withReplicatedLog()} a log
 * that others keep, too, takes the place of the store's own: {@link
 * dev.wisent.storage.StorageEngine#apply} notes the log's position in the same step as the changes,
 * flushes are atomic across keyspaces, {@code data/wisent.applied} says how far readers have seen
 * the log applied, and all contents can be replaced by those of another member.
 *
 * <p><b>Threads.</b> Engine, snapshots and logs may be used by many threads; builders and cursors
 * by one at a time. The only thread of this package's own is the journal thread of the local log.
 * Native memory is used only between enter and exit of the engine's guard, so closing the engine
 * while others use it is safe: they get {@link dev.wisent.storage.StorageException.Kind#CLOSED}.
 *
 * <p><b>Forbidden.</b> RocksDB's types do not appear in the public API of this package, and no
 * class else imports them.
 */
package dev.wisent.storage;
