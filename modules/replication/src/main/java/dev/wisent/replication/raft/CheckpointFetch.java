package dev.wisent.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftPeerId;

/** Gets a checkpoint from another node. */
final class CheckpointFetch {
  private static final CheckpointRequest.Kind READ = CheckpointRequest.Kind.READ;

  private final LeaderClient client;
  private final RaftPeerId self;
  private final SyncProgress progress;

  CheckpointFetch(LeaderClient client, RaftPeerId self, SyncProgress progress) {
    this.client = client;
    this.self = self;
    this.progress = progress;
  }

  /**
   * Copies everything that the leader has into a directory, which is emptied before.
   *
   * @param data whether this node keeps data, or needs no more than an outline
   */
  Path fetch(Path target, boolean data) throws IOException {
    progress.begins(client.leaderId());
    RaftFiles.deleteRecursively(target);
    Files.createDirectories(target);
    try {
      List<String> lines = CheckpointServer.lines(client.ask(CheckpointRequest.make(data, self)));
      long checkpoint = Long.parseLong(lines.getFirst());
      progress.total(lines.stream().skip(1).mapToLong(CheckpointFetch::size).sum());
      for (int i = 1; i < lines.size(); i++) {
        int blank = lines.get(i).indexOf(' ');
        Path file = target.resolve(lines.get(i).substring(blank + 1)).normalize();
        if (!file.startsWith(target)) {
          throw new IOException("The leader has a file outside of its checkpoint: " + file);
        }
        Files.createDirectories(file.getParent());
        long size = size(lines.get(i));
        copy(file, new CheckpointRequest(READ, checkpoint, i - 1, 0, size));
      }
      client.ask(CheckpointRequest.discard(checkpoint));
    } catch (IOException | RuntimeException e) {
      RaftFiles.deleteRecursively(target);
      throw e;
    }
    return target;
  }

  /** The length of a file, which stands before its name. */
  private static long size(String line) {
    return Long.parseLong(line.substring(0, line.indexOf(' ')));
  }

  private void copy(Path file, CheckpointRequest whole) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long offset = 0;
      while (offset < whole.length()) {
        long rest = Math.min(whole.length() - offset, CheckpointServer.PART_BYTES_MAX);
        Message part =
            client.ask(new CheckpointRequest(READ, whole.checkpoint(), whole.file(), offset, rest));
        ByteBuffer bytes = part.getContent().asReadOnlyByteBuffer();
        if (bytes.remaining() != rest) {
          throw new IOException("A part of " + file.getFileName() + " is missing");
        }
        while (bytes.hasRemaining()) {
          offset += channel.write(bytes);
        }
        progress.copied(rest);
      }
    }
  }
}
