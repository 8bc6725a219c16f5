package dev.wisent.replication.raft;

import dev.wisent.base.disk.OnDisk;
import dev.wisent.replication.raft.Peer.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Which group this node belongs to, and as whom: a file that is there completely or not at all.
 * Lines: format, group, whether this node began it, id, address, priority, role.
 */
final class GroupFile {
  private static final String FORMAT = "wisent raft group 1";

  private final Path file;

  GroupFile(Path directory) {
    this.file = directory.resolve("group");
  }

  /**
   * A membership.
   *
   * @param first whether the group began with this node as its only one
   * @param self as it was then; the log knows better by now
   */
  record Membership(UUID group, boolean first, Peer self) {}

  Optional<Membership> read() {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
    if (lines.size() != 7 || !lines.get(0).equals(FORMAT)) {
      throw new IllegalStateException("The file " + file + " was made by another version");
    }
    Peer self =
        new Peer(
            lines.get(3), lines.get(4), Integer.parseInt(lines.get(5)), Role.valueOf(lines.get(6)));
    return Optional.of(
        new Membership(UUID.fromString(lines.get(1)), Boolean.parseBoolean(lines.get(2)), self));
  }

  void write(Membership membership) {
    Peer self = membership.self;
    try {
      OnDisk.replace(
          file,
          List.of(
              FORMAT,
              membership.group.toString(),
              Boolean.toString(membership.first),
              self.id(),
              self.address(),
              Integer.toString(self.priority()),
              self.role().name()));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
  }

  void delete() {
    try {
      OnDisk.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + file, e);
    }
  }
}
