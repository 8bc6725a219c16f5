package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonBinary;
import org.bson.BsonDocument;

/**
 * Compares source and target while changes are followed, so that the end has only to compare what
 * has changed since. That needs no state of one time: a document that is equal on both sides when
 * it is read, and that is not changed afterwards, is equal at the end. All others are suspects.
 *
 * <p>One thread applies changes and says here what they have touched; others compare beside it.
 */
final class Verification {
  /** So many new suspects are compared again before the stream is read on. */
  private static final int DUE = 5_000;

  private static final int LOOK_MILLIS = 100;

  /** Ends a comparison that is not waited for any more. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Deployment source;
  private final Deployment target;
  private final CatalogSync catalog;
  private final MigrateSettings settings;
  private final Surroundings surroundings;
  private final Messages messages;
  private final BothSides.Factory sides;
  private final Map<BsonBinary, ComparedCollection> collections = new ConcurrentHashMap<>();
  private Workers workers;
  private volatile boolean stopped;
  private int dueAt = DUE;

  Verification(
      Deployment source,
      Deployment target,
      CatalogSync catalog,
      MigrateSettings settings,
      Surroundings surroundings,
      Messages messages) {
    this.source = source;
    this.target = target;
    this.catalog = catalog;
    this.settings = settings;
    this.surroundings = surroundings;
    this.messages = messages;
    this.sides = BothSides.factory(source, target, this::check);
  }

  /**
   * What was compared.
   *
   * @param finished whether all of it could be; otherwise there were too many changes
   * @param differences in words; empty if both sides are equal
   */
  record Result(boolean finished, int collections, long documents, List<String> differences) {}

  private void check() throws ToolException {
    surroundings.interruption().check();
    if (stopped) {
      throw new Stopped();
    }
  }

  /** Begins to compare all that is copied, beside the thread that applies changes. */
  void start() {
    if (workers == null && settings.hashes()) {
      List<Workers.Task> tasks = Collections.nCopies(settings.parallel(), this::compareAhead);
      workers = Workers.start(surroundings.scheduler(), "verify", settings.parallel(), tasks);
    }
  }

  /** Ends what {@link #start} has begun. */
  void stop() throws ToolException {
    stopped = true;
    try {
      if (workers != null) {
        workers.join();
      }
    } finally {
      stopped = false;
    }
  }

  /** Whether only what has changed since, or cannot be read now, is left for the end. */
  boolean isAhead() throws ToolException {
    if (!settings.hashes()) {
      return true;
    }
    if (workers == null) {
      return false;
    }
    if (workers.failed()) {
      workers.join();
    }
    return catalog.moved().stream().allMatch(each -> each.copied() && of(each.source()).isAhead());
  }

  private ComparedCollection of(BsonBinary uuid) {
    return collections.computeIfAbsent(uuid, any -> new ComparedCollection());
  }

  private void compareAhead() throws ToolException {
    try {
      while (!stopped) {
        boolean any = false;
        for (MovedCollection each : catalog.moved()) {
          any |= each.copied() && compareAhead(each);
        }
        if (!any) {
          surroundings.interruption().await(LOOK_MILLIS);
          surroundings.interruption().check();
        }
      }
    } catch (Stopped e) {
      // The end compares what is left.
    }
  }

  private boolean compareAhead(MovedCollection moved) throws ToolException {
    ComparedCollection compared = of(moved.source());
    if (!compared.claim()) {
      return false;
    }
    try {
      compare(moved, compared);
    } catch (MongoException e) {
      messages.say(1, "%s is compared at the end: %s".formatted(moved.namespace(), e.getMessage()));
      compared.putOff();
    } finally {
      compared.unclaim();
    }
    return true;
  }

  /** Compares all documents of a collection, at whatever time each is read. */
  private void compare(MovedCollection moved, ComparedCollection compared) throws ToolException {
    int begun = compared.begin();
    CollectionInfo info = catalog.sourceOf(moved.source());
    CollectionInfo copy = catalog.copyOf(moved);
    if (info == null || copy == null) {
      compared.putOff(); // it is being dropped
      return;
    }
    var digests = new CollectionDigest[2];
    BothSides both = sides.of(info, copy, now());
    Workers.run(
        surroundings.scheduler(),
        "digest",
        2,
        List.of(
            () -> digests[0] = answered(both::digestOfSource),
            () -> digests[1] = answered(both::digestOfTarget)));
    BitSet differences = digests[0].differences(digests[1]);
    if (!differences.isEmpty()) {
      BothSides again = sides.of(info, copy, now());
      Attempts.untilItSucceeds(surroundings, () -> again.findDifferent(differences, compared));
    }
    compared.done(begun);
    messages.say(1, "compared " + info);
  }

  private BothSides.Times now() throws ToolException {
    return answered(() -> BothSides.Times.now(source, target));
  }

  private <T> T answered(Attempts.Question<T> question) throws ToolException {
    return Attempts.untilAnswered(surroundings, question);
  }

  /** Takes note of changes that were applied: only after that may they be called equal. */
  void applied(ChangeBatch batch) {
    batch
        .documents()
        .forEach(
            (uuid, keys) -> {
              if (catalog.find(uuid).isPresent()) {
                of(uuid).suspect(keys);
              }
            });
    for (BsonBinary uuid : batch.defined()) {
      ComparedCollection known = collections.get(uuid);
      if (known != null) {
        known.changed();
      }
    }
  }

  /** Whether so many documents were touched that they should be compared before the next ones. */
  boolean isDue() {
    return added() >= dueAt;
  }

  private int added() {
    return collections.values().stream().mapToInt(ComparedCollection::added).sum();
  }

  /**
   * Compares suspects again, if there are new ones. By the thread that applies changes: what the
   * source has changed since its last batch is still to come, and is a suspect then.
   */
  void compareSuspects() throws ToolException {
    if (!settings.hashes() || added() == 0) {
      return;
    }
    try {
      compareAgain();
    } catch (MongoException e) {
      messages.say(1, "changes are compared later: " + e.getMessage());
    }
    dueAt = DUE + collections.values().stream().mapToInt(ComparedCollection::size).sum();
  }

  /** Returns how many documents it has read. */
  private long compareAgain() throws ToolException {
    BothSides.Times times = now();
    var count = new AtomicLong();
    List<Workers.Task> tasks = new ArrayList<>();
    for (MovedCollection moved : catalog.moved()) {
      ComparedCollection compared = of(moved.source());
      CollectionInfo info = catalog.sourceOf(moved.source());
      CollectionInfo copy = catalog.copyOf(moved);
      if (info == null || copy == null) {
        continue;
      }
      for (List<DocumentKey> part : KeyedRefresh.parts(compared.suspects())) {
        count.addAndGet(part.size());
        tasks.add(
            () -> {
              Set<DocumentKey> different =
                  answered(() -> sides.of(info, copy, times).different(part));
              List<DocumentKey> equal = new ArrayList<>(part);
              equal.removeAll(different);
              compared.cleared(equal);
            });
      }
    }
    run(tasks);
    return count.get();
  }

  private void run(List<Workers.Task> tasks) throws ToolException {
    if (!tasks.isEmpty()) {
      Workers.run(surroundings.scheduler(), "verify", settings.parallel(), tasks);
    }
  }

  /** Compares what is left. For the time when nothing is written any more. */
  Result complete() throws ToolException {
    stop();
    Set<BsonBinary> moved = ConcurrentHashMap.newKeySet();
    catalog.moved().forEach(each -> moved.add(each.source()));
    collections.keySet().retainAll(moved);
    try {
      return settings.hashes() ? compareTheRest() : count();
    } catch (MongoException e) {
      throw Deployment.failure("cannot compare", e);
    }
  }

  private Result compareTheRest() throws ToolException {
    var whole = new AtomicInteger();
    List<Workers.Task> tasks = new ArrayList<>();
    for (MovedCollection each : catalog.moved()) {
      ComparedCollection compared = of(each.source());
      if (!compared.isCompared()) {
        whole.incrementAndGet();
        tasks.add(() -> compare(each, compared));
      }
    }
    run(tasks);
    long keys = compareAgain();
    messages.say(
        1,
        "the end has compared %d collection(s), and %d document(s) of others"
            .formatted(whole.get(), keys));
    List<String> differences = new ArrayList<>();
    boolean finished = true;
    long documents = 0;
    for (MovedCollection each : catalog.moved()) {
      ComparedCollection compared = of(each.source());
      CollectionInfo info = catalog.sourceOf(each.source());
      CollectionInfo copy = catalog.copyOf(each);
      Set<DocumentKey> different = compared.suspects();
      if (!different.isEmpty()) {
        differences.add(sides.of(info, copy, now()).describe(different.iterator().next()));
      }
      finished &= compared.isCompared() || !different.isEmpty();
      documents += estimate(copy);
    }
    Collections.sort(differences);
    return new Result(finished, catalog.moved().size(), documents, differences);
  }

  private long estimate(CollectionInfo copy) throws ToolException {
    return answered(
        () ->
            target
                .database(copy.database())
                .getCollection(copy.name(), BsonDocument.class)
                .estimatedDocumentCount());
  }

  private Result count() throws ToolException {
    BothSides.Times times = now();
    List<String> differences = Collections.synchronizedList(new ArrayList<>());
    var documents = new AtomicLong();
    List<Workers.Task> tasks = new ArrayList<>();
    for (MovedCollection each : catalog.moved()) {
      CollectionInfo info = catalog.sourceOf(each.source());
      BothSides both = sides.of(info, catalog.copyOf(each), times);
      tasks.add(
          () -> {
            long before = answered(both::countOfSource);
            long after = answered(both::countOfTarget);
            documents.addAndGet(after);
            if (before != after) {
              differences.add(
                  "%s: %d documents in the source, %d in the target"
                      .formatted(info, before, after));
            }
          });
    }
    run(tasks);
    Collections.sort(differences);
    return new Result(true, tasks.size(), documents.get(), differences);
  }
}
