package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.ScratchFile;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.sort.SortSpace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Documents that follow each other, each under its number: added at the end, dropped at the front,
 * read anywhere. They lie in blocks, which can go to a file and come back one by one.
 */
final class DocumentBuffer {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int HEADER_BYTES = 4;

  /** Blocks that have come back from the file and stay for a while. */
  private static final int LOADED_MAX = 4;

  private static final long BLOCK_OVERHEAD_BYTES = 96;
  private static final long OFFSET_BYTES = 8;
  private static final int NOT_IN_FILE = -1;

  private final SortSpace space;
  private final List<Block> blocks = new ArrayList<>();
  private final Deque<Block> loaded = new ArrayDeque<>();
  private ScratchFile file;

  /** A block's array that is free to be used again. */
  private byte[] spare;

  /** How many blocks at the beginning of the list are gone. */
  private int head;

  /** Blocks before this one in the list are in the file. */
  private int spilled;

  private Block last;
  private long end;
  private long bytes;

  DocumentBuffer(SortSpace space) {
    this.space = space;
  }

  /** Documents one after the other. */
  private static final class Block {
    private final long first;
    private byte[] bytes;
    private int length;
    private int[] offsets = new int[16];
    private int count;
    private long filePosition = NOT_IN_FILE;

    Block(long first, byte[] bytes) {
      this.first = first;
      this.bytes = bytes;
    }

    long end() {
      return first + count;
    }

    RawDocument get(long number) {
      return RawDocument.at(bytes, offsets[(int) (number - first)]);
    }

    long memory() {
      return bytes.length + count * OFFSET_BYTES;
    }

    void add(RawDocument document) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * count);
      }
      offsets[count++] = length;
      System.arraycopy(document.bytes(), document.offset(), bytes, length, document.length());
      length += document.length();
    }
  }

  boolean isEmpty() {
    return head == blocks.size();
  }

  /** Says what number the next document gets; only while there are none. */
  void startAt(long number) {
    end = number;
  }

  void add(RawDocument document) {
    if (last == null || last.bytes.length - last.length < document.length()) {
      last = new Block(end, newBytes(document.length()));
      blocks.add(last);
      bytes += BLOCK_OVERHEAD_BYTES + last.bytes.length;
    }
    last.add(document);
    bytes += OFFSET_BYTES;
    end++;
  }

  private byte[] newBytes(int length) {
    byte[] reused = spare;
    if (reused != null && length <= reused.length) {
      spare = null;
      return reused;
    }
    return new byte[Math.max(BLOCK_BYTES, length)];
  }

  /** A document, valid until another one is asked for or dropped. */
  RawDocument get(long number) {
    if (last != null && number >= last.first) {
      return last.get(number);
    }
    Block block = find(number);
    if (block.bytes == null) {
      load(block);
    }
    return block.get(number);
  }

  private Block find(long number) {
    int from = head;
    int to = blocks.size() - 1;
    // Mostly it is the oldest one.
    if (number < blocks.get(from).end()) {
      return blocks.get(from);
    }
    while (from < to) {
      int middle = (from + to + 1) >>> 1;
      if (blocks.get(middle).first <= number) {
        from = middle;
      } else {
        to = middle - 1;
      }
    }
    return blocks.get(from);
  }

  void dropBefore(long number) {
    while (head < blocks.size() && blocks.get(head).end() <= number) {
      Block block = blocks.set(head++, null);
      bytes -= BLOCK_OVERHEAD_BYTES;
      if (block.bytes != null) {
        forget(block);
      }
      if (block == last) {
        last = null;
      }
    }
    if (head == blocks.size()) {
      clear();
    } else if (head > 1024 && head > blocks.size() / 2) {
      blocks.subList(0, head).clear();
      spilled = Math.max(0, spilled - head);
      head = 0;
    }
  }

  private void forget(Block block) {
    bytes -= block.memory();
    if (block.bytes.length == BLOCK_BYTES) {
      spare = block.bytes;
    }
    block.bytes = null;
    if (block.filePosition != NOT_IN_FILE) {
      loaded.remove(block);
    }
  }

  void clear() {
    if (last != null && last.bytes.length == BLOCK_BYTES) {
      spare = last.bytes;
    }
    blocks.clear();
    loaded.clear();
    head = 0;
    spilled = 0;
    last = null;
    bytes = 0;
    if (file != null) {
      space.delete(file);
      file = null;
    }
  }

  /** The bytes of memory that are held. */
  long bytes() {
    return bytes;
  }

  /** Writes all blocks to the file but the last one, which is still growing. */
  void spill() {
    for (int i = Math.max(head, spilled); i < blocks.size() - 1; i++) {
      write(blocks.get(i));
      space.meter().check();
    }
    spilled = Math.max(spilled, blocks.size() - 1);
  }

  private void write(Block block) {
    if (file == null) {
      file = space.create();
    }
    block.filePosition = file.length();
    byte[] header = new byte[HEADER_BYTES];
    LittleEndian.putInt32(header, 0, checksum(block.bytes, block.length));
    file.append(header, 0, HEADER_BYTES);
    file.append(block.bytes, 0, block.length);
    bytes -= block.memory();
    block.bytes = null;
    block.offsets = null;
  }

  private void load(Block block) {
    while (loaded.size() >= LOADED_MAX) {
      Block oldest = loaded.remove();
      bytes -= oldest.memory();
      oldest.bytes = null;
      oldest.offsets = null;
    }
    byte[] header = new byte[HEADER_BYTES];
    byte[] content = new byte[block.length];
    file.read(block.filePosition, header, 0, HEADER_BYTES);
    file.read(block.filePosition + HEADER_BYTES, content, 0, block.length);
    if (checksum(content, block.length) != LittleEndian.int32(header, 0)) {
      throw new CommandException(
          ErrorCode.INTERNAL_ERROR,
          "Data that a window had written to a temporary file came back damaged. Check the disk");
    }
    int[] offsets = new int[block.count];
    for (int i = 0, at = 0; i < offsets.length; i++) {
      offsets[i] = at;
      at += LittleEndian.int32(content, at);
    }
    block.bytes = content;
    block.offsets = offsets;
    bytes += block.memory();
    loaded.add(block);
  }

  private static int checksum(byte[] content, int length) {
    var checksum = new CRC32C();
    checksum.update(content, 0, length);
    return (int) checksum.getValue();
  }
}
