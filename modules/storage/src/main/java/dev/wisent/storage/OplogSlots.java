package dev.wisent.storage;

import java.util.List;

/**
 * The optimes that a log reserves for the oplog entries of a mutation. {@link #applyTo} appends
 * {@code ts}, {@code t}, {@code v} and {@code wall} to each entry, and {@code prevOpTime} where
 * they are chained. With them an entry is final, and becomes a change like any other. So do the
 * images of its documents, see {@link PreImage}.
 *
 * <p>Each entry takes one timestamp. An entry of several operations with images takes as many as
 * the record ids of the images need, and has the last of them.
 *
 * @param timestamp the first one, as the 64 bits of a BSON timestamp; the others follow one by one
 * @param term the term of the leader that wrote it
 */
public record OplogSlots(long timestamp, long term, long wallMillis) {
  private static final long VERSION = 2;
  private static final byte TIMESTAMP = 0x11;
  private static final byte INT64 = 0x12;
  private static final byte DATE = 0x09;
  private static final byte DOCUMENT = 0x03;

  /** Four elements of eight bytes, each with a type and a name that ends with a zero. */
  private static final int ADDED_BYTES = 4 * (2 + Long.BYTES) + "tstvwall".length();

  /** A length, two elements of eight bytes, and the zero at the end. */
  private static final int OPTIME_BYTES = 4 + 2 * (2 + Long.BYTES) + "tst".length() + 1;

  private static final int PREVIOUS_BYTES = 2 + "prevOpTime".length() + OPTIME_BYTES;

  /** A tag, the family, the length of the key and the key. */
  private static final int PUT_BYTES = 3 + Long.BYTES;

  /** The same for the key of a record. */
  private static final int PUT_RECORD_BYTES = 3 + RecordKeys.RECORD_KEY_BYTES;

  /** A tag, the family, the lengths of key and value, and the value. */
  private static final int ADD_BYTES = 4 + Long.BYTES;

  /** How large {@link #applyTo} makes a mutation. */
  public static long sizeBytes(Mutation mutation) {
    long bytes = mutation.sizeBytes();
    if (mutation.oplogEntries().isEmpty()) {
      return bytes;
    }
    for (byte[] entry : mutation.oplogEntries()) {
      int complete = entry.length + addedBytes(mutation);
      bytes += PUT_BYTES + varintBytes(complete) + complete;
    }
    for (PreImage image : mutation.preImages()) {
      int length = image.document().length;
      bytes += PUT_RECORD_BYTES + varintBytes(length) + length;
    }
    return bytes + ADD_BYTES + OplogKeys.entries().length + ADD_BYTES + OplogKeys.bytes().length;
  }

  /** How many timestamps a mutation takes. */
  public static int count(Mutation mutation) {
    int count = mutation.oplogEntries().size();
    int image = 0;
    while (image < mutation.preImages().size()) {
      List<PreImage> ofEntry = ofOneEntry(mutation, image);
      count += lastPosition(ofEntry);
      image += ofEntry.size();
    }
    return count;
  }

  /** The images from a place on that have the same entry as the first. */
  private static List<PreImage> ofOneEntry(Mutation mutation, int from) {
    List<PreImage> all = mutation.preImages();
    int to = from + 1;
    while (to < all.size() && all.get(to).entry() == all.get(from).entry()) {
      to++;
    }
    return all.subList(from, to);
  }

  private static int lastPosition(List<PreImage> images) {
    int last = 0;
    for (PreImage image : images) {
      last = Math.max(last, image.position());
    }
    return last;
  }

  private static int addedBytes(Mutation mutation) {
    return ADDED_BYTES + (mutation.isChained() ? PREVIOUS_BYTES : 0);
  }

  private static int varintBytes(int value) {
    return Math.ceilDiv(Integer.SIZE - Integer.numberOfLeadingZeros(value), 7);
  }

  /**
   * The mutation with its entries among its changes, and counted. Written in one pass into an array
   * of the final size: this is done for each write of a primary.
   */
  public Mutation applyTo(Mutation mutation) {
    List<byte[]> entries = mutation.oplogEntries();
    if (entries.isEmpty()) {
      return mutation;
    }
    var stamped = new MutationBuilder(mutation, Math.toIntExact(sizeBytes(mutation)));
    int added = addedBytes(mutation);
    byte[] times = new byte[added + 1];
    byte[] key = new byte[Long.BYTES];
    long bytes = 0;
    long next = timestamp;
    long previous = 0;
    int image = 0;
    for (int i = 0; i < entries.size(); i++) {
      byte[] entry = entries.get(i);
      List<PreImage> images = List.of();
      if (image < mutation.preImages().size() && mutation.preImages().get(image).entry() == i) {
        images = ofOneEntry(mutation, image);
        image += images.size();
        next += lastPosition(images);
      }
      int end = writeTimes(times, next);
      if (mutation.isChained()) {
        end = writePrevious(times, end, previous);
        previous = next;
      }
      times[end] = 0;
      RecordKeys.writeRecordId(key, 0, next);
      stamped.putExtended(Keyspace.OPLOG, key, entry, times);
      bytes += entry.length + added;
      for (PreImage before : images) {
        stamped.putPreImage(before, next, wallMillis);
      }
      next++;
    }
    stamped.add(Keyspace.SYSTEM, OplogKeys.entries(), entries.size());
    stamped.add(Keyspace.SYSTEM, OplogKeys.bytes(), bytes);
    return stamped.buildSized();
  }

  /** The timestamp of a mutation's last entry; 0 if it has none. */
  public long lastOf(Mutation mutation) {
    return mutation.oplogEntries().isEmpty() ? 0 : timestamp + count(mutation) - 1;
  }

  /** The elements that end an entry. */
  private int writeTimes(byte[] target, long entryTimestamp) {
    int end = element(target, 0, TIMESTAMP, "ts", entryTimestamp);
    end = element(target, end, INT64, "t", term);
    end = element(target, end, INT64, "v", VERSION);
    return element(target, end, DATE, "wall", wallMillis);
  }

  /** The optime of the entry before; 0 is the time of none. */
  private int writePrevious(byte[] target, int at, long previous) {
    int end = name(target, at, DOCUMENT, "prevOpTime");
    BatchFormat.INT_LE.set(target, end, OPTIME_BYTES);
    end += Integer.BYTES;
    end = element(target, end, TIMESTAMP, "ts", previous);
    end = element(target, end, INT64, "t", previous == 0 ? -1 : term);
    target[end++] = 0;
    return end;
  }

  private static int element(byte[] target, int at, byte type, String name, long value) {
    int end = name(target, at, type, name);
    BatchFormat.LONG_LE.set(target, end, value);
    return end + Long.BYTES;
  }

  private static int name(byte[] target, int at, byte type, String name) {
    int end = at;
    target[end++] = type;
    for (int i = 0; i < name.length(); i++) {
      target[end++] = (byte) name.charAt(i);
    }
    target[end++] = 0;
    return end;
  }
}
