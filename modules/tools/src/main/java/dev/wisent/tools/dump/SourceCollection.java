package dev.wisent.tools.dump;

import dev.wisent.tools.format.CollectionMetadata;
import org.bson.BsonDocument;

/**
 * A collection, or a part of one, that is to be dumped.
 *
 * @param target under which database it is written; empty for the oplog
 * @param targetName under which name
 * @param filter which of its documents
 * @param estimated how many documents it has, about
 * @param withDocuments whether more than the metadata is written
 * @param inSnapshot whether it is read at the time of the dump
 */
record SourceCollection(
    String database,
    String name,
    String target,
    String targetName,
    CollectionMetadata metadata,
    BsonDocument filter,
    long estimated,
    boolean withDocuments,
    boolean inSnapshot) {
  @Override
  public String toString() {
    return database + "." + name;
  }

  boolean isOplog() {
    return target.isEmpty();
  }
}
