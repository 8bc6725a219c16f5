package dev.wisent.operation.diagnostic;

/**
 * Sums over the collections of a database.
 *
 * @param storageBytes approximate size of the records on disk
 * @param indexBytes approximate size of the indexes on disk
 */
public record DatabaseFigures(
    long collections,
    long views,
    long documents,
    long dataBytes,
    long storageBytes,
    long indexes,
    long indexBytes) {}
