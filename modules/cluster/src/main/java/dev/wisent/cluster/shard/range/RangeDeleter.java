package dev.wisent.cluster.shard.range;

import dev.wisent.base.Clock;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawValue;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.OrphanDeleter;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.RangeDeletionSettings;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.server.operation.BackgroundOperation;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.sharding.OwnedRanges;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Deletes the documents of ranges that this shard has given away, one range after the other, while
 * it is the primary. What fails is logged and begun anew in a later turn; the next primary begins
 * anew, too.
 */
public final class RangeDeleter implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(200);

  /** How many documents are deleted without a look at settings and leadership. */
  private static final int SLICE_DOCUMENTS_MAX = 1000;

  private static final long LOOK_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int DELETED_LOG_ID = 6_872_501;
  private static final int GONE_LOG_ID = 6_872_502;

  private final Ownership ownership;
  private final WriteGate gate;
  private final Operations documents;
  private final Definitions definitions;
  private volatile OperationRegistry operations;
  private final Clock clock;
  private final Log log;
  private final RangeDeletionStore store;
  private final RangeDeletionFigures figures = new RangeDeletionFigures();
  private final BackgroundLoop loop;
  private final Pause pause = new Pause();

  /** Tasks that something waits for. */
  private final Set<RawValue> urgent = ConcurrentHashMap.newKeySet();

  /** Since when tasks are to be carried out, as the clock's nanoseconds. Of the loop. */
  private final Map<RawValue, Long> settledSince = new HashMap<>();

  private volatile OperationContext current;
  private volatile boolean closed;

  public RangeDeleter(
      Ownership ownership,
      WriteGate gate,
      Operations documents,
      Definitions definitions,
      BackgroundLoops loops,
      Log log) {
    this.ownership = ownership;
    this.gate = gate;
    this.documents = documents;
    this.definitions = definitions;
    this.clock = loops.clock();
    this.log = log;
    this.store = new RangeDeletionStore(documents, clock, log);
    this.loop = loops.every(PERIOD, "range-deleter", this::turn);
  }

  /** Begins to work, and to show what it does. */
  public void open(OperationRegistry registry) {
    operations = registry;
  }

  public BackgroundLoop loop() {
    return loop;
  }

  public RangeDeletionFigures figures() {
    return figures;
  }

  RangeDeletionStore store() {
    return store;
  }

  RangeDeletionSettings settings() {
    return ownership.rangeDeletions();
  }

  /** Has tasks carried out at once: something waits for their end. */
  void hurry(List<RangeDeletionTask> tasks) {
    tasks.forEach(task -> urgent.add(task.id()));
    loop.wake();
  }

  private void turn() throws InterruptedException {
    if (operations == null || !ownership.isInUse() || !gate.isOpen()) {
      settledSince.clear();
      urgent.clear();
      figures.tasks(0);
      return;
    }
    List<RangeDeletionTask> tasks = store.all();
    figures.tasks(tasks.size());
    forgetAllBut(tasks);
    for (RangeDeletionTask task : tasks) {
      if (mayGoOn() && isDue(task)) {
        carryOut(task);
        figures.tasks(store.all().size());
      }
    }
  }

  private void forgetAllBut(List<RangeDeletionTask> tasks) {
    var ids = new HashSet<RawValue>();
    tasks.forEach(task -> ids.add(task.id()));
    settledSince.keySet().retainAll(ids);
    urgent.retainAll(ids);
  }

  private boolean mayGoOn() {
    return !closed && gate.isOpen() && !settings().disabled();
  }

  private boolean isDue(RangeDeletionTask task) {
    if (task.pending()) {
      return false;
    }
    long since = settledSince.computeIfAbsent(task.id(), id -> clock.monotonicNanos());
    long delay = TimeUnit.SECONDS.toNanos(settings().delaySeconds());
    return task.atOnce() || urgent.contains(task.id()) || clock.monotonicNanos() - since >= delay;
  }

  private void carryOut(RangeDeletionTask task) throws InterruptedException {
    OperationContext operation = OperationContext.internal(clock);
    OperationState.ofMigration(operation);
    current = operation;
    if (closed) {
      return;
    }
    BackgroundOperation shown =
        operations.startInBackground(loop.name(), "remove", task.namespace().full(), operation);
    try {
      carryOut(task, operation);
    } finally {
      operations.end(shown);
    }
  }

  private void carryOut(RangeDeletionTask task, OperationContext operation)
      throws InterruptedException {
    Namespace namespace = nameOf(task);
    if (namespace == null) {
      end(task, GONE_LOG_ID, "Range deletion ended: the collection is gone", 0);
      return;
    }
    OwnedRanges owned = ownership.owned(namespace);
    if (owned == null) {
      // A coordinator is about to tell, as after a rename.
      return;
    }
    store.begin(task);
    long deleted = 0;
    long before;
    do {
      before = deleted;
      deleted += pass(task, namespace, owned, operation);
      if (!mayGoOn()) {
        return;
      }
    } while (deleted > before);
    end(task, DELETED_LOG_ID, "Deleted the documents of a range", deleted);
  }

  /** The name that the collection of a task has now; null where it is gone. */
  private Namespace nameOf(RangeDeletionTask task) {
    CollectionInfo named = definitions.find(task.namespace());
    return named != null && task.collection().equals(named.uuid())
        ? task.namespace()
        : definitions.named(task.namespace().database(), task.collection());
  }

  /** Looks at the whole range once, unless it may not go on; returns how much was deleted. */
  private long pass(
      RangeDeletionTask task, Namespace namespace, OwnedRanges owned, OperationContext operation)
      throws InterruptedException {
    long deleted = 0;
    long sincePause = 0;
    try (var range =
        new RangeDeletion(task, namespace, owned, ownership, documents, definitions, operation)) {
      while (!range.isAtEnd() && mayGoOn()) {
        int batch = settings().batchSize();
        OrphanDeleter.Deleted slice =
            range.deleteBatch((int) Math.clamp(batch - sincePause, 1, SLICE_DOCUMENTS_MAX));
        if (slice == null) {
          break;
        }
        if (slice.documents() > 0) {
          figures.deleted(slice.documents(), slice.bytes());
          store.deleted(task, slice.documents());
        }
        deleted += slice.documents();
        sincePause += slice.documents();
        if (sincePause >= batch) {
          pause();
          sincePause = 0;
        }
      }
    }
    return deleted;
  }

  /** Other settings, and the end of leadership, end it. */
  private void pause() throws InterruptedException {
    long start = clock.monotonicNanos();
    long left;
    while (mayGoOn()
        && (left =
                start
                    + TimeUnit.MILLISECONDS.toNanos(settings().batchDelayMillis())
                    - clock.monotonicNanos())
            > 0) {
      pause.await(Math.min(left, LOOK_NANOS_MAX));
    }
  }

  private void end(RangeDeletionTask task, int logId, String message, long deleted) {
    store.remove(task);
    log.info(
        logId,
        message,
        "namespace",
        task.namespace().full(),
        "collectionUUID",
        task.collection(),
        "range",
        task.range(),
        "deleted",
        deleted);
  }

  @Override
  public void close() {
    closed = true;
    pause.end();
    OperationContext running = current;
    if (running != null) {
      running.kill(ErrorCode.INTERRUPTED_AT_SHUTDOWN);
    }
  }
}
