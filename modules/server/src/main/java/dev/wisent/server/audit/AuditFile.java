package dev.wisent.server.audit;

import dev.wisent.base.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;

/**
 * The file of an audit log, for its owner alone to read. A line that a full disk cuts is taken
 * back, so that the file has whole lines. Rotation renames it as that of the log is.
 */
public final class AuditFile implements AuditSink {
  private static final DateTimeFormatter SUFFIX =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss").withZone(ZoneOffset.UTC);

  private final Path path;
  private final Clock clock;
  private FileChannel out;
  private boolean failing;
  private boolean recovered;

  public AuditFile(Path path, Clock clock) throws IOException {
    this.path = path.toAbsolutePath();
    this.clock = clock;
    this.out = open();
  }

  private FileChannel open() throws IOException {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] attributes =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    return FileChannel.open(
        path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), attributes);
  }

  @Override
  public void write(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + '\n').getBytes(StandardCharsets.UTF_8));
    long before = out.size();
    try {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      recovered = failing;
      failing = false;
    } catch (IOException e) {
      failing = true;
      takeBack(before, e);
      throw e;
    }
  }

  private void takeBack(long length, IOException failure) {
    try {
      out.truncate(length);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public boolean recovered() {
    return recovered;
  }

  @Override
  public Optional<Path> rotate() throws IOException {
    Optional<Path> aside = Files.exists(path) ? Optional.of(renameAside()) : Optional.empty();
    // The old file stays open until the new one is, so that a failure here loses no event.
    FileChannel next = open();
    out.close();
    out = next;
    return aside;
  }

  /** Never replaces a file: a second rotation within a second gets a counter. */
  private Path renameAside() throws IOException {
    String name =
        path.getFileName() + "." + SUFFIX.format(Instant.ofEpochMilli(clock.wallMillis()));
    Path target = path.resolveSibling(name);
    for (int i = 1; Files.exists(target); i++) {
      target = path.resolveSibling(name + "-" + i);
    }
    return Files.move(path, target);
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      // All lines are written already.
    }
  }
}
