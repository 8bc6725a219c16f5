package dev.wisent.conformance.fake;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
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
import java.util.List;
import java.util.UUID;

/** Definitions of collections in memory. Indexes are listed, and find nothing. Thread-safe. */
final class FakeDefinitions implements Definitions {
  private final FakeStore store;

  FakeDefinitions(FakeStore store) {
    this.store = store;
  }

  @Override
  public CollectionInfo find(Namespace namespace) {
    return store.locked(
        () -> {
          FakeCollection collection = store.find(namespace);
          return collection == null
              ? null
              : new CollectionInfo(
                  namespace, collection.uuid, collection.options, collection.indexes.getFirst());
        });
  }

  @Override
  public List<String> databases() {
    return store.locked(
        () ->
            store.collections().keySet().stream()
                .map(Namespace::database)
                .distinct()
                .sorted()
                .toList());
  }

  @Override
  public List<CollectionInfo> collections(String database) {
    return store.locked(
        () ->
            store.collections().keySet().stream()
                .filter(namespace -> namespace.database().equals(database))
                .map(this::find)
                .toList());
  }

  @Override
  public List<IndexInfo> indexes(Namespace namespace) {
    return store.locked(
        () -> {
          FakeCollection collection = store.find(namespace);
          return collection == null
              ? null
              : collection.indexes.stream().map(spec -> new IndexInfo(spec, false, null)).toList();
        });
  }

  @Override
  public Namespace named(String database, UUID uuid) {
    return collections(database).stream()
        .filter(collection -> collection.uuid().equals(uuid))
        .map(CollectionInfo::namespace)
        .findFirst()
        .orElse(null);
  }

  @Override
  public ChangeOutcome create(OperationContext operation, CreateRequest request) {
    for (String option : List.of("viewOn", "capped", "validator", "timeseries")) {
      if (request.options().get(option) != null) {
        throw FakeStore.refused("the option " + option);
      }
    }
    return store.locked(
        () -> {
          FakeCollection existing = store.find(request.namespace());
          if (existing == null) {
            store
                .collections()
                .put(request.namespace(), new FakeCollection(request.uuid(), request.options()));
          } else if (!existing.options.equals(request.options())) {
            throw new CommandException(
                ErrorCode.NAMESPACE_EXISTS,
                "namespace " + request.namespace() + " already exists with other options");
          }
          return ChangeOutcome.DONE;
        });
  }

  @Override
  public DropOutcome drop(OperationContext operation, Namespace namespace) {
    return store.locked(
        () -> {
          FakeCollection dropped = store.collections().remove(namespace);
          return dropped == null
              ? DropOutcome.NOTHING
              : new DropOutcome(true, dropped.indexes.size(), ChangeOutcome.DONE);
        });
  }

  @Override
  public void checkDropDatabase(String database) {
    // All may be dropped.
  }

  @Override
  public DropOutcome dropDatabase(OperationContext operation, String database) {
    return store.locked(
        () ->
            store.collections().keySet().removeIf(name -> name.database().equals(database))
                ? new DropOutcome(true, null, ChangeOutcome.DONE)
                : DropOutcome.NOTHING);
  }

  @Override
  public ChangeOutcome rename(OperationContext operation, RenameRequest request) {
    return store.locked(
        () -> {
          FakeCollection renamed = store.require(request.from());
          if (store.find(request.to()) != null && !request.dropTarget()) {
            throw new CommandException(ErrorCode.NAMESPACE_EXISTS, "target namespace exists");
          }
          store.collections().remove(request.from());
          store.collections().put(request.to(), renamed);
          return ChangeOutcome.DONE;
        });
  }

  @Override
  public CreateIndexesOutcome createIndexes(
      OperationContext operation, CreateIndexesRequest request) {
    for (RawDocument index : request.indexes()) {
      if (index.get("unique") != null) {
        throw FakeStore.refused("a unique index");
      }
    }
    return store.locked(
        () -> {
          boolean isNew = store.find(request.namespace()) == null;
          List<RawDocument> indexes = store.findOrCreate(request.namespace()).indexes;
          int before = indexes.size();
          request.indexes().stream()
              .filter(index -> !indexes.contains(index))
              .map(FakeCollection::copy)
              .forEach(indexes::add);
          return new CreateIndexesOutcome(before, indexes.size(), isNew, ChangeOutcome.DONE);
        });
  }

  @Override
  public DropOutcome dropIndexes(OperationContext operation, DropIndexesRequest request) {
    return store.locked(
        () -> {
          List<RawDocument> indexes = store.require(request.namespace()).indexes;
          int before = indexes.size();
          indexes.subList(1, before).removeIf(index -> isChosen(index, request));
          return new DropOutcome(true, before, ChangeOutcome.DONE);
        });
  }

  private static boolean isChosen(RawDocument index, DropIndexesRequest request) {
    return request.isAll()
        || (request.names() == null
            ? index.get("key").asDocument().equals(request.key())
            : request.names().contains(index.get("name").asString()));
  }

  @Override
  public CollModOutcome modify(OperationContext operation, CollModRequest request) {
    throw FakeStore.refused("collMod");
  }

  @Override
  public ChangeOutcome modifyView(OperationContext operation, ViewModRequest request) {
    throw FakeStore.refused("collMod");
  }

  @Override
  public ChangeOutcome copyCapped(OperationContext operation, CappedCopyRequest request) {
    throw FakeStore.refused("a capped collection");
  }

  @Override
  public ReIndexOutcome reIndex(OperationContext operation, Namespace namespace) {
    throw FakeStore.refused("reIndex");
  }
}
