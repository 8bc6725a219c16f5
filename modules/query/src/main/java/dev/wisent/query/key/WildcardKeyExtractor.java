package dev.wisent.query.key;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.path.FieldPath;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One key for each path and value of a document. An array gives its elements under its own path, an
 * empty one undefined; an array in an array and an empty document are values. Fields whose names
 * have dots cannot be queried and are left out.
 *
 * <p>In a compound index the values of the other fields stand around path and value; none of them
 * may be an array. A document without any path in the index then has a key with MinKey for both,
 * unless it has none of the other fields either.
 */
final class WildcardKeyExtractor implements KeyExtractor {
  private final List<KeyPattern.Field> fields;
  private final int wildcard;
  private final WildcardPaths paths;
  private final int ident;
  private final Collation collation;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();
  private final RawValue[] others;
  private final Set<ByteBuffer> seen = new HashSet<>();
  private final Set<FieldPath> arrayPaths = new HashSet<>();
  private final StringBuilder path = new StringBuilder();
  private KeySink sink;

  WildcardKeyExtractor(KeyPattern pattern, WildcardPaths paths, int ident) {
    this.fields = pattern.fields();
    this.wildcard = pattern.fieldOf(KeyPattern.FieldKind.WILDCARD);
    this.paths = paths;
    this.ident = ident;
    this.collation = pattern.collation();
    this.others = new RawValue[fields.size()];
  }

  @Override
  public void extract(RawDocument document, KeySink to) {
    seen.clear();
    arrayPaths.clear();
    path.setLength(0);
    sink = to;
    boolean hasOthers = readOthers(document);
    walk(paths.indexedPart(document).elements(), true, false);
    if (seen.isEmpty() && hasOthers) {
      emit(RawValue.MIN_KEY, RawValue.MIN_KEY);
    }
  }

  /** Whether the document has any of the fields that are no wildcard. */
  private boolean readOthers(RawDocument document) {
    boolean any = false;
    for (int i = 0; i < others.length; i++) {
      if (i == wildcard) {
        continue;
      }
      FieldPath field = fields.get(i).path();
      RawValue value = PlainValues.valueOrArray(document, field);
      if (value != null && value.isArray()) {
        throw new CommandException(
            ErrorCode.COMPOUND_WILDCARD_ON_ARRAY,
            "compound wildcard indexes do not support array values in regular fields. Found array"
                + " at path: "
                + PlainValues.pathToArray(document, field));
      }
      any |= value != null;
      others[i] = value == null ? RawValue.NULL : Collation.key(collation, value);
    }
    return any;
  }

  private void walk(ElementCursor elements, boolean atRoot, boolean inArray) {
    int length = path.length();
    while (elements.next()) {
      if (!inArray) {
        String name = elements.name();
        if (name.indexOf('.') >= 0) {
          continue;
        }
        path.append(atRoot ? "" : ".").append(name);
      }
      value(elements.value(), inArray);
      path.setLength(length);
    }
  }

  private void value(RawValue value, boolean inArray) {
    boolean isArray = value.isArray();
    if (isArray && !inArray) {
      arrayPaths.add(FieldPath.of(path.toString()));
    }
    if ((isArray && inArray) || (!isArray && !value.isDocument())) {
      emit(value);
    } else if (value.asDocument().isEmpty()) {
      emit(isArray ? RawValue.UNDEFINED : value);
    } else {
      walk(value.elements(), false, isArray);
    }
  }

  private void emit(RawValue value) {
    emit(RawValue.ofString(path.toString()), Collation.key(collation, value));
  }

  private void emit(RawValue at, RawValue value) {
    encoder.reset();
    encoder.appendIdent(ident);
    for (int i = 0; i < others.length; i++) {
      boolean descending = fields.get(i).descending();
      if (i == wildcard) {
        encoder.append(at, descending).append(value, descending);
      } else {
        encoder.append(others[i], descending);
      }
    }
    if (seen.add(ByteBuffer.wrap(encoder.toByteArray()))) {
      sink.accept(encoder);
    }
  }

  @Override
  public boolean multikey() {
    return !arrayPaths.isEmpty();
  }

  @Override
  public long arrayParts(int field) {
    return 0;
  }

  @Override
  public Set<FieldPath> arrayPaths() {
    return Set.copyOf(arrayPaths);
  }
}
