package dev.wisent.query.key;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.geo.GeoCells;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathValues;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Keys of a {@code 2d} index: the cell of a point, and behind it what the other fields have, all
 * values of one field as an array. A document without a point has no keys.
 */
final class PlaneKeyExtractor implements KeyExtractor {
  private final List<KeyPattern.Field> fields;
  private final GeoCells cells;
  private final int ident;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();
  private long arrayParts;

  PlaneKeyExtractor(KeyPattern pattern, GeoCells cells, int ident) {
    this.fields = pattern.fields();
    this.cells = cells;
    this.ident = ident;
  }

  @Override
  public void extract(RawDocument document, KeySink sink) {
    FieldPath path = fields.getFirst().path();
    int last = path.length() - 1;
    var points = new ArrayList<RawValue>(1);
    arrayParts =
        PathValues.forEach(
            document, path, place -> points.addAll(cells.keys(place, path.name(last), document)));
    if (points.size() > 1) {
      arrayParts |= 1L << Math.min(last, Long.SIZE - 1);
    }
    Set<ByteBuffer> seen = points.size() > 1 ? new HashSet<>() : null;
    for (RawValue point : points) {
      encoder.reset();
      encoder.appendIdent(ident);
      encoder.append(point, false);
      for (KeyPattern.Field other : fields.subList(1, fields.size())) {
        encoder.append(together(document, other.path()), other.descending());
      }
      if (seen == null || seen.add(ByteBuffer.wrap(encoder.toByteArray()))) {
        sink.accept(encoder);
      }
    }
  }

  /** The value of a field, or an array of its different values in order. */
  private static RawValue together(RawDocument document, FieldPath path) {
    var values = new ArrayList<RawValue>(1);
    PathValues.forEach(document, path, value -> addElements(value, values));
    values.sort(ValueOrder::compare);
    var different = new BsonBuilder();
    RawValue first = null;
    RawValue before = null;
    int count = 0;
    for (RawValue value : values) {
      if (before == null || !ValueOrder.equal(before, value)) {
        first = first == null ? value : first;
        different.append(count++, value);
      }
      before = value;
    }
    return switch (count) {
      case 0 -> RawValue.NULL;
      case 1 -> first;
      default -> RawValue.ofArray(different.toDocument());
    };
  }

  private static void addElements(RawValue value, List<RawValue> values) {
    if (!value.isArray()) {
      values.add(value);
      return;
    }
    ElementCursor elements = value.elements();
    while (elements.next()) {
      values.add(elements.value());
    }
  }

  @Override
  public boolean multikey() {
    return arrayParts != 0;
  }

  @Override
  public long arrayParts(int field) {
    return field == 0 ? arrayParts : 0;
  }

  @Override
  public Set<FieldPath> arrayPaths() {
    return Set.of();
  }
}
