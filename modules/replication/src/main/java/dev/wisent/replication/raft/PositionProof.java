package dev.wisent.replication.raft;

import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Whether data at a position is an earlier state of a group: it is, if the log of the leader has an
 * entry of that term at that index, and the entry is committed. By Raft's log matching all entries
 * before it are the same then, and every later leader has them. Two survivors of a lost majority
 * that have both been forced to lead alone may each have an entry of that term at that index: so
 * the time of the last entry of the oplog has to be the same, too.
 *
 * <p>The answer is a number of 8 bytes, big endian: the index up to which the log is committed, or
 * one of the two below.
 */
final class PositionProof {
  /** The log has another entry there, or none, or has given it up. */
  private static final long ABSENT = -1;

  /** It is not known yet whether the entry is committed. */
  private static final long UNDECIDED = -2;

  /** The leader does not know yet; it will soon. */
  static final class UndecidedException extends IOException {
    private static final long serialVersionUID = 1;

    UndecidedException() {
      super("The leader does not know yet what is committed");
    }
  }

  private PositionProof() {}

  /** What this node answers. Only a leader can: others may not know yet what is committed. */
  static Message answer(RaftServer.Division division, CheckpointRequest request) {
    return Message.valueOf(
        UnsafeByteOperations.unsafeWrap(
            ByteBuffer.allocate(Long.BYTES).putLong(look(division, request)).flip()));
  }

  private static long look(RaftServer.Division division, CheckpointRequest request) {
    // A leader that is ready has committed an entry of its term, and so knows of all before it.
    if (!division.getInfo().isLeaderReady()) {
      return UNDECIDED;
    }
    RaftLog log = division.getRaftLog();
    long committed = log.getLastCommittedIndex();
    LogPosition position = request.position();
    TermIndex own = log.getTermIndex(position.index());
    if (own == null || own.getTerm() != position.term()) {
      return ABSENT;
    }
    if (position.index() > committed) {
      return UNDECIDED;
    }
    return isOfTime(request.newest(), log, position.index()) ? committed : ABSENT;
  }

  /** Whether an entry has the oplog end at a time; also if one of both is not known. */
  private static boolean isOfTime(long newest, RaftLog log, long index) {
    try {
      LogEntryProto entry = log.get(index);
      if (entry == null) {
        return false; // given up just now
      }
      long own = entry.hasStateMachineLogEntry() ? time(entry) : 0;
      return own == 0 || newest == 0 || own == newest;
    } catch (RaftLogIOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** 0 if the entry has none, or was left out. */
  private static long time(LogEntryProto entry) {
    EntryFormat.Header header =
        EntryFormat.header(entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer());
    return header.term() == entry.getTerm() ? header.lastTimestamp() : 0;
  }

  /**
   * Reads an answer.
   *
   * @return up to where the log is committed; empty if the data is no state of the group, or one
   *     from before the begin of the log
   * @throws UndecidedException if that is not known yet
   */
  static OptionalLong read(Message answer) throws IOException {
    ByteBuffer bytes = answer.getContent().asReadOnlyByteBuffer();
    if (bytes.remaining() != Long.BYTES) {
      throw new IOException("Malformed answer of the leader");
    }
    long committed = bytes.getLong();
    if (committed == UNDECIDED) {
      throw new UndecidedException();
    }
    return committed == ABSENT ? OptionalLong.empty() : OptionalLong.of(committed);
  }
}
