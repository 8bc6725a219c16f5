package dev.wisent.query.key;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.geo.GeoCells;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathValues;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Keys of a {@code 2dsphere} index: the cells of places, with the values of other fields around
 * them. Every value of a field is combined with every one of the others. A document without any
 * place has no keys, whatever else it has.
 */
final class SphereKeyExtractor implements KeyExtractor {
  /** MongoDB's indexMaxNumGeneratedKeysPerDocument. */
  private static final long KEYS_MAX = 100_000;

  private final List<KeyPattern.Field> fields;
  private final Collation collation;
  private final GeoCells cells;
  private final int ident;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();
  private final long[] arrayParts;
  private final List<List<RawValue>> values = new ArrayList<>();
  private boolean multikey;

  SphereKeyExtractor(KeyPattern pattern, GeoCells cells, int ident) {
    this.fields = pattern.fields();
    this.collation = pattern.collation();
    this.cells = cells;
    this.ident = ident;
    this.arrayParts = new long[fields.size()];
  }

  @Override
  public void extract(RawDocument document, KeySink sink) {
    values.clear();
    multikey = false;
    boolean hasPlace = false;
    long keys = 1;
    for (int i = 0; i < fields.size(); i++) {
      List<RawValue> found = new ArrayList<>(1);
      arrayParts[i] = PathValues.forEach(document, fields.get(i).path(), found::add);
      boolean isPlace = fields.get(i).kind() == KeyPattern.FieldKind.SPHERE;
      if (isPlace && isNothing(found)) {
        found = List.of();
      }
      hasPlace |= isPlace && !found.isEmpty();
      List<RawValue> parts = isPlace ? cells(found, i, document) : expanded(found, i);
      values.add(parts.isEmpty() ? List.of(RawValue.NULL) : parts);
      multikey |= arrayParts[i] != 0;
      keys *= values.getLast().size();
      if (keys > KEYS_MAX) {
        throw new CommandException(
            ErrorCode.CANNOT_BUILD_INDEX_KEYS,
            "Insert of geo object exceeded maximum number of generated keys: "
                + ValueText.of(document));
      }
    }
    if (hasPlace) {
      emit(keys, sink);
    }
  }

  /** Null, undefined, an empty array and an empty document are no place. */
  private static boolean isNothing(List<RawValue> found) {
    if (found.size() != 1) {
      return false;
    }
    RawValue only = found.getFirst();
    return only.isNullish()
        || ((only.isArray() || only.isDocument()) && only.asDocument().isEmpty());
  }

  private List<RawValue> cells(List<RawValue> places, int field, RawDocument document) {
    FieldPath path = fields.get(field).path();
    String name = path.name(path.length() - 1);
    if (places.size() == 1) {
      List<RawValue> keys = cells.keys(places.getFirst(), name, document);
      markIfSeveral(keys, field);
      return keys;
    }
    var all = new ArrayList<RawValue>();
    for (RawValue place : places) {
      List<RawValue> keys = cells.keys(place, name, document);
      markIfSeveral(keys, field);
      all.addAll(keys);
    }
    return all;
  }

  private void markIfSeveral(List<RawValue> keys, int field) {
    if (keys.size() > 1) {
      markLastPart(field);
    }
  }

  private void markLastPart(int field) {
    int last = fields.get(field).path().length() - 1;
    arrayParts[field] |= 1L << Math.min(last, Long.SIZE - 1);
  }

  /** Arrays by their elements, an empty one as undefined. */
  private List<RawValue> expanded(List<RawValue> found, int field) {
    if (found.stream().noneMatch(RawValue::isArray)) {
      return found;
    }
    markLastPart(field);
    var expanded = new ArrayList<RawValue>();
    for (RawValue value : found) {
      if (!value.isArray()) {
        expanded.add(value);
      } else if (value.asDocument().isEmpty()) {
        expanded.add(RawValue.UNDEFINED);
      } else {
        ElementCursor elements = value.elements();
        while (elements.next()) {
          expanded.add(elements.value());
        }
      }
    }
    return expanded;
  }

  private void emit(long keys, KeySink sink) {
    Set<ByteBuffer> seen = keys > 1 ? new HashSet<>() : null;
    int[] choice = new int[fields.size()];
    do {
      encoder.reset();
      encoder.appendIdent(ident);
      for (int i = 0; i < choice.length; i++) {
        // The key of a cell is a number, which no collation changes.
        RawValue value = Collation.key(collation, values.get(i).get(choice[i]));
        encoder.append(value, fields.get(i).descending());
      }
      if (seen == null || seen.add(ByteBuffer.wrap(encoder.toByteArray()))) {
        sink.accept(encoder);
      }
    } while (advance(choice));
  }

  /** Goes to the next combination; false behind the last one. */
  private boolean advance(int[] choice) {
    for (int i = choice.length - 1; i >= 0; i--) {
      if (++choice[i] < values.get(i).size()) {
        return true;
      }
      choice[i] = 0;
    }
    return false;
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
}
