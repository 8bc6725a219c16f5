package dev.wisent.tools.restore;

import dev.wisent.tools.format.CollectionMetadata;

/**
 * A collection of a dump.
 *
 * @param metadata with defaults where the dump has none
 * @param bytes how large its data is in the dump; 0 where that is not known
 * @param hasDocuments whether there is data, not only metadata
 */
record DumpedCollection(
    String database, String name, CollectionMetadata metadata, long bytes, boolean hasDocuments) {
  String namespace() {
    return database + "." + name;
  }

  boolean isUsers() {
    return database.equals("admin") && name.equals("system.users");
  }

  boolean isRoles() {
    return database.equals("admin") && name.equals("system.roles");
  }
}
