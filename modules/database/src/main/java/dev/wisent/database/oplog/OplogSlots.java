package dev.wisent.database.oplog;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.LittleEndian;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.OplogKeys;
import dev.wisent.storage.PreImage;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.SizedMutationBuilder;
import java.util.List;

/**
 * The optimes that a log reserves for the oplog entries of a mutation. {@link #applyTo} appends
 * {@code ts}, {@code t}, {@code v} and {@code wall} to each entry, and {@code prevOpTime} where
 * they are chained. With them an entry is final, and becomes a change like any other. So do the
 * images of its documents, see {@link PreImageTimes}.
 *
 * <p>Each entry takes one timestamp. An entry of several operations with images takes as many as
 * the record ids of the images need, and has the last of them.
 *
 * @param timestamp the first one, as the 64 bits of a BSON timestamp; the others follow one by one
 * @param term the term of the leader that wrote it
 */
public record OplogSlots(long timestamp, long term, long wallMillis) {
  private static final long VERSION = 2;
  private static final byte[] ENTRIES_KEY = OplogKeys.entries();
  private static final byte[] BYTES_KEY = OplogKeys.bytes();

  /** Four elements of eight bytes, each with a type and a name that ends with a zero. */
  private static final int ADDED_BYTES = 4 * (2 + Long.BYTES) + "tstvwall".length();

  /** A length, two elements of eight bytes, and the zero at the end. */
  private static final int OPTIME_BYTES = 4 + 2 * (2 + Long.BYTES) + "tst".length() + 1;

  private static final int PREVIOUS_BYTES = 2 + "prevOpTime".length() + OPTIME_BYTES;

  /** The counters of entries and bytes. */
  private static final int COUNTERS_BYTES =
      SizedMutationBuilder.addBytes(ENTRIES_KEY.length)
          + SizedMutationBuilder.addBytes(BYTES_KEY.length);

  /** How large {@link #applyTo} makes a mutation. */
  public static long sizeBytes(Mutation mutation) {
    long bytes = mutation.sizeBytes();
    if (mutation.oplogEntries().isEmpty()) {
      return bytes;
    }
    for (byte[] entry : mutation.oplogEntries()) {
      bytes += SizedMutationBuilder.putBytes(Long.BYTES, entry.length + addedBytes(mutation));
    }
    for (PreImage image : mutation.preImages()) {
      int length = image.document().length;
      bytes += SizedMutationBuilder.putBytes(RecordKeys.RECORD_KEY_BYTES, length);
    }
    return bytes + COUNTERS_BYTES;
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

  /**
   * The mutation with its entries among its changes, and counted. Written in one pass into an array
   * of the final size: this is done for each write of a primary.
   */
  public Mutation applyTo(Mutation mutation) {
    List<byte[]> entries = mutation.oplogEntries();
    if (entries.isEmpty()) {
      return mutation;
    }
    var stamped = new SizedMutationBuilder(mutation, Math.toIntExact(sizeBytes(mutation)));
    byte[] target = stamped.bytes();
    int added = addedBytes(mutation);
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
      int length = entry.length + added;
      RecordKeys.writeRecordId(key, 0, next);
      int start = stamped.put(Keyspace.OPLOG, key, length);
      System.arraycopy(entry, 0, target, start, entry.length - 1);
      LittleEndian.putInt32(target, start, length);
      int end = writeTimes(target, start + entry.length - 1, next);
      if (mutation.isChained()) {
        end = writePrevious(target, end, previous);
        previous = next;
      }
      target[end] = 0;
      bytes += length;
      for (PreImage before : images) {
        put(before, next, stamped);
      }
      next++;
    }
    stamped.add(Keyspace.SYSTEM, ENTRIES_KEY, entries.size());
    stamped.add(Keyspace.SYSTEM, BYTES_KEY, bytes);
    return stamped.build();
  }

  /** Stores an image under its record id, with what it gets from its oplog entry. */
  private void put(PreImage image, long entryTimestamp, SizedMutationBuilder stamped) {
    byte[] document = image.document();
    long recordId = PreImageTimes.recordId(entryTimestamp, image.position());
    byte[] key = RecordKeys.recordKey(image.ident(), recordId);
    int start = stamped.put(Keyspace.RECORDS, key, document.length);
    System.arraycopy(document, 0, stamped.bytes(), start, document.length);
    PreImageTimes.write(stamped.bytes(), start, image, entryTimestamp, wallMillis);
  }

  /** The timestamp of a mutation's last entry; 0 if it has none. */
  public long lastOf(Mutation mutation) {
    return mutation.oplogEntries().isEmpty() ? 0 : timestamp + count(mutation) - 1;
  }

  /** The elements that end an entry. */
  private int writeTimes(byte[] target, int at, long entryTimestamp) {
    int end = element(target, at, ElementType.TIMESTAMP, "ts", entryTimestamp);
    end = element(target, end, ElementType.INT64, "t", term);
    end = element(target, end, ElementType.INT64, "v", VERSION);
    return element(target, end, ElementType.DATE, "wall", wallMillis);
  }

  /** The optime of the entry before; 0 is the time of none. */
  private int writePrevious(byte[] target, int at, long previous) {
    int end = name(target, at, ElementType.DOCUMENT, "prevOpTime");
    LittleEndian.putInt32(target, end, OPTIME_BYTES);
    end += Integer.BYTES;
    end = element(target, end, ElementType.TIMESTAMP, "ts", previous);
    end = element(target, end, ElementType.INT64, "t", previous == 0 ? -1 : term);
    target[end++] = 0;
    return end;
  }

  private static int element(byte[] target, int at, byte type, String name, long value) {
    int end = name(target, at, type, name);
    LittleEndian.putInt64(target, end, value);
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
