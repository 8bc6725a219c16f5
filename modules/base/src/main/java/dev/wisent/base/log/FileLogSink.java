package dev.wisent.base.log;

import dev.wisent.base.Clock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Writes lines to a file. Rotation does what {@code mongod} does: the file is renamed to its name
 * plus the time in UTC, and a new one is begun under the old name. When the file was already moved
 * away by another program (logrotate), it is only begun anew.
 */
public final class FileLogSink implements LogSink {
  private static final DateTimeFormatter SUFFIX =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss");

  private final Path path;
  private final Clock clock;

  /** Guarded by this; null once closed. */
  private OutputStream out;

  /** Whether the last write failed, so that a full disk is reported once. Guarded by this. */
  private boolean failing;

  /**
   * Opens the file.
   *
   * @param append whether to go on at the end of an existing file; otherwise that one is renamed as
   *     {@link #rotate} does
   */
  public FileLogSink(Path path, boolean append, Clock clock) throws IOException {
    this.path = path.toAbsolutePath();
    this.clock = clock;
    if (!append && Files.exists(this.path) && Files.size(this.path) > 0) {
      renameAside();
    }
    out = open();
  }

  @Override
  public void write(String line) {
    byte[] bytes = (line + '\n').getBytes(StandardCharsets.UTF_8);
    synchronized (this) {
      if (out == null) {
        return;
      }
      try {
        out.write(bytes);
        failing = false;
      } catch (IOException e) {
        if (!failing) {
          System.err.println("cannot write to the log file " + path + ": " + e);
        }
        failing = true;
      }
    }
  }

  @Override
  public synchronized Optional<Path> rotate() throws IOException {
    if (out == null) {
      throw new IOException("the log file " + path + " is closed");
    }
    Optional<Path> aside = Files.exists(path) ? Optional.of(renameAside()) : Optional.empty();
    // The old file stays open until the new one is, so that a failure here loses no line.
    OutputStream next = open();
    out.close();
    out = next;
    return aside;
  }

  @Override
  public synchronized void close() {
    if (out == null) {
      return;
    }
    try {
      out.close();
    } catch (IOException e) {
      System.err.println("cannot close the log file " + path + ": " + e);
    }
    out = null;
  }

  private OutputStream open() throws IOException {
    return Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Never replaces a file: a second rotation within a second gets a counter. */
  private Path renameAside() throws IOException {
    String stamp = SUFFIX.format(Instant.ofEpochMilli(clock.wallMillis()).atOffset(ZoneOffset.UTC));
    String name = path.getFileName() + "." + stamp;
    Path target = path.resolveSibling(name);
    for (int i = 1; Files.exists(target); i++) {
      target = path.resolveSibling(name + "-" + i);
    }
    return Files.move(path, target);
  }
}
