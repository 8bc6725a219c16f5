package dev.wisent.database.collection;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.query.key.IndexKeyExtractor;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.update.TouchedPaths;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * An index at run time: what its keys are, and which of its paths have met arrays. Thread-safe.
 *
 * <p>Array marks only grow. A writer that finds a new one tells readers at once (they plan more
 * carefully than they need to), stores it with its own mutation, and counts it as stored only after
 * the commit: until then every other writer stores it too.
 */
public final class Index {
  private static final byte[] NO_TYPE_BITS = {};
  private static final byte[] NO_KEY = {};

  private final IndexDefinition definition;
  private final String name;
  private final boolean id;
  private final boolean unique;
  private final boolean sparse;
  private final KeyPattern pattern;
  private final List<FieldPath> paths;
  private final boolean[] descending;
  private final AtomicLongArray seenArrays;
  private final AtomicLongArray storedArrays;
  private final AtomicReference<IndexKeyExtractor> idleExtractor = new AtomicReference<>();
  private final GreatestKeys greatestKeys = new GreatestKeys();
  private final LongAdder uses = new LongAdder();
  private final long usedSinceMillis = Clock.system().wallMillis();
  private volatile boolean multikey;

  /** What the keys of an index are made of. */
  public enum Kind {
    /** Values in their order. */
    ORDERED,
    /** One field is the hash of its value, so that only equality can be looked up. */
    HASHED,
    /** Keys are a path and the value there, for all paths or some. */
    WILDCARD
  }

  /** A part of a path that met an array for the first time. */
  public final class ArrayMark {
    private final int field;
    private final int part;

    private ArrayMark(int field, int part) {
      this.field = field;
      this.part = part;
    }

    /** Its key in the catalog. */
    public byte[] key() {
      return CatalogKeys.multikey(ident(), field, part);
    }

    /** To be called when the mutation that carries the mark is committed. */
    public void persisted() {
      storedArrays.accumulateAndGet(field, 1L << part, (a, b) -> a | b);
    }
  }

  private Index(IndexDefinition definition) {
    this.definition = definition;
    this.name = definition.name();
    this.id = definition.isId();
    this.unique = definition.isUnique();
    this.sparse = definition.isSparse();
    this.pattern = KeyPattern.of(definition.key());
    this.paths = pattern.fields().stream().map(KeyPattern.Field::path).toList();
    this.descending = pattern.descending();
    this.seenArrays = new AtomicLongArray(paths.size());
    this.storedArrays = new AtomicLongArray(paths.size());
  }

  /** An index with the array marks that are stored for it. */
  static Index open(IndexDefinition definition, ReadView view) {
    var index = new Index(definition);
    long[] marks = index.storedArrayParts(view);
    for (int field = 0; field < marks.length; field++) {
      index.seenArrays.set(field, marks[field]);
      index.storedArrays.set(field, marks[field]);
      if (marks[field] != 0) {
        index.multikey = true;
      }
    }
    return index;
  }

  /** The array marks that a state of the store has for this index: a bit set for each field. */
  public long[] storedArrayParts(ReadView view) {
    long[] parts = new long[fieldCount()];
    try (KeyValueCursor marks =
        view.cursor(
            Keyspace.CATALOG,
            CatalogKeys.multikey(ident()),
            CatalogKeys.multikey(ident() + 1),
            false)) {
      while (marks.next()) {
        byte[] key = marks.key();
        parts[CatalogKeys.multikeyField(key)] |= 1L << CatalogKeys.multikeyPart(key);
      }
    }
    return parts;
  }

  public IndexDefinition definition() {
    return definition;
  }

  public String name() {
    return name;
  }

  public int ident() {
    return definition.ident();
  }

  public boolean isId() {
    return id;
  }

  public boolean isUnique() {
    return unique;
  }

  public boolean isSparse() {
    return sparse;
  }

  public Kind kind() {
    return Kind.ORDERED;
  }

  /** Whether queries do not use the index, which is kept up to date all the same. */
  public boolean isHidden() {
    return definition.isHidden();
  }

  /** What documents must match to be in the index; null if all are. */
  public MatchExpression partialFilter() {
    return null;
  }

  /** How many values a stored key has: the fields, and for a wildcard index the path. */
  public int keyPartCount() {
    return fieldCount();
  }

  public boolean isKeyPartDescending(int part) {
    return isDescending(part);
  }

  /** Whether some document has several entries, or a single-element array, in this index. */
  public boolean isMultikey() {
    return multikey;
  }

  /** Whether a field's path has met an array, so that a document may have several of its values. */
  public boolean hasArray(int field) {
    return seenArrays.get(field) != 0;
  }

  /**
   * Whether two fields may lead through the same array. A document that meets a condition on each
   * of them may then do so with two elements, and no single key of it meets both.
   */
  public boolean shareArray(int field, int other) {
    long arrays = seenArrays.get(field) | seenArrays.get(other);
    if (arrays == 0) {
      return false;
    }
    FieldPath path = paths.get(field);
    FieldPath otherPath = paths.get(other);
    int common = 0;
    while (common < Math.min(path.length(), otherPath.length())
        && path.name(common).equals(otherPath.name(common))) {
      common++;
    }
    return (common < Long.SIZE ? arrays & ((1L << common) - 1) : arrays) != 0;
  }

  /** Notes that a query reads this index. */
  public void used() {
    uses.increment();
  }

  /** How many queries have read this index since it was opened. */
  public long uses() {
    return uses.sum();
  }

  public long usedSinceMillis() {
    return usedSinceMillis;
  }

  public int fieldCount() {
    return paths.size();
  }

  public FieldPath path(int field) {
    return paths.get(field);
  }

  public boolean isDescending(int field) {
    return descending[field];
  }

  public boolean mayBeAffectedBy(TouchedPaths touched) {
    for (FieldPath path : paths) {
      if (touched.mayAffect(path.dotted())) {
        return true;
      }
    }
    return false;
  }

  /** Puts the document's entries into {@code entries}, replacing what is there. */
  public void collect(RawDocument document, IndexEntries entries) {
    entries.reset();
    if (id) {
      entries.add(keyOf(document.get("_id")), NO_TYPE_BITS);
      return;
    }
    // One extractor lies ready; writers that come while it is in use make their own.
    IndexKeyExtractor extractor = idleExtractor.getAndSet(null);
    if (extractor == null) {
      extractor = new IndexKeyExtractor(pattern, sparse, ident());
    }
    extractor.extract(document, entries);
    if (extractor.multikey()) {
      long[] parts = new long[fieldCount()];
      for (int field = 0; field < parts.length; field++) {
        parts[field] = extractor.arrayParts(field);
      }
      entries.arrayParts(parts);
    }
    idleExtractor.set(extractor);
  }

  /** The key, ident included, of an index on one field for a value. */
  public byte[] keyOf(RawValue value) {
    return new IndexKeyV1.Encoder().appendIdent(ident()).append(value, descending[0]).toByteArray();
  }

  /** Whether a unique key belongs to a record; if not, the caller is about to add it. */
  public boolean isTaken(byte[] key, long recordId, StorageEngine storage) {
    // Other keys than identifiers have no order to make use of.
    if (id && greatestKeys.addIfAbsent(key, () -> greatestKey(storage))) {
      return false;
    }
    byte[] holder = new byte[RecordKeys.RECORD_ID_BYTES];
    return storage.get(Keyspace.INDEX, key, key.length, holder) >= 0
        && RecordKeys.recordId(holder, 0) != recordId;
  }

  private byte[] greatestKey(ReadView view) {
    try (KeyValueCursor keys =
        view.cursor(
            Keyspace.INDEX, RecordKeys.lowerBound(ident()), RecordKeys.upperBound(ident()), true)) {
      return keys.next() ? Arrays.copyOf(keys.key(), keys.keyLength()) : NO_KEY;
    }
  }

  /** Marks for arrays that the entries met and that are not stored yet. */
  public List<ArrayMark> newArrayMarks(IndexEntries entries) {
    long[] parts = entries.arrayParts();
    if (parts == null) {
      return List.of();
    }
    var marks = new ArrayList<ArrayMark>();
    for (int field = 0; field < parts.length; field++) {
      long missing = parts[field] & ~storedArrays.get(field);
      if (missing != 0) {
        multikey = true;
        seenArrays.accumulateAndGet(field, missing, (a, b) -> a | b);
      }
      for (int part = 0; missing != 0; part++, missing >>>= 1) {
        if ((missing & 1) != 0) {
          marks.add(new ArrayMark(field, part));
        }
      }
    }
    return marks;
  }

  /** Whether all arrays that the entries met are among the marks. */
  public static boolean coversArrays(long[] marks, IndexEntries entries) {
    long[] parts = entries.arrayParts();
    for (int field = 0; parts != null && field < parts.length; field++) {
      if ((parts[field] & ~marks[field]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The values of a key (ident included) under the names of the index's fields. */
  public RawDocument keyDocument(byte[] key, byte[] typeBits) {
    return keyDocument(key, key.length, typeBits, 0, typeBits.length);
  }

  /** The values of the entry that a cursor stands on. */
  public RawDocument keyDocument(KeyValueCursor entry) {
    int bitsOffset = unique ? RecordKeys.RECORD_ID_BYTES : 0;
    return keyDocument(
        entry.key(),
        entry.keyLength(),
        entry.value(),
        bitsOffset,
        entry.valueLength() - bitsOffset);
  }

  private RawDocument keyDocument(
      byte[] key, int keyLength, byte[] typeBits, int bitsOffset, int bitsLength) {
    RawValue[] values =
        IndexKeyV1.decode(
            key,
            RecordKeys.IDENT_BYTES,
            keyLength - RecordKeys.IDENT_BYTES,
            typeBits,
            bitsOffset,
            bitsLength,
            descending);
    var document = new BsonBuilder();
    for (int i = 0; i < values.length; i++) {
      document.append(paths.get(i).dotted(), values[i]);
    }
    return document.toDocument();
  }

  /** What a unique index stores under a key. */
  public static byte[] uniqueValue(long recordId, byte[] typeBits) {
    byte[] value = new byte[RecordKeys.RECORD_ID_BYTES + typeBits.length];
    RecordKeys.writeRecordId(value, 0, recordId);
    System.arraycopy(typeBits, 0, value, RecordKeys.RECORD_ID_BYTES, typeBits.length);
    return value;
  }

  /** The full key of an entry in an index that is not unique. */
  public static byte[] withRecordId(byte[] key, long recordId) {
    byte[] full = Arrays.copyOf(key, key.length + RecordKeys.RECORD_ID_BYTES);
    RecordKeys.writeRecordId(full, key.length, recordId);
    return full;
  }
}
