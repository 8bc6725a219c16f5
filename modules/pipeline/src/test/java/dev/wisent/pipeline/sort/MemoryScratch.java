package dev.wisent.pipeline.sort;

import dev.wisent.base.ScratchFile;
import dev.wisent.base.ScratchSpace;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Scratch files in memory, which can be counted and damaged. */
public final class MemoryScratch implements ScratchSpace {
  private final List<MemoryFile> open = new ArrayList<>();
  private int created;
  private long bytesLeft = Long.MAX_VALUE;

  @Override
  public ScratchFile create() {
    var file = new MemoryFile();
    open.add(file);
    created++;
    return file;
  }

  public int openFiles() {
    return open.size();
  }

  public int created() {
    return created;
  }

  /** After so many bytes the disk is full. */
  void limit(long bytes) {
    bytesLeft = bytes;
  }

  /** Turns a bit of the first open file. */
  void damage(int position) {
    open.getFirst().damaged = position;
  }

  final class MemoryFile implements ScratchFile {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int damaged = -1;

    @Override
    public void append(byte[] source, int offset, int length) {
      bytesLeft -= length;
      if (bytesLeft < 0) {
        throw new IllegalStateException("disk full");
      }
      bytes.write(source, offset, length);
    }

    @Override
    public void read(long position, byte[] into, int offset, int length) {
      byte[] all = bytes.toByteArray();
      if (damaged >= 0) {
        all[damaged] ^= 1;
      }
      System.arraycopy(all, (int) position, into, offset, length);
    }

    @Override
    public long length() {
      return bytes.size();
    }

    @Override
    public void close() {
      open.remove(this);
    }
  }
}
