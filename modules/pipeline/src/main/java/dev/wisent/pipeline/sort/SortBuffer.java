package dev.wisent.pipeline.sort;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Documents with their sort keys, all of it bytes in a few large arrays, so that a document costs
 * no object. They are added, sorted, and then read by their place in the order.
 *
 * <p>An entry is the length of the key, the record id, the key and the document.
 */
final class SortBuffer {
  private static final int PAGE_BYTES = 1 << 18;
  private static final int FIRST_PAGE_BYTES = 1 << 12;
  private static final int HEADER_BYTES = 12;

  /** What an entry takes in the arrays of words and positions, and again while they are sorted. */
  private static final int PLACE_BYTES = 32;

  private final List<byte[]> pages = new ArrayList<>();
  private byte[] page = {};
  private int pageEnd;

  /** Where each entry begins: the page in the upper half, the place in it in the lower. */
  private long[] positions = new long[16];

  /** The beginning of each key, as {@link KeyWords} compares it. */
  private long[] words = new long[16];

  private int size;
  private long bytes;

  int size() {
    return size;
  }

  /** The bytes of memory that are taken. */
  long bytes() {
    return bytes;
  }

  /** Adds an entry, copying it; returns what it takes. */
  long add(byte[] key, int keyLength, RawDocument document, long recordId) {
    int length = HEADER_BYTES + keyLength + document.length();
    if (pageEnd + length > page.length) {
      begin(length);
    }
    int at = pageEnd;
    LittleEndian.putInt32(page, at, keyLength);
    LittleEndian.putInt64(page, at + 4, recordId);
    System.arraycopy(key, 0, page, at + HEADER_BYTES, keyLength);
    System.arraycopy(
        document.bytes(),
        document.offset(),
        page,
        at + HEADER_BYTES + keyLength,
        document.length());
    pageEnd = at + length;
    if (size == positions.length) {
      positions = Arrays.copyOf(positions, 2 * size);
      words = Arrays.copyOf(words, 2 * size);
    }
    positions[size] = (long) (pages.size() - 1) << Integer.SIZE | at;
    words[size] = KeyWords.word(page, at + HEADER_BYTES, keyLength);
    size++;
    long taken = (long) length + PLACE_BYTES;
    bytes += taken;
    return taken;
  }

  /** Small buffers stay small. */
  private void begin(int length) {
    int usual = Math.min(PAGE_BYTES, Math.max(FIRST_PAGE_BYTES, 2 * page.length));
    page = new byte[Math.max(length, usual)];
    pages.add(page);
    pageEnd = 0;
  }

  /** Sorts the entries by their keys; those with equal ones stay in the order of arrival. */
  void sort() {
    new KeyWords(words, positions, this::keyOf).sort(size);
  }

  private KeyWords.Key keyOf(long position) {
    byte[] in = pages.get((int) (position >>> Integer.SIZE));
    int at = (int) position;
    return new KeyWords.Key(in, at + HEADER_BYTES, LittleEndian.int32(in, at));
  }

  /** A copy of a key. */
  byte[] key(int entry) {
    KeyWords.Key key = keyOf(positions[entry]);
    return Arrays.copyOfRange(key.bytes(), key.offset(), key.offset() + key.length());
  }

  /** A document, over the bytes of the buffer. */
  SortedDocument document(int entry) {
    byte[] in = pages.get((int) (positions[entry] >>> Integer.SIZE));
    int at = (int) positions[entry];
    int document = at + HEADER_BYTES + LittleEndian.int32(in, at);
    return new SortedDocument(RawDocument.at(in, document), LittleEndian.int64(in, at + 4));
  }

  /** The first entries alone. */
  SortBuffer first(int count) {
    var kept = new SortBuffer();
    for (int i = 0; i < count; i++) {
      byte[] key = key(i);
      SortedDocument sorted = document(i);
      kept.add(key, key.length, sorted.document(), sorted.recordId());
    }
    return kept;
  }

  /** All entries in their order. */
  Iterator<SortEntry> entries() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < size;
      }

      @Override
      public SortEntry next() {
        int entry = next++;
        return new SortEntry(key(entry), 0, document(entry));
      }
    };
  }
}
