package dev.wisent.operation.diagnostic;

import java.util.UUID;

/**
 * What a collection contains, as a number that is the same on every member with the same documents.
 *
 * @param md5 in hexadecimal digits
 */
public record CollectionDigest(String name, UUID uuid, boolean capped, String md5) {}
