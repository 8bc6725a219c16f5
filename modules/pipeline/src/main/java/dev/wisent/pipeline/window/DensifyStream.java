package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.bson.ValueOrder;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.NestedField;
import dev.wisent.pipeline.sort.HeldMemory;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.pipeline.window.DensifyRange.Extent;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** One run of a {@link DensifyStage}. */
final class DensifyStream implements DocumentStream {
  private static final long PARTITION_BYTES = 200;

  private final DensifyStage stage;
  private final DensifyRange range;
  private final DocumentStream input;
  private final HeldMemory memory;
  private final Frame frame;
  private final Map<ValueKey, Series> partitions = new LinkedHashMap<>();
  private long bytes;
  private long generated;

  /** The smallest and largest value of all documents so far. */
  private RawValue smallest;

  private RawValue largest;

  /** What is being generated, until {@code limit}; null while nothing is. */
  private Series growing;

  private RawValue limit;
  private boolean withLimit;

  /** The document that comes after what is being generated; null where none does. */
  private RawDocument held;

  private RawValue heldValue;

  /** What is to be completed after the last document; null before it. */
  private Queue<Series> unfinished;

  /** The values of one partition. */
  private static final class Series {
    /** What all its documents have. */
    private final RawDocument fields;

    /** The next value that is wanted. */
    private RawValue next;

    Series(RawDocument fields, RawValue next) {
      this.fields = fields;
      this.next = next;
    }
  }

  DensifyStream(DensifyStage stage, DocumentStream input, SortSpace space) {
    this.stage = stage;
    this.range = stage.range();
    this.input = input;
    this.frame = new Frame(space.meter());
    this.memory = space.memory();
  }

  @Override
  public RawDocument next() {
    while (true) {
      if (growing != null) {
        RawDocument document = grow();
        if (document != null) {
          return document;
        }
      } else if (unfinished != null) {
        if (unfinished.isEmpty()) {
          return null;
        }
        complete(unfinished.remove());
      } else {
        RawDocument document = input.next();
        if (document == null) {
          unfinished = new ArrayDeque<>(incomplete());
        } else if (isInPlace(document)) {
          return document;
        }
      }
    }
  }

  /** A generated document, then the one that was held; null at the end. */
  private RawDocument grow() {
    int comparison = ValueOrder.compare(growing.next, limit);
    if (comparison < 0 || (withLimit && comparison == 0)) {
      RawValue value = growing.next;
      growing.next = range.after(value);
      count();
      return NestedField.set(growing.fields, stage.field(), value);
    }
    RawDocument document = held;
    if (document != null) {
      pass(growing, heldValue);
      held = null;
    }
    growing = null;
    return document;
  }

  private void count() {
    generated++;
    if (generated > Limits.DENSIFY_DOCUMENTS_MAX) {
      throw new CommandException(
          ErrorCode.DENSIFY_TOO_MANY,
          "Generated "
              + generated
              + " documents in $densify, which is over the limit of "
              + Limits.DENSIFY_DOCUMENTS_MAX
              + ". Increase the 'internalQueryMaxAllowedDensifyDocs' parameter to allow more"
              + " generated documents");
    }
  }

  /** Notes that there is a document with this value. */
  private void pass(Series series, RawValue value) {
    if (ValueOrder.compare(value, series.next) == 0) {
      series.next = range.after(value);
    }
  }

  /** Whether a document can go on at once; else it is held until what is before it is there. */
  private boolean isInPlace(RawDocument document) {
    RawValue value = valueOf(document);
    if (Values.isNullish(value)) {
      return true;
    }
    range.check(value);
    value = value.detached();
    smallest = smallest == null ? value : smallest;
    largest = value;
    Series series = series(document, value);
    boolean below = range.extent() == Extent.GIVEN && isBefore(value, range.lower());
    RawValue end =
        range.extent() == Extent.GIVEN && isBefore(range.upper(), value) ? range.upper() : value;
    if (below || !isBefore(series.next, end)) {
      pass(series, value);
      return true;
    }
    held = RawDocument.of(document.toByteArray());
    heldValue = value;
    begin(series, end, false);
    return false;
  }

  private static boolean isBefore(RawValue a, RawValue b) {
    return ValueOrder.compare(a, b) < 0;
  }

  private void begin(Series series, RawValue until, boolean including) {
    checkPath(series.fields);
    growing = series;
    limit = until;
    withLimit = including;
  }

  /** Refuses what would take the place of something else. */
  private void checkPath(RawDocument fields) {
    FieldPath path = stage.field();
    RawDocument below = fields;
    for (int i = 0; i < path.length(); i++) {
      RawValue value = below.get(path.part(i));
      if (value == null) {
        return;
      }
      if (value.isArray()) {
        throw new CommandException(
            ErrorCode.DENSIFY_IN_ARRAY, "$densify cannot generate fields nested inside arrays");
      }
      if (!value.isDocument()) {
        throw new CommandException(
            ErrorCode.DENSIFY_OVERWRITES,
            "$densify cannot overwrite non-object values with objects");
      }
      below = value.asDocument();
    }
  }

  /** The value at the field's path; what is inside arrays is not at any path. */
  private RawValue valueOf(RawDocument document) {
    FieldPath path = stage.field();
    RawValue value = document.get(path.part(0));
    for (int i = 1; i < path.length() && value != null; i++) {
      value = value.isDocument() ? value.asDocument().get(path.part(i)) : null;
    }
    return value;
  }

  private Series series(RawDocument document, RawValue value) {
    RawValue fields =
        stage.partition() == null
            ? RawValue.ofDocument(RawDocument.EMPTY)
            : stage.partition().evaluate(frame.on(document));
    Series known = partitions.get(key(fields));
    return known != null ? known : addSeries(fields.detached(), value);
  }

  private ValueKey key(RawValue fields) {
    return new ValueKey(Collation.key(stage.collation(), fields));
  }

  private Series addSeries(RawValue fields, RawValue value) {
    RawValue first =
        switch (range.extent()) {
          case FULL -> smallest;
          case PARTITION -> value;
          case GIVEN -> range.lower();
        };
    if (range.extent() == Extent.PARTITION) {
      // Those before it have had their last document.
      partitions.clear();
      bytes = 0;
    }
    var series = new Series(fields.asDocument(), first);
    partitions.put(key(fields), series);
    bytes += PARTITION_BYTES + fields.length();
    if (!memory.allows(bytes)) {
      throw new CommandException(
          ErrorCode.DENSIFY_MEMORY, "$densify exceeded memory limit of " + memory.bytesMax());
    }
    return series;
  }

  /** What may lack values after its last document. */
  private Collection<Series> incomplete() {
    if (range.extent() == Extent.PARTITION
        || (range.extent() == Extent.FULL && stage.partition() == null)) {
      return List.of();
    }
    if (partitions.isEmpty() && stage.partition() == null) {
      return List.of(new Series(RawDocument.EMPTY, range.lower()));
    }
    return partitions.values();
  }

  private void complete(Series series) {
    boolean full = range.extent() == Extent.FULL;
    begin(series, full ? largest : range.upper(), full);
  }
}
