package dev.wisent.database.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Collection.BuildingIndex;
import dev.wisent.database.collection.PreImages;
import dev.wisent.database.index.Index;
import dev.wisent.database.view.ViewDefinition;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.operation.definition.CappedCopyRequest;
import dev.wisent.operation.definition.ChangeOutcome;
import dev.wisent.operation.definition.CollModOutcome;
import dev.wisent.operation.definition.CollModRequest;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.CreateIndexesOutcome;
import dev.wisent.operation.definition.CreateIndexesRequest;
import dev.wisent.operation.definition.CreateRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.DropIndexesRequest;
import dev.wisent.operation.definition.DropOutcome;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.operation.definition.ReIndexOutcome;
import dev.wisent.operation.definition.RenameRequest;
import dev.wisent.operation.definition.ViewModRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The definitions of a node's collections and views. Thread-safe. */
public final class NodeDefinitions implements Definitions {
  private final NodeDatabase database;

  public NodeDefinitions(NodeDatabase database) {
    this.database = database;
  }

  @Override
  public CollectionInfo find(Namespace namespace) {
    Collection collection = database.collection(namespace);
    if (collection != null) {
      return info(collection);
    }
    ViewDefinition view = database.views(namespace).find(namespace);
    return view == null ? null : info(view);
  }

  private static CollectionInfo info(ViewDefinition view) {
    return new CollectionInfo(view.namespace(), null, view.options(), null);
  }

  private static CollectionInfo info(Collection collection) {
    CollectionDefinition definition = collection.definition();
    boolean hasIdIndex = !definition.isClustered() && collection.hasIdIndex();
    return new CollectionInfo(
        collection.namespace(),
        definition.uuid(),
        definition.options(),
        hasIdIndex ? collection.idIndex().definition().spec() : null);
  }

  @Override
  public List<String> databases() {
    return database.databases();
  }

  @Override
  public List<CollectionInfo> collections(String name) {
    return Stream.concat(
            database.inDatabase(name).stream().map(NodeDefinitions::info),
            database.viewsIn(name).stream().map(NodeDefinitions::info))
        .toList();
  }

  @Override
  public List<IndexInfo> indexes(Namespace namespace) {
    Collection collection = database.collection(namespace);
    if (collection == null) {
      database.views(namespace).refuse(namespace);
      return null;
    }
    // Taken first: one that is done meanwhile is left out below, and is not missed.
    List<BuildingIndex> building = collection.buildingIndexes();
    var names = new HashSet<String>();
    var indexes = new ArrayList<IndexInfo>();
    for (Index index : collection.indexes()) {
      names.add(index.name());
      indexes.add(new IndexInfo(index.definition().spec(), index.isMultikey(), null));
    }
    for (BuildingIndex index : building) {
      if (names.add(index.definition().name())) {
        indexes.add(new IndexInfo(index.definition().spec(), false, index.build()));
      }
    }
    return indexes;
  }

  @Override
  public Namespace named(String name, UUID uuid) {
    return database.inDatabase(name).stream()
        .filter(collection -> collection.definition().uuid().equals(uuid))
        .map(Collection::namespace)
        .findFirst()
        .orElse(null);
  }

  @Override
  public ChangeOutcome create(OperationContext operation, CreateRequest request) {
    Namespace namespace = request.namespace();
    ViewDefinition view = ViewOptions.view(namespace, request.options());
    TransactionWrites transaction = TransactionWrites.of(operation);
    if (transaction != null && view == null && database.collection(namespace) == null) {
      transaction.definitions().create(namespace, request.options(), request.uuid(), operation);
      return ChangeOutcome.DONE;
    }
    if (transaction != null && view != null) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Cannot create a view in a multi-document transaction.");
    }
    ViewDefinition existingView = database.views(namespace).find(namespace);
    if (existingView != null) {
      ViewOptions.checkSame(existingView, view);
      return ChangeOutcome.DONE;
    }
    Collection existing = database.collection(namespace);
    if (existing != null) {
      CollectionOptions.checkSame(existing.definition(), request.options());
    } else if (view != null) {
      database.viewChanges(namespace).create(view, operation);
    } else if (request.uuid() == null) {
      database.changes(namespace).create(namespace, request.options(), operation);
    } else {
      database.changes(namespace).create(namespace, request.options(), request.uuid(), operation);
    }
    return ChangeOutcome.DONE;
  }

  @Override
  public DropOutcome drop(OperationContext operation, Namespace namespace) {
    Collection collection = database.collection(namespace);
    if (collection == null) {
      if (database.views(namespace).find(namespace) == null) {
        return DropOutcome.NOTHING;
      }
      database.viewChanges(namespace).drop(namespace, operation);
      return new DropOutcome(true, null, ChangeOutcome.DONE);
    }
    SystemNamespaces.checkDrop(namespace);
    int indexes = collection.indexes().size();
    database.changes(namespace).drop(collection, operation);
    return new DropOutcome(true, indexes, ChangeOutcome.DONE);
  }

  @Override
  public void checkDropDatabase(String name) {
    if (name.equals("admin")) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Dropping the 'admin' database is prohibited.");
    }
    if (name.equals("local") && database.shared().catalog().oplog() != null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Cannot drop 'local' database while replication is active");
    }
    if (name.equals(PreImages.NAMESPACE.database())
        && database.collection(PreImages.NAMESPACE) != null) {
      SystemNamespaces.checkDrop(PreImages.NAMESPACE);
    }
  }

  @Override
  public DropOutcome dropDatabase(OperationContext operation, String name) {
    List<Collection> collections = database.inDatabase(name);
    if (collections.isEmpty()) {
      return DropOutcome.NOTHING;
    }
    for (Collection collection : collections) {
      database.changes(collection.namespace()).drop(collection, operation);
    }
    database.shared().oplogNotes().databaseDropped(name, operation);
    return new DropOutcome(true, null, ChangeOutcome.DONE);
  }

  @Override
  public ChangeOutcome rename(OperationContext operation, RenameRequest request) {
    if (database.of(request.from()) != database.of(request.to())) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Cannot rename collections between a replicated and an unreplicated database");
    }
    database
        .changes(request.from())
        .exclusively(
            operation,
            () -> {
              renameExclusively(operation, request);
              return null;
            });
    return ChangeOutcome.DONE;
  }

  private void renameExclusively(OperationContext operation, RenameRequest request) {
    Namespace from = request.from();
    Namespace to = request.to();
    Collection source = database.collection(from);
    if (source == null) {
      if (database.views(from).find(from) != null) {
        throw new CommandException(
            ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, "cannot rename view: " + from);
      }
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "Source collection " + from + " does not exist");
    }
    Collection target = database.collection(to);
    if (database.views(to).find(to) != null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS, "a view already exists with that name: " + to);
    }
    if (target != null && !request.dropTarget()) {
      throw new CommandException(ErrorCode.NAMESPACE_EXISTS, "target namespace exists");
    }
    database.changes(from).rename(source, to, target, operation);
  }

  @Override
  public CollModOutcome modify(OperationContext operation, CollModRequest request) {
    Namespace namespace = request.namespace();
    var indexes =
        new ShardKeyIndexRules(database.of(namespace).ownership().keyOfIndexes(namespace));
    var modifier =
        new CollectionModifier(database.changes(namespace), database.require(namespace), indexes);
    return new CollModOutcome(modifier.modify(request, operation), ChangeOutcome.DONE);
  }

  /** Each of the two options replaces its own half of the definition. */
  @Override
  public ChangeOutcome modifyView(OperationContext operation, ViewModRequest request) {
    database
        .viewChanges(request.namespace())
        .modify(
            request.namespace(),
            current ->
                current.with(
                    request.on() == null ? current.on() : request.on(),
                    request.pipeline() == null ? current.pipeline() : request.pipeline()),
            operation);
    return ChangeOutcome.DONE;
  }

  @Override
  public ChangeOutcome copyCapped(OperationContext operation, CappedCopyRequest request) {
    LocalDatabase part = database.of(request.from());
    var copy = new CappedCopy(part, operation);
    part.changes()
        .exclusively(
            operation,
            () -> {
              if (request.to() == null) {
                copy.convert(request.from(), request.limits());
              } else {
                copy.cloneTo(request.from(), request.to(), request.limits());
              }
              return null;
            });
    return ChangeOutcome.DONE;
  }

  @Override
  public CreateIndexesOutcome createIndexes(
      OperationContext operation, CreateIndexesRequest request) {
    return indexes(request.namespace(), operation).create(request);
  }

  @Override
  public DropOutcome dropIndexes(OperationContext operation, DropIndexesRequest request) {
    return indexes(request.namespace(), operation).drop(request);
  }

  @Override
  public ReIndexOutcome reIndex(OperationContext operation, Namespace namespace) {
    return indexes(namespace, operation).rewrite(namespace);
  }

  private IndexDefinitions indexes(Namespace namespace, OperationContext operation) {
    return new IndexDefinitions(database.of(namespace), operation);
  }
}
