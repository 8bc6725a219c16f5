package dev.wisent.pipeline.join;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.OpenStream;
import dev.wisent.pipeline.OtherCollection;
import dev.wisent.pipeline.StageRun;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.InMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Matches that have a value in common.
 *
 * <p>Where an index finds them, some documents of the input are gathered and the matches of all of
 * them are read at once. Without an index the same is done with the first documents; if there are
 * more, the other collection is read once into a table in which all others look. So it is with an
 * index when more documents have come than it would take to read the whole collection. If there is
 * no room for the table, the collection is read as often as it takes.
 */
final class EqualityMatches implements JoinMatches {
  private static final int INDEXED_FIRST = 16;
  private static final int INDEXED_MAX = 1024;
  private static final int SCANNED_FIRST = 256;
  private static final int SCANNED_MAX = 16_384;
  private static final int GATHERED_BYTES_MAX = 4 << 20;

  /** To read this many documents in order takes as long as to find one by an index. */
  private static final int SCANNED_PER_FOUND = 8;

  /** A collection that is not read as a whole while an index is there. */
  private static final long SCANNED_BYTES_MAX = 1L << 30;

  /** A batch with more matches than this was too large. */
  private static final int PARTNERS_BYTES = 16 << 20;

  private final LookupStage stage;
  private final DocumentStream input;
  private final StageRun run;
  private final OtherCollection foreign;
  private final FieldPath path;
  private final boolean indexed;
  private final List<Gathered> batch = new ArrayList<>();
  private final List<RawValue> aloneValues = new ArrayList<>();
  private byte[] alone = new byte[256];

  /** Those of the document that is being joined. */
  private List<RawValue> values = List.of();

  private int taken;
  private int batchMax;

  /** The matches of the batch, or of all documents. Null where each is looked for by itself. */
  private ForeignTable table;

  private boolean everything;
  private boolean tooLarge;
  private long gathered;
  private OpenStream open;
  private final Supplier<MatchExpression> filter = this::filter;

  /** A document of the input. */
  private record Gathered(RawDocument document, List<RawValue> values) {}

  EqualityMatches(LookupStage stage, DocumentStream input, StageRun run) {
    this.stage = stage;
    this.input = input;
    this.run = run;
    this.foreign = run.collection(stage.database(), stage.from(), stage.context().collation());
    this.path = stage.fields().foreign();
    this.indexed = foreign.findsByIndex(path, stage.context());
    this.batchMax = indexed ? INDEXED_FIRST : SCANNED_FIRST;
  }

  @Override
  public RawDocument next() {
    if (open != null) {
      open.close();
      open = null;
    }
    if (!everything && taken == batch.size()) {
      nextBatch();
    }
    if (taken == batch.size()) {
      return everything ? nextAlone() : null;
    }
    Gathered current = batch.get(taken++);
    values = current.values();
    return current.document();
  }

  /** One that waits for no others, in the place of the one before. */
  private RawDocument nextAlone() {
    RawDocument document = input.next();
    if (document == null) {
      return null;
    }
    int length = document.length();
    if (alone.length < length) {
      alone = new byte[Math.max(length, 2 * alone.length)];
    }
    System.arraycopy(document.bytes(), document.offset(), alone, 0, length);
    var copy = new RawDocument(alone, 0, length);
    aloneValues.clear();
    addValues(copy, aloneValues);
    values = aloneValues;
    return copy;
  }

  private Gathered gather() {
    RawDocument document = input.next();
    if (document == null) {
      return null;
    }
    RawDocument copy = RawDocument.of(document.toByteArray());
    var found = new ArrayList<RawValue>(1);
    addValues(copy, found);
    return new Gathered(copy, found);
  }

  private void addValues(RawDocument document, List<RawValue> to) {
    JoinValues.forEach(document, stage.fields().local(), to::add);
    if (to.isEmpty()) {
      to.add(RawValue.NULL);
    }
  }

  private void nextBatch() {
    closeTable();
    batch.clear();
    taken = 0;
    Gathered next = gather();
    if (next != null && isEverythingWorthwhile()) {
      readEverything();
    }
    long bytes = 0;
    int max = everything ? 1 : batchMax;
    while (next != null) {
      batch.add(next);
      bytes += next.document().length();
      next = batch.size() < max && bytes < GATHERED_BYTES_MAX ? gather() : null;
    }
    if (everything) {
      return;
    }
    gathered += batch.size();
    if (batch.size() > 1) {
      readBatch();
    }
  }

  private boolean isEverythingWorthwhile() {
    if (tooLarge || gathered == 0) {
      return false;
    }
    return !indexed
        || (gathered > INDEXED_MAX
            && gathered * SCANNED_PER_FOUND > foreign.documents()
            && foreign.bytes() < SCANNED_BYTES_MAX);
  }

  private void readEverything() {
    table = table(stage.filterAtOnce());
    everything = table != null;
    tooLarge = table == null;
  }

  private void readBatch() {
    var all = new ArrayList<RawValue>();
    batch.forEach(each -> all.addAll(each.values()));
    table = table(EqualityFilter.both(EqualityFilter.of(path.dotted(), all), stage.filterAtOnce()));
    if (table == null || table.memoryBytes() > PARTNERS_BYTES || table.isSpilled()) {
      batchMax = Math.max(1, batchMax / 4);
    } else {
      batchMax = Math.min(batchMax * 2, indexed ? INDEXED_MAX : SCANNED_MAX);
    }
  }

  /** A table of what passes a filter; null if there is no room for it. */
  private ForeignTable table(RawDocument filter) {
    var found = new ForeignTable(path, stage.context().collation(), run.space());
    try (OpenStream documents = open(filter)) {
      RawDocument document;
      while ((document = documents.next()) != null) {
        if (!found.add(document)) {
          found.close();
          return null;
        }
      }
    }
    return found;
  }

  private OpenStream open(RawDocument filter) {
    return foreign.open(EqualityFilter.pipeline(filter, stage.context().deeper()), stage.context());
  }

  @Override
  public DocumentStream matches() {
    if (table != null) {
      return table.matches(values, filter);
    }
    open =
        open(EqualityFilter.both(EqualityFilter.of(path.dotted(), values), stage.filterAtOnce()));
    return open;
  }

  private MatchExpression filter() {
    return values.size() == 1
        ? ComparisonMatch.of(
            ComparisonMatch.Comparison.EQ,
            path,
            values.getFirst(),
            stage.context().collation(),
            stage.context().meter())
        : InMatch.of(path, values, List.of(), stage.context().collation(), stage.context().meter());
  }

  private void closeTable() {
    if (table != null) {
      table.close();
      table = null;
    }
  }
}
