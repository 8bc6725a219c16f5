package dev.wisent.query.key;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.path.FieldPath;
import java.util.Arrays;
import java.util.Set;

/**
 * Keys of values in their order.
 *
 * <p>A missing field is null. An array gives one key for each of its elements, an empty one
 * undefined; paths lead through arrays of documents; only one array may be expanded, though several
 * fields may lead through it. A numeric part of a path is an array index where the array has such
 * an element, and then nothing is expanded.
 *
 * <p>Without arrays on the way, keys are written straight from the document.
 */
public final class IndexKeyExtractor implements KeyExtractor {
  /** Array parts from this one on share one bit. */
  private static final int PART_BIT_LAST = 63;

  private final FieldPath[] paths;
  private final boolean[] descending;
  private final boolean sparse;
  private final boolean withIdent;
  private final int ident;
  private final Collation collation;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();
  private final long[] arrayParts;
  private boolean multikey;

  /** Keys without any prefix. */
  public IndexKeyExtractor(KeyPattern pattern, boolean sparse) {
    this(pattern, sparse, false, 0);
  }

  /** Keys that begin with the four bytes of an ident. */
  public IndexKeyExtractor(KeyPattern pattern, boolean sparse, int ident) {
    this(pattern, sparse, true, ident);
  }

  private IndexKeyExtractor(KeyPattern pattern, boolean sparse, boolean withIdent, int ident) {
    this.paths = pattern.fields().stream().map(KeyPattern.Field::path).toArray(FieldPath[]::new);
    this.descending = pattern.descending();
    this.sparse = sparse;
    this.withIdent = withIdent;
    this.ident = ident;
    this.collation = pattern.collation();
    this.arrayParts = new long[paths.length];
  }

  /** A sparse index has no key where all of its fields are missing. */
  @Override
  public void extract(RawDocument document, KeySink sink) {
    if (multikey) {
      multikey = false;
      Arrays.fill(arrayParts, 0);
    }
    if (!extractWithoutArrays(document, sink)) {
      new ArrayExpansion(this, sink).run(document);
    }
  }

  @Override
  public boolean multikey() {
    return multikey;
  }

  @Override
  public long arrayParts(int field) {
    return arrayParts[field];
  }

  @Override
  public Set<FieldPath> arrayPaths() {
    return Set.of();
  }

  /** False, with nothing given to the sink, where an array is on the way. */
  private boolean extractWithoutArrays(RawDocument document, KeySink sink) {
    startKey();
    int missing = 0;
    for (int i = 0; i < paths.length; i++) {
      RawValue value = PlainValues.valueOrArray(document, paths[i]);
      if (value == null) {
        missing++;
        value = RawValue.NULL;
      } else if (value.isArray()) {
        return false;
      }
      encoder.append(collation == null ? value : collation.key(value), descending[i]);
    }
    if (!skips(missing)) {
      sink.accept(encoder);
    }
    return true;
  }

  boolean skips(int missing) {
    return sparse && missing == paths.length;
  }

  int fieldCount() {
    return paths.length;
  }

  FieldPath path(int field) {
    return paths[field];
  }

  void markArray(int field, int part) {
    multikey = true;
    arrayParts[field] |= 1L << Math.min(part, PART_BIT_LAST);
  }

  void markSeveralKeys() {
    multikey = true;
  }

  private void startKey() {
    encoder.reset();
    if (withIdent) {
      encoder.appendIdent(ident);
    }
  }

  IndexKeyV1.Encoder encode(RawValue[] values) {
    startKey();
    for (int i = 0; i < values.length; i++) {
      encoder.append(Collation.key(collation, values[i]), descending[i]);
    }
    return encoder;
  }
}
