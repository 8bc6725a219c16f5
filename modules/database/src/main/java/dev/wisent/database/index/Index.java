package dev.wisent.database.index;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.geo.GeoCells;
import dev.wisent.query.key.HashedValue;
import dev.wisent.query.key.KeyExtractor;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.KeyPattern.FieldKind;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.text.TextIndexSpec;
import dev.wisent.query.update.TouchedPaths;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** An index at run time: what its keys are, and which of its paths have met arrays. Thread-safe. */
public final class Index {
  private static final byte[] NO_TYPE_BITS = {};

  /** What MongoDB calls the path in a key of a wildcard index. */
  private static final String WILDCARD_PATH = "$_path";

  private final IndexDefinition definition;
  private final String name;
  private final boolean id;
  private final boolean unique;
  private final boolean sparse;
  private final boolean hidden;
  private final boolean prepareUnique;
  private final KeyRecipe recipe;
  private final KeyPattern pattern;
  private final List<FieldPath> paths;
  private final boolean[] descendingParts;
  private final int wildcardField;
  private final int hashedField;
  private final PartialFilter partialFilter;
  private final ArrayMarks arrays;
  private final AtomicReference<KeyExtractor> idleExtractor = new AtomicReference<>();
  private final UniqueKeys uniqueKeys;

  private final LongAdder uses = new LongAdder();
  private final long usedSinceMillis;

  /** What the keys of an index are made of. */
  public enum Kind {
    /** Values in their order. */
    ORDERED,
    /** One field is the hash of its value, so that only equality can be looked up. */
    HASHED,
    /** Keys are a path and the value there, for all paths or some. */
    WILDCARD,
    /** Keys are a term and its score, for all words of some fields. */
    TEXT,
    /** Some fields are the cells of the sphere that places touch; documents without are not in. */
    SPHERE,
    /**
     * The first field is the cell of the plane that a point is in; documents without are not in.
     */
    PLANE
  }

  /**
   * A part of a path that met an array for the first time.
   *
   * @param key its key in the catalog
   */
  public record ArrayMark(byte[] key, Runnable whenStored) {
    /** To be called when the mutation that carries the mark is committed. */
    public void persisted() {
      whenStored.run();
    }
  }

  private Index(IndexDefinition definition, ReadView view, Clock clock) {
    this.definition = definition;
    this.usedSinceMillis = clock.wallMillis();
    this.name = definition.name();
    this.id = definition.isId();
    this.unique = definition.isUnique();
    this.sparse = definition.isSparse();
    this.hidden = definition.isHidden();
    this.prepareUnique = definition.isPrepareUnique();
    this.recipe = KeyRecipe.of(definition);
    this.pattern = recipe.pattern();
    this.paths = pattern.fields().stream().map(KeyPattern.Field::path).toList();
    this.descendingParts = pattern.descending();
    this.wildcardField = pattern.fieldOf(FieldKind.WILDCARD);
    this.hashedField = pattern.fieldOf(FieldKind.HASH);
    this.partialFilter = PartialFilter.of(definition.partialFilter(), pattern.collation());
    this.uniqueKeys = new UniqueKeys(definition.ident(), id, unique);
    this.arrays = ArrayMarks.open(definition.ident(), paths.size(), view);
  }

  /** An index with the array marks that are stored for it, whose uses are counted from now on. */
  public static Index open(IndexDefinition definition, ReadView view, Clock clock) {
    return new Index(definition, view, clock);
  }

  /** The array marks that a state of the store has for this index. */
  public ArrayMarks storedArrays(ReadView view) {
    return ArrayMarks.open(ident(), fieldCount(), view);
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

  /** Whether a document may not get a key that another one has. */
  public boolean refusesDuplicates() {
    return unique || prepareUnique;
  }

  /** Whose keys stand in the place of strings; null for strings as they are. */
  public Collation collation() {
    return pattern.collation();
  }

  public Kind kind() {
    return recipe.kind();
  }

  /** What a text index has of documents; null for every other. */
  public TextIndexSpec text() {
    return recipe.text();
  }

  /** Whether queries do not use the index, which is kept up to date all the same. */
  public boolean isHidden() {
    return hidden;
  }

  /** What documents must match to be in the index; null if all are. */
  public MatchExpression partialFilter() {
    return partialFilter == null ? null : partialFilter.expression();
  }

  /** How many values a stored key has: the fields, and for a wildcard index the path. */
  public int keyPartCount() {
    return descendingParts.length;
  }

  public boolean isKeyPartDescending(int part) {
    return descendingParts[part];
  }

  /** The field that is a wildcard, or -1. */
  public int wildcardField() {
    return wildcardField;
  }

  /** The field of which only a hash is in the keys, or -1. */
  public int hashedField() {
    return hashedField;
  }

  /** What the keys have of a field. */
  public FieldKind fieldKind(int field) {
    return pattern.fields().get(field).kind();
  }

  /** The cells of an index of places; null for every other. */
  public GeoCells cells() {
    return recipe.cells();
  }

  /** What stands in the keys of a hashed index for all that equals a value; none if unknown. */
  public List<RawValue> hashedKeys(RawValue value) {
    return HashedValue.ofEqual(value).stream().map(RawValue::ofInt64).toList();
  }

  /**
   * Whether a wildcard index has every value at this path. It has none for a missing field, the
   * fields of a document under their own paths, and only empty documents as values. A path with a
   * number behind its first part is never covered: that may be a position in an array.
   */
  public boolean coversPath(FieldPath path) {
    return recipe.wildcard() != null && recipe.wildcard().covers(path);
  }

  /**
   * Which parts of a path below the wildcard may be arrays: bit 0 for the first. Those from the
   * 64th on share the last bit.
   */
  public long wildcardArrayParts(FieldPath path) {
    return arrays.partsOf(path);
  }

  /** Whether some document has several entries, or a single-element array, in this index. */
  public boolean isMultikey() {
    return arrays.any();
  }

  /** Which parts of a field's path have met arrays: bit 0 for the first. */
  public long arrayParts(int field) {
    return arrays.parts(field);
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
    return pattern.fields().get(field).descending();
  }

  /** Whether a change of these paths may change the entries of a document. */
  public boolean mayBeAffectedBy(TouchedPaths touched) {
    return recipe.mayBeAffectedBy(touched) || (partialFilter != null && decidesPresence(touched));
  }

  private boolean decidesPresence(TouchedPaths touched) {
    var affected = new AtomicBoolean();
    partialFilter()
        .forEachPath(path -> affected.compareAndSet(false, touched.mayAffect(path.dotted())));
    return affected.get();
  }

  /** Puts the document's entries into {@code entries}, replacing what is there. */
  public void collect(RawDocument document, IndexEntries entries) {
    entries.reset();
    if (id) {
      entries.add(keyOf(document.get("_id")), NO_TYPE_BITS);
      return;
    }
    if (partialFilter != null && !partialFilter.matches(document, entries.meter())) {
      return;
    }
    // One extractor lies ready; writers that come while it is in use make their own.
    KeyExtractor extractor = idleExtractor.getAndSet(null);
    if (extractor == null) {
      extractor = recipe.newExtractor();
    }
    extractor.extract(document, entries);
    if (extractor.multikey()) {
      long[] parts = new long[fieldCount()];
      for (int field = 0; field < parts.length; field++) {
        parts[field] = extractor.arrayParts(field);
      }
      entries.arrayParts(parts);
      entries.arrayPaths(extractor.arrayPaths());
    }
    idleExtractor.set(extractor);
  }

  /** The key, ident included, of an index on one field for a value as documents have it. */
  public byte[] keyOf(RawValue value) {
    return new IndexKeyV1.Encoder()
        .appendIdent(ident())
        .append(Collation.key(pattern.collation(), value), descendingParts[0])
        .toByteArray();
  }

  /** Whose its keys are, for an index that refuses duplicates. */
  public UniqueKeys uniqueKeys() {
    return uniqueKeys;
  }

  public ArrayMarks arrays() {
    return arrays;
  }

  /** Replicated entries have written keys without {@link UniqueKeys#isTaken}. */
  public void writtenByOtherLeader() {
    uniqueKeys.forget();
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
            descendingParts);
    var document = new BsonBuilder();
    int part = 0;
    for (KeyPattern.Field field : pattern.fields()) {
      if (field.kind() == FieldKind.WILDCARD) {
        RawValue path = values[part++];
        document.append(WILDCARD_PATH, path);
        document.append(path.isString() ? path.asString() : "", values[part++]);
      } else {
        document.append(field.path().dotted(), values[part++]);
      }
    }
    return document.toDocument();
  }
}
