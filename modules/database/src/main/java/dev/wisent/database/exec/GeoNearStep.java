package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Index;
import dev.wisent.database.exec.NearBuffer.Entry;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.SearchInterval;
import dev.wisent.database.plan.StageStats;
import dev.wisent.database.plan.bounds.FieldIntervals;
import dev.wisent.database.plan.bounds.GeoBounds;
import dev.wisent.database.plan.bounds.ScanBounds;
import dev.wisent.query.geo.KeyRange;
import dev.wisent.query.geo.NearQuery;
import dev.wisent.query.geo.NearRings;
import dev.wisent.storage.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Documents by their distance, the nearest first. Rings around the point are read one after the
 * other; what is found waits in a buffer until the ring that it lies in has been read.
 */
final class GeoNearStep extends Step {
  private final PlanNode.GeoNear node;
  private final Index index;
  private final int field;
  private final NearQuery near;
  private final NearRings rings;
  private final StepContext context;
  private final RecordReader reader;
  private final NearBuffer buffer = new NearBuffer();
  private final LongSet seen = new LongSet();
  private ReadView view;
  private OperationContext operation;

  /** The ring that is being read; null between rings. */
  private KeyScan scan;

  private boolean started;
  private boolean ringRead;
  private boolean resumed;

  /** How many documents were found in this ring, and how many lay in it. */
  private long buffered;

  private long returned;
  private Entry current;

  GeoNearStep(StageStats stats, PlanNode.GeoNear node, StepContext context) {
    super(stats);
    this.node = node;
    this.index = node.index();
    this.near = node.near();
    this.rings = index.cells().rings(near);
    this.field = fieldOf(index, near);
    this.context = context;
    this.reader = new RecordReader(context.collection());
    this.view = context.view();
    this.operation = context.operation();
    index.used();
  }

  private static int fieldOf(Index index, NearQuery near) {
    int field = 0;
    while (!index.path(field).equals(near.path())) {
      field++;
    }
    return field;
  }

  @Override
  Outcome step() {
    operation.checkInterrupt();
    if (!started) {
      started = true;
      rings.start(levelWithSomething());
      return Outcome.NEED_TIME;
    }
    if (scan != null) {
      read();
      return Outcome.NEED_TIME;
    }
    Entry nearest = buffer.peek();
    if (nearest != null && (nearest.distance() < rings.outer() || !rings.hasNext())) {
      return take();
    }
    endRing();
    if (!rings.hasNext()) {
      return Outcome.END;
    }
    scan = scan(rings.next(returned));
    ringRead = true;
    buffered = 0;
    returned = 0;
    return Outcome.NEED_TIME;
  }

  private Outcome take() {
    current = buffer.poll();
    if (current.document() == null) {
      current = readAgain(current);
    }
    if (current == null) {
      return Outcome.NEED_TIME;
    }
    returned++;
    return Outcome.ADVANCED;
  }

  /** Null where the document is no longer what it was when it was found. */
  private Entry readAgain(Entry entry) {
    RawDocument document = reader.read(view, entry.recordId());
    boolean fits =
        document != null
            && (!resumed
                || ((node.filter() == null || node.filter().matches(document))
                    && near.nearest(document) != null));
    return fits
        ? new Entry(entry.distance(), entry.recordId(), RawDocument.of(document.toByteArray()))
        : null;
  }

  /** Takes the next key of the ring, and its document if that is new. */
  private void read() {
    switch (scan.advance()) {
      case END -> closeScan();
      case NEED_TIME -> {}
      case ADVANCED -> {
        long recordId = scan.recordId();
        if (seen.add(recordId)) {
          look(recordId);
        }
      }
    }
  }

  private void look(long recordId) {
    RawDocument document = reader.read(view, recordId);
    if (document == null) {
      return;
    }
    stats.documentsExamined++;
    if (node.filter() != null && !node.filter().matches(document)) {
      return;
    }
    NearQuery.Found found = near.nearest(document);
    if (found != null) {
      buffered++;
      buffer.add(found.distance(), recordId, document);
    }
  }

  /** Notes what a ring has come to. */
  private void endRing() {
    if (ringRead) {
      var intervals = new ArrayList<>(stats.searchIntervals);
      intervals.add(
          new SearchInterval(rings.inner(), rings.outer(), !rings.hasNext(), buffered, returned));
      stats.searchIntervals = intervals;
      ringRead = false;
    }
  }

  /** How finely the neighbourhood of the point can be divided so that it still has something. */
  private int levelWithSomething() {
    int low = 0;
    int high = rings.finestLevel();
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (hasKeys(rings.neighbourhood(middle))) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private boolean hasKeys(List<KeyRange> ranges) {
    KeyScan probe = scan(ranges);
    try {
      Outcome outcome = probe.advance();
      while (outcome == Outcome.NEED_TIME) {
        outcome = probe.advance();
      }
      return outcome == Outcome.ADVANCED;
    } finally {
      probe.close();
    }
  }

  private KeyScan scan(List<KeyRange> ranges) {
    var fields = new ArrayList<>(node.bounds().fields());
    fields.set(field, new FieldIntervals(fields.get(field).name(), GeoBounds.intervals(ranges)));
    var stepContext =
        new StepContext(
            context.collection(),
            view,
            operation,
            context.filter(),
            context.sortSpaces(),
            context.timed());
    return new KeyScan(index, new ScanBounds.ByField(fields), false, stats, stepContext);
  }

  @Override
  public long recordId() {
    return current.recordId();
  }

  @Override
  public RawDocument document() {
    return current.document();
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    action.accept(index);
  }

  @Override
  void suspendStep() {
    if (scan != null) {
      scan.suspend();
    }
    view = null;
  }

  @Override
  void resume(ReadView newer, OperationContext under) {
    view = newer;
    operation = under;
    resumed = true;
    if (scan != null) {
      scan.resume(newer, under);
    }
  }

  private void closeScan() {
    scan.close();
    scan = null;
  }

  @Override
  public void close() {
    if (scan != null) {
      closeScan();
    }
  }
}
