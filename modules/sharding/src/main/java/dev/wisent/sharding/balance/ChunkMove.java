package dev.wisent.sharding.balance;

import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ChunkRange;

/**
 * A migration.
 *
 * @param range a chunk, or the part of it that is in a zone
 * @param chunkBytes the size of the collection's chunks
 * @param bytes how much moves at most: of a larger range its beginning
 * @param forceJumbo whether it moves also if it is too large and cannot be split
 */
public record ChunkMove(
    Namespace namespace,
    ChunkRange range,
    String from,
    String to,
    long chunkBytes,
    long bytes,
    boolean forceJumbo,
    MoveReason reason) {}
