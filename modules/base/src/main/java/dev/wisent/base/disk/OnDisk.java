package dev.wisent.base.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/** Has files outlive a loss of power. */
public final class OnDisk {
  /** What names of files end in while {@link #replace} writes them. */
  public static final String INCOMPLETE = ".tmp";

  /** Elsewhere directories cannot be opened, and names are on the disk by themselves. */
  private static final boolean DIRECTORIES_ARE_FILES =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private static final Set<StandardOpenOption> WHOLE =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);

  private OnDisk() {}

  /** Waits until what was written to a file, through whatever stream, is on the disk. */
  public static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Waits until the names in a directory are on the disk. */
  public static void forceDirectory(Path directory) throws IOException {
    if (DIRECTORIES_ARE_FILES) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /**
   * Writes a whole file, and waits until its bytes are on the disk.
   *
   * @param attributes of the file if it is a new one
   */
  public static void write(Path file, byte[] bytes, FileAttribute<?>... attributes)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, WHOLE, attributes)) {
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
  }

  /**
   * Makes or replaces a file. After a crash it is there as a whole, or as it was. The new one is
   * {@link #incomplete} until then.
   */
  public static void replace(Path file, byte[] bytes, FileAttribute<?>... attributes)
      throws IOException {
    write(incomplete(file), bytes, attributes);
    move(incomplete(file), file);
  }

  /** The same with lines of text, each of which is ended. */
  public static void replace(Path file, Iterable<String> lines, FileAttribute<?>... attributes)
      throws IOException {
    String text = String.join("\n", lines) + "\n";
    replace(file, text.getBytes(StandardCharsets.UTF_8), attributes);
  }

  /** The name that a file has while {@link #replace} writes it. */
  public static Path incomplete(Path file) {
    return file.resolveSibling(file.getFileName() + INCOMPLETE);
  }

  /** Gives a file another name in its directory, or in another one of the same file system. */
  public static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    forceDirectory(to.toAbsolutePath().getParent());
  }

  /**
   * Deletes a file for good.
   *
   * @return whether it was there
   */
  public static boolean delete(Path file) throws IOException {
    boolean there = Files.deleteIfExists(file);
    forceDirectory(file.toAbsolutePath().getParent());
    return there;
  }
}
