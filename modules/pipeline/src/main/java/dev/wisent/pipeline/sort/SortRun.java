package dev.wisent.pipeline.sort;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.ScratchFile;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Sorted entries in a file, in blocks of whole entries:
 *
 * <pre>
 * block: int32 length of the entries, int32 CRC-32C of them, entries
 * entry: int32 length of the key, int32 length of the document, int64 record id, key, document
 * </pre>
 */
final class SortRun {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int BLOCK_HEADER_BYTES = 8;
  private static final int ENTRY_HEADER_BYTES = 16;

  private final ScratchFile file;

  /** How many merges its entries have been through. */
  private final int level;

  /** How much memory it takes to read it. */
  private final int blockBytesMax;

  private SortRun(ScratchFile file, int level, int blockBytesMax) {
    this.file = file;
    this.level = level;
    this.blockBytesMax = blockBytesMax;
  }

  ScratchFile file() {
    return file;
  }

  int level() {
    return level;
  }

  int blockBytesMax() {
    return blockBytesMax;
  }

  Reader read(int number) {
    return new Reader(file, number);
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    var checksum = new CRC32C();
    checksum.update(bytes, offset, length);
    return (int) checksum.getValue();
  }

  /** Writes a run, entry by entry. */
  static final class Writer {
    private final ScratchFile file;
    private byte[] block = new byte[BLOCK_BYTES];
    private int end = BLOCK_HEADER_BYTES;
    private int blockBytesMax;

    Writer(ScratchFile file) {
      this.file = file;
    }

    void add(SortEntry entry) {
      RawDocument document = entry.document().document();
      int size = ENTRY_HEADER_BYTES + entry.key().length + document.length();
      if (end + size > BLOCK_BYTES) {
        flush();
      }
      if (end + size > block.length) {
        block = Arrays.copyOf(block, end + size);
      }
      LittleEndian.putInt32(block, end, entry.key().length);
      LittleEndian.putInt32(block, end + 4, document.length());
      LittleEndian.putInt64(block, end + 8, entry.document().recordId());
      int key = end + ENTRY_HEADER_BYTES;
      System.arraycopy(entry.key(), 0, block, key, entry.key().length);
      System.arraycopy(
          document.bytes(), document.offset(), block, key + entry.key().length, document.length());
      end += size;
    }

    private void flush() {
      int length = end - BLOCK_HEADER_BYTES;
      if (length > 0) {
        LittleEndian.putInt32(block, 0, length);
        LittleEndian.putInt32(block, 4, checksum(block, BLOCK_HEADER_BYTES, length));
        file.append(block, 0, end);
        blockBytesMax = Math.max(blockBytesMax, end);
        end = BLOCK_HEADER_BYTES;
      }
    }

    SortRun finish(int level) {
      flush();
      return new SortRun(file, level, blockBytesMax);
    }
  }

  /** Reads a run from its beginning. Documents keep the block they are in. */
  static final class Reader {
    private final ScratchFile file;
    private final int number;
    private final byte[] header = new byte[BLOCK_HEADER_BYTES];
    private byte[] block = new byte[0];
    private int next;
    private long position;

    /** Where the block and the entry are that were read last; the place of a suspended reader. */
    private long blockPosition;

    private int last;

    /** Where the entry is in its block that comes next; 0 for the first, or where that is known. */
    private int resumeAt;

    private Reader(ScratchFile file, int number) {
      this.file = file;
      this.number = number;
    }

    /** Lets go of its block; the entry that was given last is given once more. */
    void suspend() {
      block = new byte[0];
      position = blockPosition;
      next = 0;
      resumeAt = last;
    }

    /** Null at the end. */
    SortEntry next() {
      if (next == block.length && !readBlock()) {
        return null;
      }
      if (resumeAt > 0) {
        next = resumeAt;
        resumeAt = 0;
      }
      last = next;
      int keyLength = LittleEndian.int32(block, next);
      int documentLength = LittleEndian.int32(block, next + 4);
      long recordId = LittleEndian.int64(block, next + 8);
      int key = next + ENTRY_HEADER_BYTES;
      int document = key + keyLength;
      next = document + documentLength;
      return new SortEntry(
          Arrays.copyOfRange(block, key, document),
          number,
          new SortedDocument(new RawDocument(block, document, documentLength), recordId));
    }

    private boolean readBlock() {
      if (position == file.length()) {
        return false;
      }
      file.read(position, header, 0, BLOCK_HEADER_BYTES);
      int length = LittleEndian.int32(header, 0);
      if (length <= 0 || length > file.length() - position - BLOCK_HEADER_BYTES) {
        throw damaged();
      }
      blockPosition = position;
      block = new byte[length];
      file.read(position + BLOCK_HEADER_BYTES, block, 0, length);
      if (checksum(block, 0, length) != LittleEndian.int32(header, 4)) {
        throw damaged();
      }
      position += BLOCK_HEADER_BYTES + length;
      next = 0;
      return true;
    }

    private static CommandException damaged() {
      return new CommandException(
          ErrorCode.INTERNAL_ERROR,
          "Data that a sort had written to a temporary file came back damaged. Check the disk");
    }
  }
}
