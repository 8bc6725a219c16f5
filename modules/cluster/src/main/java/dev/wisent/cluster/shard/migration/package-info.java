/**
 * Migrations of ranges, as the two shards of each have them. {@link
 * dev.wisent.cluster.shard.migration.Donor} has the range and drives everything: it sends the
 * documents in the order of their shard keys, then what was changed meanwhile, and, while writers
 * wait for a moment, the rest. Then it gives the range up, which decides the migration. {@link
 * dev.wisent.cluster.shard.migration.Recipient} takes documents, which no reader sees before it
 * owns them, and owns them as soon as it hears of the decision. The coordinator on the config
 * servers begins and ends both; between the two it is not needed.
 *
 * <p><b>Rules.</b> H1: the entry of the donor's log that gives the range up is the only decision.
 * H2: no write of the collection is under way while that entry is made. H13: what a migration
 * writes never touches a document that the shard owns.
 *
 * <p><b>Threading.</b> The classes with state are thread-safe; a donation is used by one thread at
 * a time.
 */
package dev.wisent.cluster.shard.migration;
