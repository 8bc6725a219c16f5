package dev.wisent.database;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.read.PipelineRun;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.database.view.ViewChanges;
import dev.wisent.database.view.ViewDefinition;
import dev.wisent.database.view.Views;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.PipelineSources;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.query.collation.Collation;
import dev.wisent.storage.StorageEngine;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All collections of a node: those that a replica set has in common, and those that are not
 * replicated. The latter lie in a second store with its own log, which no copy of another member's
 * data replaces; they can be written in every state of the member. A standalone makes no difference
 * between the two. Thread-safe.
 */
public final class NodeDatabase implements Operations {
  private final LocalDatabase shared;
  private final LocalDatabase unreplicated;

  /** Keeps what others write from being applied here, or ends that. */
  private final Consumer<Boolean> hold;

  private final Object standstill = new Object();
  private boolean still; // guarded by standstill

  private NodeDatabase(LocalDatabase shared, LocalDatabase unreplicated, Consumer<Boolean> hold) {
    this.shared = shared;
    this.unreplicated = unreplicated;
    this.hold = hold;
  }

  public static NodeDatabase standalone(LocalDatabase database) {
    return new NodeDatabase(database, database, on -> {});
  }

  /**
   * @param hold keeps what others write from being applied here, or ends that
   */
  public static NodeDatabase member(
      LocalDatabase shared, LocalDatabase unreplicated, Consumer<Boolean> hold) {
    var node = new NodeDatabase(shared, unreplicated, hold);
    node.parts().forEach(part -> part.partOf(node));
    return node;
  }

  /** Says who makes the documents of pipelines that report on the server. */
  public void sources(PipelineSources sources) {
    parts().forEach(part -> part.sources(sources));
  }

  /** What a replica set has in common; on a standalone everything. */
  public LocalDatabase shared() {
    return shared;
  }

  /** What is not replicated; on a standalone everything. */
  public LocalDatabase unreplicated() {
    return unreplicated;
  }

  /** Where the collections of this name are. */
  public LocalDatabase of(Namespace namespace) {
    return namespace.isNodeLocal() ? unreplicated : shared;
  }

  /** The collection of this name; null if there is none. */
  public Collection collection(Namespace namespace) {
    return of(namespace).catalog().find(namespace);
  }

  public Collection require(Namespace namespace) {
    return of(namespace).catalog().require(namespace);
  }

  public CatalogChanges changes(Namespace namespace) {
    return of(namespace).changes();
  }

  public Views views(Namespace namespace) {
    return of(namespace).views();
  }

  public ViewChanges viewChanges(Namespace namespace) {
    return of(namespace).viewChanges();
  }

  /** The views of a database, by name. */
  public List<ViewDefinition> viewsIn(String database) {
    return views(Views.collectionOf(database)).inDatabase(database);
  }

  public StorageEngine storage(Collection collection) {
    return of(collection.namespace()).storage();
  }

  /** All stores. */
  public List<LocalDatabase> parts() {
    return shared == unreplicated ? List.of(shared) : List.of(shared, unreplicated);
  }

  /** Names of databases that have a collection, sorted. */
  public List<String> databases() {
    return parts().stream()
        .flatMap(part -> shown(part, part.catalog().all()))
        .map(collection -> collection.namespace().database())
        .distinct()
        .sorted()
        .toList();
  }

  /** The collections of a database, by name. */
  public List<Collection> inDatabase(String name) {
    return parts().stream()
        .flatMap(part -> shown(part, part.catalog().inDatabase(name)))
        .sorted(Comparator.comparing(collection -> collection.namespace().collection()))
        .toList();
  }

  /** Without those that can be found nowhere, for they belong into the other store. */
  private Stream<Collection> shown(LocalDatabase part, List<Collection> collections) {
    return collections.stream().filter(collection -> of(collection.namespace()) == part);
  }

  /** Has everything that is written by now on disk, outside of logs. */
  public void flush() {
    synchronized (standstill) {
      // A node that stands still has that, and its log would be asked in vain.
      if (!still) {
        parts().forEach(LocalDatabase::flush);
      }
    }
  }

  /**
   * Keeps writes out, has everything on disk and leaves all files of the stores as they are, also
   * where other members write; returns how many such locks there are.
   */
  public int lockWrites(OperationContext operation, long timeoutMillis) {
    int count = shared.writeGate().lock(operation, timeoutMillis);
    if (unreplicated != shared) {
      try {
        unreplicated.writeGate().lock(operation, timeoutMillis);
      } catch (CommandException e) {
        shared.writeGate().unlock();
        throw e;
      }
    }
    try {
      standStill();
    } catch (RuntimeException e) {
      unlockWrites();
      throw e;
    }
    return count;
  }

  private void standStill() {
    synchronized (standstill) {
      if (!still) {
        flush();
        still = true;
        hold.accept(true);
        parts().forEach(part -> part.storage().standStill());
      }
    }
  }

  /** Takes one lock back; returns how many are left, or -1 if there was none. */
  public int unlockWrites() {
    synchronized (standstill) {
      if (still && shared.writeGate().lockCount() == 1) {
        goOn();
      }
    }
    if (unreplicated != shared) {
      unreplicated.writeGate().unlock();
    }
    return shared.writeGate().unlock();
  }

  /** Ends a standstill, whatever locks there are: the node is about to close. */
  public void goOn() {
    synchronized (standstill) {
      if (still) {
        still = false;
        parts().forEach(part -> part.storage().goOn());
        hold.accept(false);
      }
    }
  }

  /** States of the past are known of what the members have in common. */
  private LocalDatabase readable(Namespace namespace, OperationContext operation) {
    LocalDatabase part = of(namespace);
    if (part != shared && operation.readPoint() != null) {
      throw ReadState.notReplicated(namespace);
    }
    return part;
  }

  @Override
  public Collation collation(OperationContext operation, Namespace namespace) {
    return of(namespace).collation(operation, namespace);
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    return readable(request.namespace(), operation).find(operation, request);
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    return readable(request.namespace(), operation).aggregate(operation, request);
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    return of(request.namespace()).count(operation, request);
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    return readable(request.namespace(), operation).distinct(operation, request);
  }

  @Override
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    return of(request.request().namespace()).explain(operation, request);
  }

  /** What the stages of a pipeline use that begins with other documents. */
  public PipelineRun stages(OperationContext operation, Namespace namespace) {
    return of(namespace).stages(operation, namespace);
  }

  @Override
  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    LocalDatabase part = of(request.namespace());
    return write(part, operation, () -> part.insert(operation, request));
  }

  @Override
  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    LocalDatabase part = of(request.namespace());
    return write(part, operation, () -> part.update(operation, request));
  }

  @Override
  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    LocalDatabase part = of(request.namespace());
    return write(part, operation, () -> part.delete(operation, request));
  }

  @Override
  public FindAndModifyOutcome findAndModify(
      OperationContext operation, FindAndModifyRequest request) {
    LocalDatabase part = of(request.namespace());
    return write(part, operation, () -> part.findAndModify(operation, request));
  }

  /**
   * The records of retryable writes are for those who fail over to another member. What is not
   * replicated is written without, as in MongoDB: sent again, it is done again.
   */
  private <T> T write(LocalDatabase part, OperationContext operation, Supplier<T> write) {
    RetryableWrite retryable = operation.retryableWrite();
    if (part == shared || retryable == null) {
      return write.get();
    }
    operation.retryableWrite(null);
    try {
      return write.get();
    } finally {
      operation.retryableWrite(retryable);
    }
  }

  @Override
  public Object version(Namespace namespace) {
    return of(namespace).version(namespace);
  }

  @Override
  public void awaitDurable(OperationContext operation) {
    shared.awaitDurable(operation);
  }
}
