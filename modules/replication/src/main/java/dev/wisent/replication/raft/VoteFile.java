package dev.wisent.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * The file in which Ratis keeps the term and the vote of this node. A server that cannot write it
 * when it stands for election stays a candidate for ever: it asks for no votes, and refuses its own
 * to candidates with a lower priority.
 */
final class VoteFile {
  /** More than Ratis writes. */
  private static final int BYTES = 4096;

  private final Path temporary;

  VoteFile(Path log, UUID group) {
    // Where Ratis writes before it renames.
    this.temporary = log.resolve(group.toString()).resolve("current").resolve("raft-meta.tmp");
  }

  /**
   * Returns if the file can be written. To be called while no server runs.
   *
   * @throws IOException if it cannot be
   */
  void check() throws IOException {
    if (!Files.isDirectory(temporary.getParent())) {
      return; // The first start makes it.
    }
    try (FileChannel file =
        FileChannel.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocate(BYTES);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(true);
    }
    Files.delete(temporary);
  }
}
