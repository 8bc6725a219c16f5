package dev.wisent.database.collection;

import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.CatalogChanges.IndexCounts;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Builds of indexes: begins and commits them under the locks of catalog changes, and runs what is
 * between under none, but few at a time.
 */
final class IndexBuilds {
  private static final int WAIT_MILLIS = 50;

  private final StorageEngine storage;
  private final CommitLog log;
  private final CatalogChanges changes;
  private final CatalogWriter writer;
  private final WriteGate gate;
  private final Supplier<UUID> uuids;
  private final Semaphore running = new Semaphore(Limits.INDEX_BUILDS_MAX);
  private volatile IndexBuildListener listener = IndexBuildListener.NOBODY;

  IndexBuilds(
      StorageEngine storage,
      CommitLog log,
      CatalogChanges changes,
      CatalogWriter writer,
      WriteGate gate,
      Supplier<UUID> uuids) {
    this.storage = storage;
    this.log = log;
    this.changes = changes;
    this.writer = writer;
    this.gate = gate;
    this.uuids = uuids;
  }

  void listener(IndexBuildListener newListener) {
    listener = newListener;
  }

  /** Adds indexes to a collection, those that it has already left out. */
  IndexCounts add(Collection collection, List<RawDocument> specs, OperationContext operation) {
    while (true) {
      Begin begin =
          changes.changing(collection, operation, () -> begin(collection, specs, operation));
      if (begin.inTheWay == null) {
        if (begin.started != null) {
          run(collection, begin.started);
        }
        return new IndexCounts(begin.before, begin.before + begin.added);
      }
      begin.inTheWay.awaitEnd(operation);
    }
  }

  /**
   * What came of the attempt to begin.
   *
   * @param before how many indexes there were
   * @param added how many are new
   * @param started what builds them; null if that is done
   * @param inTheWay a build of a similar index; what is missing shows when it has ended
   */
  private record Begin(int before, int added, IndexBuild started, IndexBuild inTheWay) {}

  private Begin begin(Collection collection, List<RawDocument> specs, OperationContext operation) {
    int before = collection.indexes().size();
    CollectionDefinition definition = collection.definition();
    List<RawDocument> missing =
        IndexConflicts.missing(definition, IndexConflicts.stored(definition, specs));
    for (IndexBuild other : collection.builds()) {
      if (missing.stream().anyMatch(other::isInTheWayOf)) {
        return new Begin(before, 0, null, other);
      }
    }
    IndexConflicts.missing(collection.definitionWithBuilding(), missing);
    if (missing.isEmpty()) {
      return new Begin(before, 0, null, null);
    }
    IndexBuild build = newBuild(collection, missing, operation);
    if (build.isSmall()) {
      runLocked(build, () -> publish(collection, build));
      return new Begin(before, missing.size(), null, null);
    }
    begin(build);
    collection.addBuild(uuids.get(), build);
    return new Begin(before, missing.size(), build, null);
  }

  private IndexBuild newBuild(
      Collection collection, List<RawDocument> specs, OperationContext operation) {
    var build =
        new IndexBuild(
            storage, collection, new BuildBatch(log, gate, operation), operation, listener);
    // Two for each, though only unique ones use both: one mutation takes them all.
    int ident = writer.takeIdents(2 * specs.size(), operation);
    for (RawDocument spec : specs) {
      build.add(new IndexDefinition(ident, spec.detached()), ident + 1);
      ident += 2;
    }
    return build;
  }

  private static void begin(IndexBuild build) {
    try {
      build.begin();
    } catch (RuntimeException e) {
      build.close();
      throw e;
    }
  }

  /**
   * Writes indexes anew, with other specifications or the same. The caller holds the locks of
   * catalog changes, so that all other changes wait for as long as it takes.
   */
  void rebuildLocked(
      Collection collection,
      List<IndexDefinition> old,
      Function<IndexDefinition, RawDocument> spec,
      OperationContext operation) {
    IndexBuild build = newBuild(collection, old.stream().map(spec).toList(), operation);
    runLocked(
        build,
        () -> {
          CollectionDefinition changed = collection.definition();
          var mutation = new MutationBuilder();
          for (int i = 0; i < old.size(); i++) {
            changed = changed.withIndex(old.get(i), build.definitions().get(i));
            CatalogWriter.dropIndex(mutation, old.get(i).ident());
          }
          publish(collection, changed, build, mutation);
        });
  }

  private void runLocked(IndexBuild build, Runnable publication) {
    try (build) {
      build.runLocked();
      publication.run();
    } catch (RuntimeException | Error e) {
      discard(build);
      throw e;
    }
  }

  private void run(Collection collection, IndexBuild build) {
    OperationContext operation = build.operation();
    long start = operation.clock().monotonicNanos();
    listener.started(collection.namespace(), build.definitions());
    try (build) {
      fill(build);
      listener.filled(operation);
      build.catchUp();
      changes.changing(
          collection,
          operation,
          () -> {
            build.finishLocked();
            publish(collection, build);
            return null;
          });
    } catch (RuntimeException | Error e) {
      discard(build);
      listener.failed(collection.namespace(), build.definitions(), e);
      throw e;
    } finally {
      collection.removeBuild(build);
      build.ended();
    }
    listener.done(
        collection.namespace(),
        build.definitions(),
        TimeUnit.NANOSECONDS.toMillis(operation.clock().monotonicNanos() - start));
  }

  private void fill(IndexBuild build) {
    try {
      while (!running.tryAcquire(WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        build.operation().checkNow();
      }
    } catch (InterruptedException e) {
      throw build.operation().threadInterrupted();
    }
    try {
      build.fill();
    } finally {
      running.release();
    }
  }

  private void publish(Collection collection, IndexBuild build) {
    var definitions = new ArrayList<>(collection.definition().indexes());
    definitions.addAll(build.definitions());
    publish(
        collection, collection.definition().withIndexes(definitions), build, new MutationBuilder());
  }

  private void publish(
      Collection collection,
      CollectionDefinition changed,
      IndexBuild build,
      MutationBuilder mutation) {
    var open = new ArrayList<>(collection.indexes());
    open.addAll(build.indexes());
    build.publishing();
    changes.publish(collection, changed, open, mutation, build.operation());
  }

  private void discard(IndexBuild build) {
    // When publishing fails, the definition may have been stored all the same.
    if (!build.isPublishing()) {
      writer.discard(build.idents());
    }
  }

  /** Ends all builds of a collection and waits until they are over. */
  static void abortAll(Collection collection, String reason, OperationContext operation) {
    List<IndexBuild> builds = collection.builds();
    builds.forEach(build -> build.abort(reason));
    builds.forEach(build -> build.awaitEnd(operation));
  }

  /**
   * Ends the builds of these indexes and waits until they are over. One that builds others besides
   * is in the way instead: it ends as a whole or not at all.
   *
   * @return whether one of them was being built
   */
  static boolean abort(
      Collection collection,
      List<IndexDefinition> chosen,
      String reason,
      OperationContext operation) {
    List<IndexBuild> ended =
        collection.builds().stream()
            .filter(build -> build.definitions().stream().anyMatch(chosen::contains))
            .toList();
    for (IndexBuild build : ended) {
      if (!chosen.containsAll(build.definitions())) {
        throw collection.isBeingBuilt();
      }
    }
    ended.forEach(build -> build.abort(reason));
    ended.forEach(build -> build.awaitEnd(operation));
    return !ended.isEmpty();
  }
}
