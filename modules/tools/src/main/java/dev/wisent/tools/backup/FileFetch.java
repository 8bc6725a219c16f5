package dev.wisent.tools.backup;

import dev.wisent.tools.backup.OpenState.RemoteFile;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Brings the files of states into a directory, unless it has them. Thread-safe. */
final class FileFetch {
  private final BackupDirectory directory;
  private final Map<String, StoredFile> known = new ConcurrentHashMap<>(); // by name there
  private final Progress progress;
  private final Interruption interruption;
  private final AtomicLong fetchedBytes = new AtomicLong();
  private final AtomicLong reusedBytes = new AtomicLong();
  private final AtomicLong parts = new AtomicLong();

  /**
   * @param known the files of earlier backups, by their names in the directory
   */
  FileFetch(
      BackupDirectory directory,
      Map<String, StoredFile> known,
      Progress progress,
      Interruption interruption) {
    this.directory = directory;
    this.known.putAll(known);
    this.progress = progress;
    this.interruption = interruption;
  }

  long fetchedBytes() {
    return fetchedBytes.get();
  }

  long reusedBytes() {
    return reusedBytes.get();
  }

  /** Returns when the directory has the file. */
  StoredFile fetch(OpenState state, RemoteFile file) throws ToolException {
    check(file);
    progress.at(file.name());
    try {
      StoredFile there = file.identity() == null ? null : reuse(file);
      if (there != null) {
        reusedBytes.addAndGet(file.bytes());
        progress.add(file.bytes());
        return there;
      }
      return copy(state, file);
    } catch (IOException e) {
      throw ToolException.failed("cannot store " + file.name() + ": " + e, e);
    }
  }

  /** What a server says of a file becomes a path here, and another one in a restore. */
  private static void check(RemoteFile file) throws ToolException {
    if (!BackupNames.isInside(file.name())) {
      throw ToolException.failed(
          "the server has a file outside of its data directory: " + file.name());
    }
    if (file.bytes() < 0) {
      throw ToolException.failed("the server gives %s a negative size".formatted(file.name()));
    }
    if (file.identity() != null && !BackupNames.isIdentity(file.identity())) {
      throw ToolException.failed(
          "the server gives %s an impossible identity: %s".formatted(file.name(), file.identity()));
    }
  }

  /** The file if it is there; null if not. */
  private StoredFile reuse(RemoteFile file) throws IOException, ToolException {
    String stored = BackupNames.stored(file.identity());
    StoredFile earlier = known.get(stored);
    if (earlier != null && earlier.bytes() != file.bytes()) {
      throw otherContents(file, stored);
    }
    Path path = directory.file(stored);
    if (!Files.exists(path) || Files.size(path) != file.bytes()) {
      return null; // cut off since then: it is fetched again
    }
    // A backup that was interrupted has left a complete file whose digest is not written anywhere.
    String sha256 = earlier == null ? Digests.of(path, interruption) : earlier.sha256();
    return new StoredFile(file.name(), file.bytes(), sha256, stored);
  }

  private StoredFile copy(OpenState state, RemoteFile file) throws IOException, ToolException {
    Path part = directory.part(Long.toString(parts.incrementAndGet()));
    MessageDigest digest = Digests.begin();
    try (OutputStream out = Files.newOutputStream(part)) {
      long offset = 0;
      while (offset < file.bytes()) {
        interruption.check();
        byte[] bytes = state.member().read(state.id(), file.name(), offset, interruption);
        if (bytes.length == 0 || offset + bytes.length > file.bytes()) {
          throw ToolException.failed(
              "%s of %s has not %d bytes any more"
                  .formatted(file.name(), state.member().host(), file.bytes()));
        }
        digest.update(bytes);
        out.write(bytes);
        offset += bytes.length;
        progress.add(bytes.length);
      }
    }
    String sha256 = Digests.end(digest);
    String stored = file.identity() == null ? sha256 : BackupNames.stored(file.identity());
    var made = new StoredFile(file.name(), file.bytes(), sha256, stored);
    StoredFile earlier = known.putIfAbsent(stored, made);
    if (earlier != null && (earlier.bytes() != made.bytes() || !earlier.sha256().equals(sha256))) {
      throw otherContents(file, stored);
    }
    directory.keep(part, stored);
    fetchedBytes.addAndGet(file.bytes());
    return made;
  }

  /** Backups that are there need the file as it is. */
  private ToolException otherContents(RemoteFile file, String stored) {
    return ToolException.failed(
        "%s of the server has the identity of %s, but other contents: the file stays as it is"
            .formatted(file.name(), directory.file(stored)));
  }
}
