package dev.wisent.storage;

import java.nio.charset.StandardCharsets;

/**
 * The fixed key spaces of a node, one RocksDB column family each.
 *
 * <p>The ids are part of the stored format: a {@link Mutation} names a keyspace by id, so they must
 * be the same on every node and for ever. Id 0 is RocksDB's own default family, which stays empty.
 */
public enum Keyspace {
  /** Collections, indexes and their counters. */
  CATALOG(1, "catalog"),
  /** Document bytes by ident and RecordId. */
  RECORDS(2, "records"),
  /** Index entries by ident and encoded key. */
  INDEX(3, "index"),
  /** Oplog entries by timestamp. */
  OPLOG(4, "oplog"),
  /** Applied log position, replica-set state, retryable-write records. */
  SYSTEM(5, "system");

  private final int id;
  private final String familyName;

  Keyspace(int id, String familyName) {
    this.id = id;
    this.familyName = familyName;
  }

  /** The column family id, as it appears in serialized mutations. */
  public int id() {
    return id;
  }

  /** The name of the column family, also used in {@link StorageEngine#properties()}. */
  public String familyName() {
    return familyName;
  }

  byte[] familyNameBytes() {
    return familyName.getBytes(StandardCharsets.UTF_8);
  }
}
