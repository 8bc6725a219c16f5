package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonBinary;

/** Collections with their documents and indexes. For one thread, which starts others. */
final class Copier {
  private static final int ROUNDS_MAX = 20;

  private final Deployment source;
  private final CatalogSync catalog;
  private final IndexSync indexes;
  private final MigrateSettings settings;
  private final Surroundings surroundings;
  private final Messages messages;
  private final Set<BsonBinary> notMoved = new HashSet<>();

  Copier(
      Deployment source,
      CatalogSync catalog,
      IndexSync indexes,
      MigrateSettings settings,
      Surroundings surroundings,
      Messages messages) {
    this.source = source;
    this.catalog = catalog;
    this.indexes = indexes;
    this.settings = settings;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  /** Whether one of these collections may be new. Asks the source only once for each. */
  boolean mayBeNew(Collection<BsonBinary> uuids) {
    List<BsonBinary> unknown =
        uuids.stream()
            .filter(uuid -> catalog.find(uuid).isEmpty() && !notMoved.contains(uuid))
            .toList();
    notMoved.addAll(unknown);
    return !unknown.isEmpty();
  }

  /**
   * Brings collections, views and the indexes of some collections in line, and copies collections
   * that are new.
   */
  void sync(Collection<BsonBinary> indexed) throws ToolException {
    for (int round = 1; ; round++) {
      catalog.sync();
      List<MovedCollection> missing =
          catalog.moved().stream().filter(each -> !each.copied()).toList();
      if (missing.isEmpty()) {
        break;
      }
      if (round == ROUNDS_MAX) {
        throw ToolException.failed(
            missing.getFirst().namespace() + " is renamed too often to be copied");
      }
      copy(missing);
    }
    for (BsonBinary uuid : new HashSet<>(indexed)) {
      MovedCollection moved = catalog.find(uuid).orElse(null);
      if (moved != null) {
        indexes.sync(moved);
      }
    }
  }

  /** Brings everything in line. */
  void syncAll() throws ToolException {
    sync(List.of());
    List<Workers.Task> tasks = new ArrayList<>();
    catalog.moved().forEach(moved -> tasks.add(() -> indexes.sync(moved)));
    run(tasks);
  }

  /** Makes indexes unique again, and then has documents expire. */
  void completeIndexes() throws ToolException {
    List<Workers.Task> tasks = new ArrayList<>();
    catalog.moved().forEach(moved -> tasks.add(() -> indexes.complete(moved)));
    run(tasks);
    List<Workers.Task> last = new ArrayList<>();
    catalog.moved().forEach(moved -> last.add(() -> indexes.expire(moved)));
    run(last);
  }

  private void run(List<Workers.Task> tasks) throws ToolException {
    if (!tasks.isEmpty()) {
      Workers.run(surroundings.scheduler(), "collection", settings.parallel(), tasks);
    }
  }

  private void copy(List<MovedCollection> missing) throws ToolException {
    Map<BsonBinary, Long> counts = new HashMap<>();
    for (MovedCollection each : missing) {
      counts.put(each.source(), estimate(catalog.sourceOf(each.source())));
    }
    List<MovedCollection> largestFirst = new ArrayList<>(missing);
    largestFirst.sort(
        Comparator.comparing((MovedCollection each) -> counts.get(each.source())).reversed());
    Set<MovedCollection> elsewhere = ConcurrentHashMap.newKeySet();
    long total = counts.values().stream().mapToLong(Long::longValue).sum();
    try (Progress progress = Progress.ofDocuments(surroundings, messages, "copy", total)) {
      List<Workers.Task> tasks = new ArrayList<>();
      for (MovedCollection each : largestFirst) {
        tasks.add(
            () -> {
              if (!copy(each, progress)) {
                elsewhere.add(each);
              }
            });
      }
      run(tasks);
    }
    // Documents of another collection may have been read under the name.
    for (MovedCollection each : elsewhere) {
      catalog.reset(each);
    }
  }

  private long estimate(CollectionInfo info) {
    return source.database(info.database()).getCollection(info.name()).estimatedDocumentCount();
  }

  /** Returns whether the collection was under its name all the time. */
  private boolean copy(MovedCollection moved, Progress progress) throws ToolException {
    CollectionInfo info = catalog.sourceOf(moved.source());
    progress.at(info.toString());
    messages.say(surroundings.terminal() ? 1 : 0, "copying " + info);
    var copy = new CollectionCopy(source, catalog, moved, settings, surroundings, progress::add);
    try {
      copy.run();
    } catch (MongoException e) {
      if (!catalog.isWhereItWas(info)) {
        return false;
      }
      throw Deployment.failure("cannot copy " + info, e);
    }
    if (!catalog.isWhereItWas(info)) {
      return false;
    }
    copy.done();
    indexes.sync(catalog.find(moved.source()).orElseThrow());
    messages.say(surroundings.terminal() ? 1 : 0, "copied " + info);
    return true;
  }
}
