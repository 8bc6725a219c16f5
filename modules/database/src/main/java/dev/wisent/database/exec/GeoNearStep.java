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
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import dev.wisent.storage.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Documents by their distance, the nearest first. The keys of rings around the point are read one
 * ring after the other. A document is read when its key says that it may be the next one; it then
 * waits in a buffer until the ring that it lies in has been read, and all that may be nearer.
 */
final class GeoNearStep extends Step {
  /** How many keys on each side of the point tell how near others may be. */
  private static final int SAMPLE = 12;

  /** With more keys than this a ring is read again, as narrow as will do. */
  private static final int CROWD = 6 * NearRings.FIRST_KEYS;

  /** How often that may be: one who wants more than a few documents does not mind wide rings. */
  private static final int NARROWINGS_MAX = 6;

  /** A sample that does not come to so many keys in this time is left. */
  private static final int SAMPLE_WORKS = 4 * SAMPLE;

  private final PlanNode.GeoNear node;
  private final Index index;
  private final int field;
  private final NearQuery near;
  private final NearRings rings;
  private final StepContext context;
  private final RecordReader reader;
  private final NearCandidates candidates = new NearCandidates();
  private final NearBuffer buffer = new NearBuffer();

  /** The records that were read: one may have several keys. */
  private final LongSet seen = new LongSet();

  private ReadView view;
  private OperationContext operation;

  /** The ring that is being read; null between rings. */
  private KeyScan scan;

  private boolean started;
  private int narrowings;
  private int ringKeys;
  private boolean ringRead;
  private boolean resumed;

  /** How many documents were read since this ring began, and how many were given away. */
  private long buffered;

  private long returned;
  private Entry current;
  private final MetadataWriter carrier = new MetadataWriter();

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
      rings.start(Math.min(stretch(rings.onward(), false), stretch(rings.backward(), true)));
      return Outcome.NEED_TIME;
    }
    if (scan != null) {
      read();
      return Outcome.NEED_TIME;
    }
    double distance = buffer.isEmpty() ? Double.POSITIVE_INFINITY : buffer.peek().distance();
    double least = candidates.least();
    if (isReached(Math.min(least, distance))) {
      if (distance < least) {
        return take();
      }
      look(candidates.poll());
      return Outcome.NEED_TIME;
    }
    endRing();
    if (!rings.hasNext()) {
      return Outcome.END;
    }
    scan = scan(rings.next(returned), false);
    ringRead = true;
    ringKeys = 0;
    buffered = 0;
    returned = 0;
    return Outcome.NEED_TIME;
  }

  /** Whether nothing that is not known yet can be nearer. */
  private boolean isReached(double distance) {
    return distance < rings.outer() || (!rings.hasNext() && distance < Double.POSITIVE_INFINITY);
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

  /** Takes the next key of the ring. */
  private void read() {
    switch (scan.advance()) {
      case END -> closeScan();
      case NEED_TIME -> {}
      case ADVANCED -> {
        double least = rings.least(scan.cell(field));
        if (least < Double.POSITIVE_INFINITY) {
          candidates.add(least, scan.recordId());
        }
        if (++ringKeys > CROWD && narrowings < NARROWINGS_MAX) {
          narrow();
        }
      }
    }
  }

  /** What was read so far stays; of the keys that are read again the second ones are of no use. */
  private void narrow() {
    narrowings++;
    ringKeys = 0;
    if (candidates.size() < NearRings.FIRST_KEYS) {
      return;
    }
    List<KeyRange> ranges = rings.narrow(candidates.least(NearRings.FIRST_KEYS));
    if (ranges == null) {
      return;
    }
    closeScan();
    scan = scan(ranges, false);
  }

  private void look(long recordId) {
    RawDocument document = seen.add(recordId) ? reader.read(view, recordId) : null;
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

  /** How much of the order of cells there is for one key on this side of the point. */
  private double stretch(KeyRange side, boolean reverse) {
    KeyScan sample = scan(List.of(side), reverse);
    try {
      int keys = 0;
      double stretch = Double.POSITIVE_INFINITY;
      for (int i = 0; i < SAMPLE_WORKS && keys < SAMPLE; i++) {
        Outcome outcome = sample.advance();
        if (outcome == Outcome.ADVANCED) {
          keys++;
          stretch = rings.stretch(sample.cell(field));
        } else if (outcome == Outcome.END) {
          break;
        }
      }
      return keys == 0 ? Double.POSITIVE_INFINITY : stretch / keys;
    } finally {
      sample.close();
    }
  }

  private KeyScan scan(List<KeyRange> ranges, boolean reverse) {
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
    return new KeyScan(index, new ScanBounds.ByField(fields), reverse, stats, stepContext);
  }

  @Override
  public long recordId() {
    return current.recordId();
  }

  @Override
  public RawDocument document() {
    return node.metadata().isEmpty() ? current.document() : carrying(current.document());
  }

  private RawDocument carrying(RawDocument document) {
    NearQuery.Found found = near.nearest(document);
    carrier.start();
    if (node.metadata().contains(MetaType.GEO_NEAR_DISTANCE)) {
      carrier.put(MetaType.GEO_NEAR_DISTANCE, found.distance());
    }
    if (node.metadata().contains(MetaType.GEO_NEAR_POINT)) {
      carrier.put(MetaType.GEO_NEAR_POINT, found.place());
    }
    return carrier.on(document);
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
