package dev.wisent.replication.raft;

import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Whether data at a position is an earlier state of a group: it is, if the log of the leader has an
 * entry of that term at that index, and the entry is committed. By Raft's log matching all entries
 * before it are the same then, and every later leader has them.
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
  static Message answer(RaftServer.Division division, LogPosition position) {
    return Message.valueOf(
        UnsafeByteOperations.unsafeWrap(
            ByteBuffer.allocate(Long.BYTES).putLong(look(division, position)).flip()));
  }

  private static long look(RaftServer.Division division, LogPosition position) {
    // A leader that is ready has committed an entry of its term, and so knows of all before it.
    if (!division.getInfo().isLeaderReady()) {
      return UNDECIDED;
    }
    RaftLog log = division.getRaftLog();
    long committed = log.getLastCommittedIndex();
    TermIndex own = log.getTermIndex(position.index());
    if (own == null || own.getTerm() != position.term()) {
      return ABSENT;
    }
    return position.index() <= committed ? committed : UNDECIDED;
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
