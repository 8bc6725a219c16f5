package dev.wisent.pipeline.sort;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.FieldFinder;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.key.IndexKeyExtractor;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.KeySink;
import java.util.Arrays;

/**
 * Makes sort keys: byte arrays whose unsigned order is the order of the pattern.
 *
 * <p>A document is sorted by the first of the keys that an index on the pattern would have for it.
 * So a missing field sorts as null, an empty array before it; of an array the element that comes
 * first counts: the smallest when ascending, the largest when descending; and fields from the same
 * array are taken from the same element. Belongs to one thread.
 */
public final class SortKeyGenerator {
  private static final int NONE = -1;

  /** What is kept for the next key; larger arrays are made anew. */
  private static final int KEPT_BYTES_MAX = 64 << 10;

  private final IndexKeyExtractor extractor;
  private final KeySink sink = this::offer;

  /** Finds the fields of a pattern that leads to no nested ones; null for others. */
  private final FieldFinder finder;

  private final boolean[] descending;
  private IndexKeyV1.Encoder plain = new IndexKeyV1.Encoder();
  private byte[] first = new byte[64];
  private int length = NONE;

  public SortKeyGenerator(SortPattern pattern) {
    this.extractor = pattern.isEmpty() ? null : new IndexKeyExtractor(keys(pattern), false);
    this.finder = isPlain(pattern) ? finder(pattern) : null;
    this.descending = new boolean[pattern.parts().size()];
    for (int i = 0; i < descending.length; i++) {
      descending[i] = pattern.parts().get(i).descending();
    }
  }

  /** Metadata may be there twice, which the finder of fields is not made for. */
  private static boolean isPlain(SortPattern pattern) {
    return pattern.collation() == null
        && pattern.parts().stream().map(SortPattern.Part::path).distinct().count()
            == pattern.parts().size()
        && pattern.parts().stream().allMatch(part -> part.path().length() == 1);
  }

  private static FieldFinder finder(SortPattern pattern) {
    return FieldFinder.of(pattern.parts().stream().map(part -> part.path().name(0)).toList());
  }

  static KeyPattern keys(SortPattern pattern) {
    return new KeyPattern(
        pattern.parts().stream()
            .map(part -> new KeyPattern.Field(part.path(), part.descending()))
            .toList(),
        pattern.collation());
  }

  /** The key of a document, in an array of its own. */
  public byte[] key(RawDocument document) {
    generate(document);
    return Arrays.copyOf(first, length);
  }

  /** Lets go of the memory of a large key. */
  void trim() {
    if (first.length > KEPT_BYTES_MAX) {
      first = new byte[64];
    }
    if (plain.bytes().length > KEPT_BYTES_MAX) {
      plain = new IndexKeyV1.Encoder();
    }
  }

  /** Makes the key of a document, which is then in {@link #bytes}. */
  void generate(RawDocument document) {
    length = NONE;
    if (extractor == null) {
      length = 0;
      return;
    }
    if (finder != null && isMadeOfFields(document)) {
      return;
    }
    extract(extractor, document, sink);
  }

  static void extract(IndexKeyExtractor extractor, RawDocument document, KeySink sink) {
    try {
      extractor.extract(document, sink);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS) {
        throw e;
      }
      throw new CommandException(
          ErrorCode.BAD_VALUE, "cannot sort with keys that are parallel arrays");
    }
  }

  /** Makes the key in one walk over the document; false where an array has to be entered. */
  private boolean isMadeOfFields(RawDocument document) {
    finder.find(document);
    plain.reset();
    for (int i = 0; i < descending.length; i++) {
      byte type = finder.isFound(i) ? finder.type(i) : ElementType.NULL;
      if (type == ElementType.ARRAY) {
        return false;
      }
      plain.append(type, finder.bytes(), finder.offset(i), descending[i]);
    }
    offer(plain);
    return true;
  }

  /** The array that holds the last key; it changes with the next one. */
  byte[] bytes() {
    return first;
  }

  int length() {
    return length;
  }

  private void offer(IndexKeyV1.Encoder key) {
    if (length == NONE
        || Arrays.compareUnsigned(key.bytes(), 0, key.length(), first, 0, length) < 0) {
      length = key.length();
      if (length > first.length) {
        first = new byte[Math.max(length, 2 * first.length)];
      }
      System.arraycopy(key.bytes(), 0, first, 0, length);
    }
  }
}
