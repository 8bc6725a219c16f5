package dev.wisent.operation.definition;

import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.List;
import java.util.UUID;

/**
 * What commands do with collections, views and databases as such. A node binds it to its catalog, a
 * router to the catalogs of shards. Changes are visible to all readers when the methods return.
 */
public interface Definitions {
  /** The collection or view of this name; null if there is none. */
  CollectionInfo find(Namespace namespace);

  /** The names of the databases that have a collection, sorted. */
  List<String> databases();

  /** The collections of a database by name, then its views. */
  List<CollectionInfo> collections(String database);

  /**
   * The indexes of a collection, then those that are being built; null if there is no collection.
   * Fails for a view.
   */
  List<IndexInfo> indexes(Namespace namespace);

  /** The name of the collection with this UUID in a database; null if there is none. */
  Namespace named(String database, UUID uuid);

  /** Creates a collection or view; nothing happens where it is there with the same options. */
  ChangeOutcome create(OperationContext operation, CreateRequest request);

  /** Drops a collection or view; nothing happens where there is none. */
  DropOutcome drop(OperationContext operation, Namespace namespace);

  /** Fails for a database that must not be dropped. */
  void checkDropDatabase(String database);

  /** Drops all collections of a database. */
  DropOutcome dropDatabase(OperationContext operation, String database);

  ChangeOutcome rename(OperationContext operation, RenameRequest request);

  /** Changes a collection and one of its indexes. */
  CollModOutcome modify(OperationContext operation, CollModRequest request);

  ChangeOutcome modifyView(OperationContext operation, ViewModRequest request);

  /** Copies a collection into a new capped one, or makes it capped. */
  ChangeOutcome copyCapped(OperationContext operation, CappedCopyRequest request);

  /** Creates indexes, without those that are there already. */
  CreateIndexesOutcome createIndexes(OperationContext operation, CreateIndexesRequest request);

  /** Drops indexes; the outcome has how many there were. */
  DropOutcome dropIndexes(OperationContext operation, DropIndexesRequest request);

  /** Writes all indexes of a collection anew; its writers wait meanwhile. */
  ReIndexOutcome reIndex(OperationContext operation, Namespace namespace);
}
