/**
 * Deletes the documents of ranges that this shard has given away. {@link
 * dev.wisent.cluster.shard.range.RangeDeleter} runs on the primary and takes its tasks from {@code
 * config.rangeDeletions}; {@link dev.wisent.cluster.shard.range.RangeDeletions} waits for their
 * end.
 *
 * <p><b>Format.</b> {@code config.rangeDeletions}, as in MongoDB: {@code {_id: migration, nss,
 * collectionUuid, donorShardId, range: {min, max}, whenToClean: "now" | "delayed", numOrphanDocs,
 * pending, processing}}. A task with {@code pending} waits for the outcome of its migration.
 *
 * <p><b>Rule H2.</b> A task only says where to look: a document is deleted if the tables say in the
 * same unit that this shard does not own it. So a task that outlives its reason does no harm, and
 * the deletion can be begun anew at any time.
 *
 * <p>Documents of a range that comes back are not owned yet. They stay, too: a migration says that
 * it is under way before its first document comes ({@link
 * dev.wisent.database.ownership.IncomingRanges}), and sees itself to what was there before.
 *
 * <p><b>Threading.</b> One loop deletes; what waits for it is thread-safe.
 */
package dev.wisent.cluster.shard.range;
