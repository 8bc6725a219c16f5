package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.exec.NearBuffer.Entry;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.SearchInterval;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.geo.NearCells;
import dev.wisent.query.geo.NearQuery;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import dev.wisent.storage.ReadView;
import java.util.List;
import java.util.function.Consumer;

/**
 * Documents by their distance, the nearest first. The nearest cells are read first, and of them
 * only keys. A document is read when its key says that it may be the next one; it then waits in a
 * buffer until all that may be nearer has been read.
 */
final class GeoNearStep extends Step {
  private final PlanNode.GeoNear node;
  private final Index index;
  private final NearQuery near;
  private final NearCells cells;
  private final CellReader keys;
  private final RecordReader reader;
  private final NearCandidates candidates = new NearCandidates();
  private final NearBuffer buffer = new NearBuffer();

  /** The records that were read: one may have several keys. */
  private final LongSet seen = new LongSet();

  private ReadView view;
  private OperationContext operation;

  /** Whether some cells are being read, and how many of their keys have been. */
  private boolean reading;

  private int keysRead;
  private int works;
  private boolean resumed;
  private long buffered;
  private long returned;
  private Entry current;
  private final MetadataWriter carrier = new MetadataWriter();

  GeoNearStep(StageStats stats, PlanNode.GeoNear node, StepContext context) {
    super(stats);
    this.node = node;
    this.index = node.index();
    this.near = node.near();
    int field = fieldOf(index, near);
    this.cells = index.cells().around(near, CellReader.isInOrder(node, field));
    this.keys = CellReader.of(node, field, stats, context);
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
    if (reading) {
      readKey();
      return Outcome.NEED_TIME;
    }
    double distance = buffer.isEmpty() ? Double.POSITIVE_INFINITY : buffer.peek().distance();
    double least = candidates.least();
    if (cells.mayBeWithin(Math.min(least, distance))) {
      keys.read(cells.next());
      reading = true;
      keysRead = 0;
      works = 0;
    } else if (distance < least) {
      return take();
    } else if (least < Double.POSITIVE_INFINITY) {
      look(candidates.poll());
    } else {
      report(cells.end(), true);
      return Outcome.END;
    }
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
    report(current.distance(), false);
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

  /** Takes the next key of the cells that are being read. */
  private void readKey() {
    Outcome outcome = keys.advance();
    if (outcome == Outcome.END) {
      keys.finish(cells);
      reading = false;
      return;
    }
    works++;
    if (outcome == Outcome.ADVANCED) {
      keysRead++;
      double least = cells.least(keys.cell());
      if (least < Double.POSITIVE_INFINITY) {
        candidates.add(least, keys.recordId());
      }
    }
    if (cells.isEnough(keysRead, works)) {
      cells.leave(keys.cell(), keysRead);
      reading = false;
    }
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

  /** MongoDB has an interval for each ring that it reads; here all is one. */
  private void report(double reached, boolean all) {
    stats.searchIntervals =
        List.of(new SearchInterval(near.minDistance(), reached, all, buffered, returned));
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
    if (reading) {
      cells.giveBack();
      reading = false;
    }
    keys.close();
    view = null;
  }

  @Override
  void resume(ReadView newer, OperationContext under) {
    view = newer;
    operation = under;
    resumed = true;
    keys.resume(newer, under);
  }

  @Override
  public void close() {
    keys.close();
  }
}
