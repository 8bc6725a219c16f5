package dev.wisent.replication.raft;

import dev.wisent.base.log.Log;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Cuts off what a crash has left of the last write to a log. Ratis writes into files that it has
 * filled with zeros before, and takes an entry of which only a part was written for damage. It is
 * none if nothing but zeros follows: what comes after it was never on disk, so no client was told
 * that it was. Anything else is left for Ratis to refuse.
 *
 * <p>A file: a header of 8 bytes, then entries, each with its length as varint, its bytes, and a
 * CRC-32C of both.
 */
final class TornTail {
  private static final int HEADER_BYTES = 8;
  private static final String OPEN_SEGMENT = "log_inprogress_";

  private TornTail() {}

  /** Looks at the segment that was being written to, wherever it is below a directory. */
  static void cut(Path directory, Log log) throws IOException {
    List<Path> segments;
    try (Stream<Path> files = Files.walk(directory)) {
      segments =
          files.filter(file -> file.getFileName().toString().startsWith(OPEN_SEGMENT)).toList();
    }
    for (Path segment : segments) {
      Scan scan = scan(segment);
      if (scan.torn) {
        log.info(
            7_100_007,
            "Cutting off an entry of the log that was only partly written",
            "file",
            segment.toString(),
            "offset",
            scan.end);
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
          channel.truncate(scan.end);
          channel.force(true);
        }
      }
    }
  }

  /**
   * What is in a segment.
   *
   * @param end behind the last entry that is whole
   * @param torn whether one follows that was only partly written
   */
  record Scan(long end, boolean torn) {}

  static Scan scan(Path segment) throws IOException {
    long position = HEADER_BYTES;
    try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(segment)))) {
      if (in.skipBytes(HEADER_BYTES) < HEADER_BYTES) {
        return new Scan(0, false);
      }
      while (true) {
        int size = wholeEntry(in);
        if (size < 0) {
          return new Scan(position, onlyZerosFollow(in));
        }
        if (size == 0) {
          return new Scan(position, false);
        }
        position += size;
      }
    } catch (EOFException e) {
      // Ratis itself copes with an entry that the end of the file cuts off.
      return new Scan(position, false);
    }
  }

  /** The size of the next entry, 0 at the end, or -1 if it is not whole. */
  private static int wholeEntry(DataInputStream in) throws IOException {
    CRC32C checksum = new CRC32C();
    int length = 0;
    int prefix = 0;
    while (true) {
      int next = in.readUnsignedByte();
      if (prefix == 0 && next == 0) {
        return 0;
      }
      checksum.update(next);
      length |= (next & 0x7F) << (7 * prefix++);
      if (next < 0x80) {
        break;
      }
      if (prefix == 5) {
        return -1;
      }
    }
    if (length < 0 || length > RatisSettings.ENTRY_BYTES_MAX * 2L) {
      return -1;
    }
    byte[] content = new byte[length];
    in.readFully(content);
    checksum.update(content);
    boolean whole = in.readInt() == (int) checksum.getValue();
    return whole ? prefix + length + Integer.BYTES : -1;
  }

  private static boolean onlyZerosFollow(DataInputStream in) throws IOException {
    byte[] rest = new byte[1 << 16];
    while (true) {
      int count = in.read(rest);
      if (count < 0) {
        return true;
      }
      for (int i = 0; i < count; i++) {
        if (rest[i] != 0) {
          return false;
        }
      }
    }
  }
}
