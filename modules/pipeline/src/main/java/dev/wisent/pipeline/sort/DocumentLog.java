package dev.wisent.pipeline.sort;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.ScratchFile;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Documents one after the other, each of which is found again by its position. They lie in blocks,
 * in memory until {@link #spill} moves them to a file of the {@link SortSpace}. In both a document
 * follows the CRC-32C of its bytes; in memory there is only room for it.
 */
public final class DocumentLog {
  private static final int BLOCK_BYTES = 256 << 10;
  private static final int CHECKSUM_BYTES = 4;
  private static final int LENGTH_BYTES = 4;
  private static final int GUESS_BYTES = 4 << 10;

  /** What a block takes beside its bytes, roughly. */
  private static final int BLOCK_OVERHEAD_BYTES = 64;

  private final SortSpace space;
  private final List<byte[]> blocks = new ArrayList<>();
  private final CRC32C crc = new CRC32C();
  private long[] starts = new long[16];
  private int[] ends = new int[16];
  private long memoryBytes;
  private long count;
  private ScratchFile file;
  private byte[] found = new byte[GUESS_BYTES];

  public DocumentLog(SortSpace space) {
    this.space = space;
  }

  /** Copies a document; returns its position, which is greater than those before. */
  public long add(RawDocument document) {
    int bytes = CHECKSUM_BYTES + document.length();
    int last = blocks.size() - 1;
    if (last < 0 || ends[last] + bytes > blocks.get(last).length) {
      begin(Math.max(BLOCK_BYTES, bytes));
      last++;
    }
    int at = ends[last];
    System.arraycopy(
        document.bytes(),
        document.offset(),
        blocks.get(last),
        at + CHECKSUM_BYTES,
        document.length());
    ends[last] = at + bytes;
    count++;
    return (long) last << Integer.SIZE | at;
  }

  private void begin(int bytes) {
    int number = blocks.size();
    if (file != null && number > 0) {
      write(number - 1);
    }
    if (number == starts.length) {
      starts = Arrays.copyOf(starts, number * 2);
      ends = Arrays.copyOf(ends, number * 2);
    }
    blocks.add(new byte[bytes]);
    memoryBytes += bytes + BLOCK_OVERHEAD_BYTES;
  }

  /** How many documents there are. */
  public long count() {
    return count;
  }

  /** How much memory they take. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /** Moves all documents, and those to come, to a file. Fails where there may be none. */
  public void spill() {
    if (file == null) {
      file = space.create();
      for (int i = 0; i < blocks.size() - 1; i++) {
        write(i);
      }
    }
  }

  private void write(int number) {
    space.meter().check();
    byte[] block = blocks.get(number);
    int at = 0;
    while (at < ends[number]) {
      int length = LittleEndian.int32(block, at + CHECKSUM_BYTES);
      LittleEndian.putInt32(block, at, checksum(block, at + CHECKSUM_BYTES, length));
      at += CHECKSUM_BYTES + length;
    }
    starts[number] = file.length();
    file.append(block, 0, ends[number]);
    blocks.set(number, null);
    memoryBytes -= block.length + BLOCK_OVERHEAD_BYTES;
  }

  /** The document at a position; valid until the next call. */
  public RawDocument read(long position) {
    int number = (int) (position >>> Integer.SIZE);
    int at = (int) position;
    byte[] block = blocks.get(number);
    if (block != null) {
      return RawDocument.at(block, at + CHECKSUM_BYTES);
    }
    int guess = Math.min(GUESS_BYTES, ends[number] - at);
    file.read(starts[number] + at, found, 0, guess);
    int length = LittleEndian.int32(found, CHECKSUM_BYTES);
    if (length < CHECKSUM_BYTES || length > ends[number] - at - CHECKSUM_BYTES) {
      throw damaged();
    }
    int bytes = CHECKSUM_BYTES + length;
    if (bytes > guess) {
      if (bytes > found.length) {
        found = Arrays.copyOf(found, bytes);
      }
      file.read(starts[number] + at + guess, found, guess, bytes - guess);
    }
    check(found, 0);
    return new RawDocument(found, CHECKSUM_BYTES, length);
  }

  /** All documents that are there by now, in order; nothing may be added meanwhile. */
  public Reader reader() {
    return new Reader();
  }

  /** Deletes the file. */
  public void close() {
    blocks.clear();
    memoryBytes = 0;
    if (file != null) {
      space.delete(file);
      file = null;
    }
  }

  private void check(byte[] block, int at) {
    int length = LittleEndian.int32(block, at + CHECKSUM_BYTES);
    boolean inside = length > LENGTH_BYTES && length <= block.length - at - CHECKSUM_BYTES;
    if (!inside || checksum(block, at + CHECKSUM_BYTES, length) != LittleEndian.int32(block, at)) {
      throw damaged();
    }
  }

  private int checksum(byte[] bytes, int offset, int length) {
    crc.reset();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  private static CommandException damaged() {
    return new CommandException(
        ErrorCode.INTERNAL_ERROR,
        "Data that a stage had written to a temporary file came back damaged. Check the disk");
  }

  /** Reads from the beginning. */
  public final class Reader {
    private int number = -1;
    private int at;
    private byte[] block;

    /** The next document, valid until the next call; null at the end. */
    public RawDocument next() {
      while (block == null || at == ends[number]) {
        if (++number == blocks.size()) {
          number--;
          return null;
        }
        load();
      }
      if (blocks.get(number) == null) {
        check(block, at);
      }
      RawDocument document = RawDocument.at(block, at + CHECKSUM_BYTES);
      at += CHECKSUM_BYTES + document.length();
      return document;
    }

    private void load() {
      at = 0;
      block = blocks.get(number);
      if (block == null) {
        space.meter().check();
        block = new byte[ends[number]];
        file.read(starts[number], block, 0, ends[number]);
      }
    }
  }
}
