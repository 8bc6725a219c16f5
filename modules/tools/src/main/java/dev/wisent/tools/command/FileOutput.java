package dev.wisent.tools.command;

import dev.wisent.base.disk.OnDisk;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that gets its name when it is complete; until then it ends with {@value #PART}, and what
 * had the name before stays. Without its end it is removed. A pipe or a device is written to
 * directly.
 */
public final class FileOutput implements Closeable {
  static final String PART = ".part";

  private final Path file;
  private final Path part; // null for what is no file
  private final OutputStream out;
  private boolean complete;

  private FileOutput(Path file, Path part) throws IOException {
    this.file = file;
    this.part = part;
    this.out = Files.newOutputStream(part == null ? file : part);
  }

  /** Begins a file, or its successor. */
  public static FileOutput open(Path wanted) throws IOException {
    if (!Files.exists(wanted)) {
      return new FileOutput(wanted, part(wanted));
    }
    Path file = wanted.toRealPath();
    return new FileOutput(file, Files.isRegularFile(file) ? part(file) : null);
  }

  private static Path part(Path file) {
    return file.resolveSibling(file.getFileName() + PART);
  }

  /** What is written to the file; to be flushed before {@link #complete}. */
  public OutputStream stream() {
    return out;
  }

  /** Gives the file its name. */
  public void complete() throws IOException {
    out.close();
    if (part != null) {
      OnDisk.force(part);
      OnDisk.move(part, file);
    }
    complete = true;
  }

  @Override
  public void close() throws IOException {
    out.close();
    if (!complete && part != null) {
      Files.deleteIfExists(part);
    }
  }
}
