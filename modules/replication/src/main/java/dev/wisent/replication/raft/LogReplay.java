package dev.wisent.replication.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;

/**
 * Reads entries from the files of a log that no server has open. A server applies an entry when a
 * leader says that it is committed. What this node had applied before it ended is committed, with
 * or without a leader.
 */
final class LogReplay {
  private static final Pattern CLOSED_SEGMENT = Pattern.compile("log_\\d+-(\\d+)");

  private final Path directory;
  private final SizeInBytes entryBytesMax;

  /**
   * @param logs where Ratis keeps the logs of all groups
   */
  LogReplay(Path logs, UUID group, SizeInBytes entryBytesMax) {
    this.directory = logs.resolve(group.toString()).resolve("current");
    this.entryBytesMax = entryBytesMax;
  }

  /**
   * Hands on the entries between two indexes, in order, as far as the log has them.
   *
   * @param after the index before the first
   * @param last the index of the last
   */
  void read(long after, long last, Consumer<LogEntryProto> entries) throws IOException {
    if (last <= after) {
      return;
    }
    var filter =
        new Consumer<LogEntryProto>() {
          private long next = after + 1;

          @Override
          public void accept(LogEntryProto entry) {
            if (entry.getIndex() == next && next <= last) {
              entries.accept(entry);
              next++;
            }
          }
        };
    for (LogSegmentPath segment : segments(after)) {
      LogSegment.readSegmentFile(
          segment.getPath().toFile(),
          segment.getStartEnd(),
          entryBytesMax,
          CorruptionPolicy.EXCEPTION,
          null,
          filter);
    }
  }

  /** The files that may have entries behind an index. */
  private List<LogSegmentPath> segments(long after) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> !endsUpTo(after, file))
          .map(LogSegmentPath::matchLogSegment)
          .filter(Objects::nonNull)
          .sorted(Comparator.comparing(LogSegmentPath::getStartEnd))
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private static boolean endsUpTo(long index, Path file) {
    Matcher closed = CLOSED_SEGMENT.matcher(file.getFileName().toString());
    return closed.matches() && Long.parseLong(closed.group(1)) <= index;
  }
}
