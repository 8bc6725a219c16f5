package dev.wisent.database.plan;

/**
 * Keys of one index from {@code lower}, inclusive, to {@code upper}, exclusive; idents included.
 */
public record ByteRange(byte[] lower, byte[] upper) {}
