package dev.wisent.replication.secret;

import dev.wisent.base.disk.OnDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Where a node keeps the secret of its set: a file that only its owner may read, and that is there
 * completely or not at all. Lines: format, secret in base 64, whether it is in force.
 */
public final class SecretFile {
  private static final String FORMAT = "wisent log secret 1";

  private final Path file;

  public SecretFile(Path file) {
    this.file = file;
  }

  public Optional<LogSecret> read() {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
    if (lines.size() != 3 || !lines.get(0).equals(FORMAT)) {
      throw new IllegalStateException("The file " + file + " was made by another version");
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(lines.get(1));
      return Optional.of(LogSecret.of(bytes, Boolean.parseBoolean(lines.get(2))));
    } catch (IllegalArgumentException e) {
      // Without the cause, whose message may have a part of the secret.
      throw new IllegalStateException("The file " + file + " is damaged");
    }
  }

  public void write(LogSecret secret) {
    try {
      // One that is there has the permissions that it was made with.
      Files.deleteIfExists(OnDisk.incomplete(file));
      OnDisk.replace(
          file,
          List.of(
              FORMAT,
              Base64.getEncoder().encodeToString(secret.bytes()),
              Boolean.toString(secret.isInForce())),
          ownerOnly());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
  }

  public void delete() {
    try {
      OnDisk.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + file, e);
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
