package dev.wisent.query.key;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.path.FieldPath;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * The keys of one document that has arrays on indexed paths. Every field follows its path up to the
 * first array; the fields that meet that array go on in each of its elements in turn, the others
 * keep their value. There may be another array inside the elements, so this repeats.
 */
final class ArrayExpansion {
  private static final int ARRAY_TEXT_MAX = 1024;

  private final IndexKeyExtractor extractor;
  private final KeySink sink;
  private final Set<ByteBuffer> seen = new HashSet<>();

  /** How far {@link #follow} came: the part behind the value it returned. */
  private int followed;

  ArrayExpansion(IndexKeyExtractor extractor, KeySink sink) {
    this.extractor = extractor;
    this.sink = sink;
  }

  /**
   * A field whose next part is the index of an element in the array that is being expanded.
   *
   * @param element the element itself
   * @param value what the rest of the path leads to: a value, an array on the way, or null
   * @param next the part behind that value
   */
  private record Picked(RawValue array, RawValue element, RawValue value, int next) {}

  /** Where the fields stand. A field whose next part is behind its path has its value. */
  private record State(int[] next, RawValue[] values, int missing) {
    State copy() {
      return new State(next.clone(), values.clone(), missing);
    }
  }

  /** The array that some fields have met, and which fields they are. */
  private static final class Meeting {
    private final boolean[] fields;
    private RawValue array;
    private String name;

    /** False where an element was picked by its index and is an array: it is indexed whole. */
    private boolean expandsValues = true;

    Meeting(int fieldCount) {
      fields = new boolean[fieldCount];
    }

    void add(int field, RawValue met, String metName) {
      if (array == null) {
        array = met;
        name = metName;
      } else if (array.offset() != met.offset()) {
        throw new CommandException(
            ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS,
            "cannot index parallel arrays [" + metName + "] [" + name + "]");
      }
      fields[field] = true;
    }
  }

  void run(RawDocument document) {
    int count = extractor.fieldCount();
    expand(document, new State(new int[count], new RawValue[count], 0), new Picked[count]);
  }

  private void expand(RawDocument document, State state, Picked[] picked) {
    int count = extractor.fieldCount();
    int missing = state.missing();
    var meeting = new Meeting(count);
    for (int i = 0; i < count; i++) {
      FieldPath path = extractor.path(i);
      if (state.next()[i] == path.length()) {
        continue;
      }
      RawValue value = nextValue(document, path, state.next()[i], picked[i]);
      if (value == null) {
        missing++;
        state.values()[i] = RawValue.NULL;
        state.next()[i] = path.length();
      } else if (value.isArray()) {
        state.next()[i] = followed;
        meeting.add(i, value, path.name(followed - 1));
        if (picked[i] != null && picked[i].element().isArray()) {
          meeting.expandsValues = false;
        }
      } else {
        state.next()[i] = followed;
        state.values()[i] = value;
      }
    }
    var reached = new State(state.next(), state.values(), missing);
    if (meeting.array == null) {
      emit(reached);
    } else if (meeting.array.asDocument().isEmpty()) {
      expandEmpty(reached, meeting);
    } else {
      expandElements(reached, meeting);
    }
  }

  /** Follows a path into the document, or takes up what an array index has picked. */
  private RawValue nextValue(RawDocument document, FieldPath path, int next, Picked picked) {
    if (picked == null) {
      return follow(document, path, next);
    }
    if (document.get(path.part(next)) != null) {
      throw ambiguous(path.name(next), picked.array());
    }
    followed = picked.next();
    return picked.value();
  }

  /** The value at the rest of the path, the first array on the way, or null. */
  private RawValue follow(RawDocument document, FieldPath path, int from) {
    RawDocument at = document;
    for (int part = from; ; part++) {
      RawValue value = at.get(path.part(part));
      if (value == null || value.isArray() || part == path.length() - 1) {
        followed = part + 1;
        return value;
      }
      if (!value.isDocument()) {
        return null;
      }
      at = value.asDocument();
    }
  }

  private void expandEmpty(State state, Meeting meeting) {
    for (int i = 0; i < extractor.fieldCount(); i++) {
      if (meeting.fields[i]) {
        if (meeting.expandsValues) {
          extractor.markArray(i, state.next()[i] - 1);
        }
        if (isAtEnd(state, i)) {
          state.values()[i] = RawValue.UNDEFINED;
        }
      }
    }
    expand(RawDocument.EMPTY, state, new Picked[extractor.fieldCount()]);
  }

  private void expandElements(State state, Meeting meeting) {
    int count = extractor.fieldCount();
    var picked = new Picked[count];
    boolean allAtEnd = true;
    for (int i = 0; i < count; i++) {
      if (!meeting.fields[i]) {
        continue;
      }
      if (isAtEnd(state, i)) {
        if (meeting.expandsValues) {
          extractor.markArray(i, extractor.path(i).length() - 1);
        }
        continue;
      }
      allAtEnd = false;
      picked[i] = pick(meeting.array, extractor.path(i), state.next()[i]);
      if (picked[i] == null) {
        extractor.markArray(i, state.next()[i] - 1);
      }
    }
    var elements = meeting.array.elements();
    while (elements.next()) {
      RawValue element = elements.value();
      State below = allAtEnd ? state : state.copy();
      for (int i = 0; i < count; i++) {
        if (meeting.fields[i] && isAtEnd(state, i)) {
          below.values()[i] = meeting.expandsValues ? element : meeting.array;
        }
      }
      if (allAtEnd) {
        emit(below);
      } else {
        RawDocument document = element.isDocument() ? element.asDocument() : RawDocument.EMPTY;
        expand(document, below, picked);
      }
    }
  }

  private boolean isAtEnd(State state, int field) {
    return state.next()[field] == extractor.path(field).length();
  }

  /** What the path leads to when its next part is an index of this array; null where it is not. */
  private Picked pick(RawValue array, FieldPath path, int next) {
    RawValue element = array.asDocument().get(path.part(next));
    if (element == null) {
      return null;
    }
    RawValue value = follow(array.asDocument(), path, next);
    return new Picked(array, element, value, followed);
  }

  private void emit(State state) {
    if (extractor.skips(state.missing())) {
      return;
    }
    IndexKeyV1.Encoder key = extractor.encode(state.values());
    if (seen.add(ByteBuffer.wrap(key.toByteArray()))) {
      if (seen.size() > 1) {
        extractor.markSeveralKeys();
      }
      sink.accept(key);
    }
  }

  // Error 16746 of MongoDB has no constant of its own yet.
  private static CommandException ambiguous(String name, RawValue array) {
    String text = ValueText.of(array.asDocument());
    if (text.length() >= ARRAY_TEXT_MAX) {
      int part = ARRAY_TEXT_MAX / 3;
      text = text.substring(0, part) + " .......... " + text.substring(text.length() - part);
    }
    return new CommandException(
        ErrorCode.INDEX_KEY_FIELD_AMBIGUOUS,
        "Ambiguous field name found in array (do not use numeric field names in embedded elements"
            + " in an array), field: '"
            + name
            + "' for array: "
            + text);
  }
}
