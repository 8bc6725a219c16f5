package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;

/**
 * What is to change about an index. What is null stays.
 *
 * @param name null where the key pattern says which index
 * @param keyPattern null where the name says which index
 * @param unique whether it becomes unique; none becomes the contrary
 */
public record IndexModification(
    String name,
    RawDocument keyPattern,
    Integer expireAfterSeconds,
    Boolean hidden,
    Boolean prepareUnique,
    boolean unique) {
  /** Whether this is about nothing but making the index unique, which can be tried out first. */
  public boolean isUniqueOnly() {
    return unique && expireAfterSeconds == null && hidden == null && prepareUnique == null;
  }
}
