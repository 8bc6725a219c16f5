package dev.wisent.database.exec;

/**
 * Keys of one index from {@code lower}, inclusive, to {@code upper}, exclusive; idents included.
 */
record ByteRange(byte[] lower, byte[] upper) {}
