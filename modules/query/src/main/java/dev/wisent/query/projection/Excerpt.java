package dev.wisent.query.projection;

import dev.wisent.bson.FieldFinder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.path.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/**
 * What has to be kept of documents of which only some paths are looked at: the fields that the
 * paths begin with, as they are and in their order. Made once and used for one document after the
 * other, by one thread.
 */
public final class Excerpt {
  private static final int LENGTH_BYTES = 4;

  private final FieldFinder finder;
  private final int[] nameLengths;
  private byte[] kept = new byte[256];

  private Excerpt(List<String> names) {
    finder = FieldFinder.of(names);
    nameLengths =
        names.stream().mapToInt(name -> name.getBytes(StandardCharsets.UTF_8).length).toArray();
  }

  public static Excerpt ofPaths(Collection<String> paths) {
    return new Excerpt(paths.stream().map(path -> FieldPath.of(path).name(0)).distinct().toList());
  }

  /** What is kept of a document; valid until the next call. */
  public RawDocument of(RawDocument document) {
    if (kept.length < document.length()) {
      kept = new byte[Math.max(document.length(), 2 * kept.length)];
    }
    int end = LENGTH_BYTES;
    int field;
    finder.start(document);
    while ((field = finder.next()) >= 0) {
      // The type and the name stand before the value, with a zero behind the name.
      int start = finder.offset(field) - nameLengths[field] - 2;
      int length = finder.offset(field) + finder.length(field) - start;
      System.arraycopy(finder.bytes(), start, kept, end, length);
      end += length;
    }
    kept[end++] = 0;
    LittleEndian.putInt32(kept, 0, end);
    return new RawDocument(kept, 0, end);
  }
}
