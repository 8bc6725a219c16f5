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
import java.util.concurrent.atomic.AtomicLong;

/** Brings the files of states into a directory, unless it has them. Thread-safe. */
final class FileFetch {
  private static final String TABLE = ".sst";

  private final BackupDirectory directory;
  private final Map<String, StoredFile> known;
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
    this.known = known;
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
    checkName(file.name());
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

  /** A name comes from a server, and becomes one of a file when the backup is restored. */
  private static void checkName(String name) throws ToolException {
    Path path = Path.of(name);
    if (path.isAbsolute() || !path.normalize().toString().equals(name) || name.startsWith("..")) {
      throw ToolException.failed("the server has a file outside of its data directory: " + name);
    }
  }

  /** The file if it is there; null if not. */
  private StoredFile reuse(RemoteFile file) throws IOException, ToolException {
    String stored = file.identity() + TABLE;
    Path path = directory.file(stored);
    if (!Files.exists(path) || Files.size(path) != file.bytes()) {
      return null; // cut off since then: it is fetched again
    }
    StoredFile earlier = known.get(stored);
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
        byte[] bytes = state.member().read(state.id(), file.name(), offset);
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
    String stored = file.identity() == null ? sha256 : file.identity() + TABLE;
    directory.keep(part, stored);
    fetchedBytes.addAndGet(file.bytes());
    return new StoredFile(file.name(), file.bytes(), sha256, stored);
  }
}
