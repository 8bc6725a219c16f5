package dev.wisent.replication.raft;

import dev.wisent.base.disk.OnDisk;
import dev.wisent.base.log.Log;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * An earlier state of the group's data that a node joined with, until the log has brought it to
 * where the group was at that time. First it has to be proven that the position of the data is in
 * the log of the group ({@link PositionProof}); until then the data counts as none.
 *
 * <p>A file says so while it lasts: a line with the format, then {@code unproven}, or the index of
 * the log up to which the node has to follow. Thread-safe.
 */
final class Seed {
  private static final String FORMAT = "wisent raft seed 1";
  private static final String UNPROVEN_LINE = "unproven";

  private static final long NONE = -1;
  private static final long UNPROVEN = -2;

  private final Path file;
  private final Log log;

  /** The index to follow up to, {@link #UNPROVEN} or {@link #NONE}. Changed with this held. */
  private volatile long target;

  private Seed(Path file, Log log) {
    this.file = file;
    this.log = log;
    this.target = read();
  }

  /**
   * The one of a node at its start.
   *
   * @param member whether the node belongs to a group; if not, a crash cut off how it joined one
   */
  static Seed of(Path file, boolean member, Log log) {
    var seed = new Seed(file, log);
    if (!member) {
      seed.end();
    }
    return seed;
  }

  private long read() {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return NONE;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
    if (lines.size() != 2 || !lines.getFirst().equals(FORMAT)) {
      throw new IllegalStateException("The file " + file + " was made by another version");
    }
    String second = lines.get(1);
    return second.equals(UNPROVEN_LINE) ? UNPROVEN : Long.parseLong(second);
  }

  /** Whether the node began with data that is not yet as new as the group's was then. */
  boolean isPresent() {
    return target != NONE;
  }

  boolean isUnproven() {
    return target == UNPROVEN;
  }

  /** The index of the log up to which the node has to follow; -1 if that is not known, or none. */
  long target() {
    return Math.max(NONE, target);
  }

  /** The node is about to join a group with its data. */
  synchronized void begin() {
    write(UNPROVEN_LINE);
    target = UNPROVEN;
  }

  /**
   * The data is a state of the group. Says nothing if it has been replaced meanwhile.
   *
   * @param committed an index that the group has reached since
   */
  synchronized void proven(long committed) {
    if (target == UNPROVEN) {
      write(Long.toString(committed));
      target = committed;
    }
  }

  /** The node has caught up, has other data, or joins without any. */
  synchronized void end() {
    target = NONE;
    try {
      OnDisk.delete(file);
    } catch (IOException e) {
      // At the next start the log is followed as far once more.
      log.warn(7_100_024, "Cannot remove a file", "file", file.toString(), "error", e.toString());
    }
  }

  private void write(String line) {
    try {
      OnDisk.replace(file, List.of(FORMAT, line));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
  }
}
