package dev.wisent.query.aggregate;

import dev.wisent.bson.FieldFinder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/**
 * Documents without the fields that no stage looks at, so that stages which copy documents, some of
 * them many times, do not copy those. Nobody can tell in which order fields are, which is that of
 * their names here.
 */
final class TrimmedStream implements DocumentStream {
  private static final int LENGTH_BYTES = 4;

  /** The type and the end of the name. */
  private static final int ELEMENT_OVERHEAD_BYTES = 2;

  private final DocumentStream input;
  private final FieldFinder finder;
  private final int[] nameLengths;
  private byte[] out = new byte[256];

  /**
   * @param paths what stages look at
   */
  TrimmedStream(DocumentStream input, Collection<String> paths) {
    this.input = input;
    List<String> names = paths.stream().map(TrimmedStream::firstPart).distinct().toList();
    this.finder = FieldFinder.of(names);
    this.nameLengths =
        names.stream().mapToInt(name -> name.getBytes(StandardCharsets.UTF_8).length).toArray();
  }

  private static String firstPart(String path) {
    int end = path.indexOf('.');
    return end < 0 ? path : path.substring(0, end);
  }

  @Override
  public RawDocument next() {
    RawDocument document = input.next();
    if (document == null) {
      return null;
    }
    finder.find(document);
    if (out.length < document.length()) {
      out = new byte[Math.max(document.length(), out.length * 2)];
    }
    int at = LENGTH_BYTES;
    for (int i = 0; i < nameLengths.length; i++) {
      if (finder.isFound(i)) {
        int before = nameLengths[i] + ELEMENT_OVERHEAD_BYTES;
        int length = before + finder.length(i);
        System.arraycopy(finder.bytes(), finder.offset(i) - before, out, at, length);
        at += length;
      }
    }
    out[at++] = 0;
    LittleEndian.putInt32(out, 0, at);
    return new RawDocument(out, 0, at);
  }
}
