package dev.wisent.base;

/** A file of one operation, gone when it is closed. Belongs to one thread. */
public interface ScratchFile extends AutoCloseable {
  void append(byte[] bytes, int offset, int length);

  /** Reads exactly that many bytes; what ends before them is damaged. */
  void read(long position, byte[] into, int offset, int length);

  /** How many bytes were appended. */
  long length();

  /** Deletes the file. Closing twice does no harm. */
  @Override
  void close();
}
