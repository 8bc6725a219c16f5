package dev.wisent.storage;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads what a sorter has written: for each entry two lengths, key and value. */
final class EntryFile implements SortedEntries {
  private static final int BUFFER_BYTES = 64 << 10;

  private final TemporaryFiles files;
  private final DataInputStream in;
  private byte[] key;
  private byte[] value;

  EntryFile(TemporaryFiles files, Path file) {
    this.files = files;
    try {
      in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
    } catch (IOException e) {
      throw files.failure("read a temporary file in", e);
    }
  }

  @Override
  public boolean next() {
    try {
      int keyLength;
      try {
        keyLength = in.readInt();
      } catch (EOFException e) {
        return false;
      }
      int valueLength = in.readInt();
      key = new byte[keyLength];
      in.readFully(key);
      value = new byte[valueLength];
      in.readFully(value);
      return true;
    } catch (IOException e) {
      throw files.failure("read a temporary file in", e);
    }
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] value() {
    return value;
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      // It was only read.
    }
  }
}
