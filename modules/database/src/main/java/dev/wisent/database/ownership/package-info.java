/**
 * What this node owns as a shard of a cluster. {@link dev.wisent.database.ownership.ShardTables} is
 * read from ordinary, replicated collections of the {@code config} database, so that every member
 * has what belongs to the state that it has applied; {@link
 * dev.wisent.database.ownership.Ownership} keeps it as long as those do not change.
 *
 * <p><b>Format.</b> {@code config.shard.catalog.databases}: {@code {_id: database, version}} for
 * the databases that this shard is the primary of. {@code config.shard.catalog.collections}: {@code
 * {_id: namespace, uuid, key, unique, defaultCollation, epoch, timestamp, lastmod}}. {@code
 * config.shard.catalog.chunks}: {@code {_id: {ns, min}, max}}, the ranges that this shard owns,
 * merged. {@code config.shard.catalog.blocks}: {@code {_id: {ns, id}}}, what may not be written.
 * {@code config.shard.catalog.moves}: {@code {_id: migration, ns, move}}, ranges that come or have
 * gone, until the config servers know of it. {@code config.shard.catalog.generation}: {@code {_id:
 * "generation", n}}, a number that each change of databases, collections and chunks increases. One
 * entry of the log changes what belongs together.
 *
 * <p><b>Rule H15.</b> The table of a read is that of the state which it reads: the generation in
 * that state says whether the newest tables are its tables.
 *
 * <p><b>Rule H9.</b> A cursor that was opened before a range was given away ends in the state from
 * before that: {@link dev.wisent.database.ownership.CursorStates}.
 *
 * <p><b>Threading.</b> Tables are immutable; the rest is thread-safe.
 */
package dev.wisent.database.ownership;
