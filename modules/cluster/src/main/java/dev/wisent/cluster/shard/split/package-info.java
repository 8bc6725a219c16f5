/**
 * Splits the chunks of this shard that have grown. {@link
 * dev.wisent.cluster.shard.split.ChunkSplitter} runs on the primary: it learns from {@link
 * dev.wisent.database.ownership.WriteSamples} which chunks were written, measures those by their
 * keys, and has the config servers split what is too large.
 *
 * <p><b>Threading.</b> One loop; the rest belongs to it.
 */
package dev.wisent.cluster.shard.split;
