package dev.wisent.storage;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts any number of entries by key in bounded memory: whenever that is full, what is in it
 * becomes a sorted file, and files are merged. For one thread.
 */
public final class EntrySorter implements AutoCloseable {
  /** So many files are read at a time; more of one size are made into one of the next. */
  private static final int MERGE_MAX = 32;

  private static final int FILE_BUFFER_BYTES = 64 << 10;

  private final TemporaryFiles files;
  private final EntryBuffer buffer;

  /** Files by how often their entries were merged. */
  private final List<List<Path>> levels = new ArrayList<>();

  private final List<SortedEntries> open = new ArrayList<>();
  private long size;

  /**
   * @param memoryBytes how much to hold in memory; an entry that is larger still has its place
   */
  public EntrySorter(TemporaryFiles files, int memoryBytes) {
    this.files = files;
    this.buffer = new EntryBuffer(memoryBytes);
  }

  public void add(byte[] key, byte[] value) {
    if (!buffer.hasRoomFor(key, value)) {
      write(buffer.sorted(), 0);
      buffer.clear();
    }
    buffer.add(key, value);
    size++;
  }

  /** How many entries were added. */
  public long size() {
    return size;
  }

  /**
   * All entries in the order of their keys; equal ones one after the other. Nothing is added after.
   */
  public SortedEntries sorted() {
    List<SortedEntries> parts = new ArrayList<>();
    for (List<Path> level : levels) {
      parts.addAll(open(level));
    }
    parts.add(buffer.sorted());
    return parts.size() == 1 ? parts.getFirst() : new MergedEntries(parts);
  }

  private void write(SortedEntries entries, int level) {
    Path file = files.newName("sort");
    while (levels.size() <= level) {
      levels.add(new ArrayList<>());
    }
    levels.get(level).add(file);
    try (var out =
        new DataOutputStream(
            new BufferedOutputStream(Files.newOutputStream(file), FILE_BUFFER_BYTES))) {
      while (entries.next()) {
        out.writeInt(entries.key().length);
        out.writeInt(entries.value().length);
        out.write(entries.key());
        out.write(entries.value());
      }
    } catch (IOException e) {
      throw files.failure("write a temporary file in", e);
    }
    if (levels.get(level).size() == MERGE_MAX) {
      mergeAll(level);
    }
  }

  private void mergeAll(int level) {
    List<Path> merged = levels.set(level, new ArrayList<>());
    try {
      write(new MergedEntries(open(merged)), level + 1);
    } finally {
      closeOpen();
      merged.forEach(files::delete);
    }
  }

  private List<SortedEntries> open(List<Path> sources) {
    List<SortedEntries> entries = new ArrayList<>();
    for (Path source : sources) {
      var file = new EntryFile(files, source);
      open.add(file);
      entries.add(file);
    }
    return entries;
  }

  private void closeOpen() {
    open.forEach(SortedEntries::close);
    open.clear();
  }

  /** Removes the files; the entries cannot be read any more. */
  @Override
  public void close() {
    closeOpen();
    levels.forEach(level -> level.forEach(files::delete));
    levels.clear();
    buffer.clear();
  }
}
