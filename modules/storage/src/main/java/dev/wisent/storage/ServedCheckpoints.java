package dev.wisent.storage;

import dev.wisent.base.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Checkpoints that other nodes and tools copy, part by part. Each copy has one of its own, so that
 * it is as new as can be; its files are hard links, which cost space only once the store has
 * replaced them. One that is not read any more is removed after a while. What a crash leaves is
 * removed by {@link #deleteAll} at the next start. Thread-safe.
 */
public final class ServedCheckpoints {
  /** Stands for no owner. */
  public static final long NO_OWNER = 0;

  private final Path directory;
  private final Bounds bounds;
  private final Clock clock;
  private final AtomicLong last;
  private final Map<Long, Open> checkpoints = new ConcurrentHashMap<>();

  /**
   * What all checkpoints together may take.
   *
   * @param count how many there may be
   * @param idle how long one stays that is not read
   * @param age how long one stays at most
   */
  public record Bounds(int count, Duration idle, Duration age) {}

  /** A checkpoint, with the names of its files in the order of their numbers. */
  public record Served(long id, Path root, List<ServedFile> files) {}

  /**
   * A file of a checkpoint.
   *
   * @param name below the checkpoint, with {@code /} between directories
   */
  public record ServedFile(String name, long sizeBytes) {}

  /** There are as many as there may be. */
  public static final class TooManyException extends IOException {
    private static final long serialVersionUID = 1L;

    TooManyException() {
      super("There are too many checkpoints: ask again later");
    }
  }

  private static final class Open {
    private final Path root;
    private final long owner;
    private final long madeNanos;
    private volatile List<ServedFile> files; // null while it is being made
    private volatile long lastUsedNanos;

    Open(Path root, long owner, long nowNanos) {
      this.root = root;
      this.owner = owner;
      this.madeNanos = nowNanos;
      this.lastUsedNanos = nowNanos;
    }
  }

  /**
   * @param directory where they are; nothing else is in it
   */
  public ServedCheckpoints(Path directory, Bounds bounds, Clock clock) {
    this.directory = directory;
    this.bounds = bounds;
    this.clock = clock;
    // Numbers of an earlier run mean nothing.
    this.last = new AtomicLong(clock.wallMillis());
  }

  /** Removes what an earlier process has left, before the first one is made. */
  public void deleteAll() throws IOException {
    DataDirectory.deleteRecursively(directory);
  }

  /**
   * Makes one.
   *
   * @param owner an earlier one of the same owner is removed; {@link #NO_OWNER} for none
   * @param contents fills a directory that does not exist yet
   */
  public Served make(long owner, Consumer<Path> contents) throws IOException {
    discardIdle();
    Open checkpoint;
    long id = last.incrementAndGet();
    synchronized (this) {
      if (owner != NO_OWNER) {
        discardOf(owner);
      }
      if (checkpoints.size() >= bounds.count()) {
        throw new TooManyException();
      }
      checkpoint = new Open(directory.resolve(Long.toString(id)), owner, clock.monotonicNanos());
      checkpoints.put(id, checkpoint);
    }
    try {
      Files.createDirectories(directory);
      contents.accept(checkpoint.root);
      List<ServedFile> files = list(checkpoint.root);
      checkpoint.lastUsedNanos = clock.monotonicNanos();
      checkpoint.files = files;
      return new Served(id, checkpoint.root, files);
    } catch (IOException | RuntimeException | Error e) {
      discard(id);
      throw e;
    }
  }

  private static List<ServedFile> list(Path root) throws IOException {
    List<Path> paths;
    try (Stream<Path> all = Files.walk(root)) {
      paths = all.filter(Files::isRegularFile).sorted().toList();
    }
    List<ServedFile> files = new ArrayList<>(paths.size());
    for (Path path : paths) {
      String name = root.relativize(path).toString();
      files.add(
          new ServedFile(name.replace(root.getFileSystem().getSeparator(), "/"), Files.size(path)));
    }
    return List.copyOf(files);
  }

  /** What an owner got before, unless that is still being made. */
  private void discardOf(long owner) throws IOException {
    for (var each : checkpoints.entrySet()) {
      if (each.getValue().owner == owner && each.getValue().files != null) {
        discard(each.getKey());
      }
    }
  }

  /** Those that can be read. */
  public List<Long> made() {
    return checkpoints.entrySet().stream()
        .filter(each -> each.getValue().files != null)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The files of one; null if it is not there, or not made yet. */
  public List<ServedFile> files(long id) {
    Open checkpoint = checkpoints.get(id);
    return checkpoint == null ? null : checkpoint.files;
  }

  /**
   * Reads a part of a file.
   *
   * @param file its number
   * @param length more than the file has is no mistake
   */
  public ByteBuffer read(long id, long file, long offset, int length) throws IOException {
    Open checkpoint = checkpoints.get(id);
    List<ServedFile> files = checkpoint == null ? null : checkpoint.files;
    if (files == null) {
      throw new IOException("There is no checkpoint " + id);
    }
    if (file < 0 || file >= files.size()) {
      throw new IOException("The checkpoint has no file " + file);
    }
    checkpoint.lastUsedNanos = clock.monotonicNanos();
    Path path = checkpoint.root.resolve(files.get((int) file).name());
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long at = offset;
      long rest = channel.size() - at;
      if (at < 0 || rest < 0) {
        throw new IOException("The file has no byte " + at);
      }
      ByteBuffer part = ByteBuffer.allocate((int) Math.min(length, rest));
      while (part.hasRemaining()) {
        int count = channel.read(part, at);
        if (count < 0) {
          break;
        }
        at += count;
      }
      return part.flip();
    }
  }

  /** Removes those that are not read any more. */
  public void discardIdle() throws IOException {
    long now = clock.monotonicNanos();
    for (var each : checkpoints.entrySet()) {
      Open checkpoint = each.getValue();
      boolean over =
          now - checkpoint.lastUsedNanos > bounds.idle().toNanos()
              || now - checkpoint.madeNanos > bounds.age().toNanos();
      if (checkpoint.files != null && over) {
        discard(each.getKey());
      }
    }
  }

  /** Removes all: the node ends. */
  public void discardAll() throws IOException {
    for (long id : List.copyOf(checkpoints.keySet())) {
      discard(id);
    }
  }

  /** Removes one; false if it is not there. */
  public boolean discard(long id) throws IOException {
    Open checkpoint = checkpoints.remove(id);
    if (checkpoint == null) {
      return false;
    }
    DataDirectory.deleteRecursively(checkpoint.root);
    return true;
  }
}
