package dev.wisent.database.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.IndexConflicts;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.definition.ChangeOutcome;
import dev.wisent.operation.definition.CreateIndexesOutcome;
import dev.wisent.operation.definition.CreateIndexesRequest;
import dev.wisent.operation.definition.DropIndexesRequest;
import dev.wisent.operation.definition.DropOutcome;
import dev.wisent.operation.definition.ReIndexOutcome;
import java.util.List;

/** Creates, drops and rewrites the indexes of collections. */
record IndexDefinitions(LocalDatabase part, OperationContext operation) {
  private ShardKeyIndexRules shardKeyRules(Namespace namespace) {
    return new ShardKeyIndexRules(part.ownership().keyOfIndexes(namespace));
  }

  CreateIndexesOutcome create(CreateIndexesRequest request) {
    Namespace namespace = request.namespace();
    shardKeyRules(namespace).checkCreate(request.indexes());
    TransactionWrites transaction = TransactionWrites.of(operation);
    if (transaction != null) {
      return create(request, transaction);
    }
    boolean isNew = part.catalog().find(namespace) == null;
    if (isNew) {
      part.views().refuse(namespace);
      // What cannot be created leaves no collection behind.
      IndexConflicts.checkFirst(namespace, request.indexes());
    }
    Collection collection = part.changes().findOrCreate(namespace, operation);
    CatalogChanges.IndexCounts counts =
        part.changes().addIndexes(collection, request.indexes(), operation);
    return new CreateIndexesOutcome(counts.before(), counts.after(), isNew, ChangeOutcome.DONE);
  }

  private CreateIndexesOutcome create(CreateIndexesRequest request, TransactionWrites transaction) {
    Namespace namespace = request.namespace();
    Collection before = part.catalog().find(namespace, operation);
    int indexesBefore = before == null ? 1 : before.indexes().size();
    boolean isNew =
        transaction.definitions().createIndexes(namespace, request.indexes(), operation);
    int indexesAfter = part.catalog().find(namespace, operation).indexes().size();
    return new CreateIndexesOutcome(indexesBefore, indexesAfter, isNew, ChangeOutcome.DONE);
  }

  DropOutcome drop(DropIndexesRequest request) {
    Collection collection = part.catalog().find(request.namespace());
    if (collection == null) {
      part.views().refuse(request.namespace());
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "ns not found " + request.namespace());
    }
    ShardKeyIndexRules rules = shardKeyRules(request.namespace());
    int before =
        part.changes()
            .dropIndexes(
                collection,
                definition -> {
                  if (request.isAll()) {
                    return all(definition, rules);
                  }
                  List<IndexDefinition> chosen = chosen(definition, request);
                  rules.checkDrop(definition, chosen);
                  return chosen;
                },
                operation);
    return new DropOutcome(true, before, ChangeOutcome.DONE);
  }

  private static List<IndexDefinition> all(
      CollectionDefinition collection, ShardKeyIndexRules rules) {
    return collection.indexes().stream()
        .filter(index -> !index.isId() && !rules.keeps(index))
        .toList();
  }

  private static List<IndexDefinition> chosen(
      CollectionDefinition collection, DropIndexesRequest request) {
    List<IndexDefinition> chosen =
        request.names() == null
            ? List.of(IndexByKey.find(collection, request.key(), "can't find index with key: "))
            : request.names().stream().map(name -> byName(collection, name)).toList();
    for (IndexDefinition index : chosen) {
      if (index.isId()) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            collection.isClustered() ? "cannot drop the clusteredIndex" : "cannot drop _id index");
      }
    }
    return chosen;
  }

  private static IndexDefinition byName(CollectionDefinition collection, String name) {
    return collection
        .index(name)
        .orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.INDEX_NOT_FOUND, "index not found with name [" + name + "]"));
  }

  ReIndexOutcome rewrite(Namespace namespace) {
    Collection collection = part.catalog().find(namespace);
    if (collection == null) {
      part.views().refuse(namespace, "can't re-index a view");
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "collection does not exist");
    }
    part.changes().reindex(collection, operation);
    List<RawDocument> specs =
        collection.indexes().stream().map(index -> index.definition().spec()).toList();
    return new ReIndexOutcome(specs, ChangeOutcome.DONE);
  }
}
