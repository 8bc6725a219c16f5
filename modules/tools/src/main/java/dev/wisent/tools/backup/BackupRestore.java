package dev.wisent.tools.backup;

import dev.wisent.base.disk.OnDisk;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes a data directory of a backup. Its format file is there under another name until all other
 * files are complete: a server does not start without it, and the next restore knows by it that the
 * directory has nothing but what an interrupted one has left. For one thread.
 */
final class BackupRestore {
  private static final String FORMAT_FILE = "wisent.format";
  private static final String INCOMPLETE = "wisent.format.incomplete";

  private final BackupDirectory directory;
  private final Surroundings surroundings;
  private final Messages messages;

  BackupRestore(BackupDirectory directory, Surroundings surroundings, Messages messages) {
    this.directory = directory;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  void restore(BackupManifest backup, BackupPart part, Path target)
      throws IOException, ToolException {
    checkFiles(backup, part);
    prepare(target);
    boolean complete = false;
    try (Progress progress = Progress.ofBytes(surroundings, messages, "restore", part.bytes())) {
      // The format file first: under its other name it says what the directory is.
      List<StoredFile> ordered = new ArrayList<>(part.files());
      ordered.sort(Comparator.comparing(file -> !file.name().equals(FORMAT_FILE)));
      Set<Path> directories = new HashSet<>(Set.of(target));
      for (StoredFile file : ordered) {
        progress.at(file.name());
        Path to = target.resolve(file.name().equals(FORMAT_FILE) ? INCOMPLETE : file.name());
        for (Path parent = to.getParent(); !parent.equals(target); parent = parent.getParent()) {
          directories.add(parent);
        }
        Files.createDirectories(to.getParent());
        copy(backup, file, to);
        progress.add(file.bytes());
      }
      for (Path each : directories) {
        OnDisk.forceDirectory(each);
      }
      messages.say(1, "all files are there");
      OnDisk.move(target.resolve(INCOMPLETE), target.resolve(FORMAT_FILE));
      complete = true;
    } finally {
      if (!complete) {
        clear(target);
      }
    }
  }

  /** All files that are missing or have another length, before anything is written. */
  private void checkFiles(BackupManifest backup, BackupPart part)
      throws IOException, ToolException {
    if (part.files().stream().noneMatch(file -> file.name().equals(FORMAT_FILE))) {
      throw ToolException.failed("the backup " + backup.id() + " has no file " + FORMAT_FILE);
    }
    for (StoredFile file : part.files()) {
      String damage = Damage.ofLength(directory.file(file.stored()), file, backup);
      if (damage != null) {
        throw ToolException.failed(damage);
      }
    }
  }

  private static void prepare(Path target) throws IOException, ToolException {
    if (Files.exists(target.resolve(INCOMPLETE))) {
      clear(target);
    }
    Files.createDirectories(target);
    try (Stream<Path> others = Files.list(target)) {
      if (others.findAny().isPresent()) {
        throw ToolException.failed(
            target + " is not empty: a backup is restored into a directory of its own");
      }
    }
  }

  private void copy(BackupManifest backup, StoredFile file, Path to)
      throws IOException, ToolException {
    Path from = directory.file(file.stored());
    String sha256;
    try (OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW)) {
      sha256 = Digests.copy(from, out, surroundings.interruption());
    }
    if (!sha256.equals(file.sha256())) {
      throw ToolException.failed(Damage.content(from, file, backup));
    }
    OnDisk.force(to);
  }

  /**
   * Removes what an incomplete restore has written, and the mark of it last. A directory with a
   * format file may be in use by a server: it stays as it is.
   */
  private static void clear(Path target) throws IOException {
    if (Files.exists(target.resolve(FORMAT_FILE))) {
      return;
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(target)) {
      files = all.filter(each -> !each.equals(target)).sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return;
    }
    Path mark = target.resolve(INCOMPLETE);
    for (Path file : files) {
      if (!file.equals(mark)) {
        Files.delete(file);
      }
    }
    Files.deleteIfExists(mark);
  }
}
