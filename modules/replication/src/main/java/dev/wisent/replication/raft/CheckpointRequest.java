package dev.wisent.replication.raft;

import dev.wisent.storage.LogPosition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * What a node asks the leader for, to get a copy of its store: make a checkpoint, then its files,
 * part by part, then it is not needed any more. Five numbers of 8 bytes, big endian: kind,
 * checkpoint (to make one, a number for the asker, or 0), file, offset, length. To ask whether a
 * copy is needed: kind, the term and the index of the data that is there, the time of the last
 * entry of its oplog or 0, and a zero.
 */
record CheckpointRequest(Kind kind, long checkpoint, long file, long offset, long length) {
  /** How the answer to a request begins that a node does not know. Other versions look for it. */
  static final String UNKNOWN_KIND = "There is no request of kind";

  private static final int BYTES = 5 * Long.BYTES;

  enum Kind {
    MAKE,
    READ,
    DISCARD,
    /** As MAKE, for a node that keeps no data. */
    OUTLINE,
    /** Whether a position is in the log: see {@link PositionProof}. */
    PROVE
  }

  /**
   * Asks for a new one.
   *
   * @param data whether everything is asked for, or an outline
   * @param asker who asks, who needs none that was made for it before
   */
  static CheckpointRequest make(boolean data, RaftPeerId asker) {
    byte[] id = asker.toString().getBytes(StandardCharsets.UTF_8);
    long number = UUID.nameUUIDFromBytes(id).getMostSignificantBits();
    return new CheckpointRequest(data ? Kind.MAKE : Kind.OUTLINE, number, 0, 0, 0);
  }

  static CheckpointRequest discard(long checkpoint) {
    return new CheckpointRequest(Kind.DISCARD, checkpoint, 0, 0, 0);
  }

  static CheckpointRequest prove(LogPosition position, long newest) {
    return new CheckpointRequest(Kind.PROVE, position.term(), position.index(), newest, 0);
  }

  static boolean asksForProof(Message message) {
    ByteString content = message.getContent();
    return content.size() == BYTES
        && content.asReadOnlyByteBuffer().getLong() == Kind.PROVE.ordinal();
  }

  /** The position that is to be proven. */
  LogPosition position() {
    return new LogPosition(checkpoint, file);
  }

  /** The time of the last entry of the oplog at that position; 0 if it is not known. */
  long newest() {
    return offset;
  }

  Message encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(kind.ordinal()).putLong(checkpoint).putLong(file).putLong(offset);
    bytes.putLong(length);
    ByteString content = UnsafeByteOperations.unsafeWrap(bytes.array());
    return Message.valueOf(content);
  }

  static CheckpointRequest decode(Message message) {
    ByteBuffer bytes = message.getContent().asReadOnlyByteBuffer();
    if (bytes.remaining() != BYTES) {
      throw new IllegalArgumentException("Malformed request for a checkpoint");
    }
    long kind = bytes.getLong();
    if (kind < 0 || kind >= Kind.values().length) {
      throw new IllegalArgumentException(UNKNOWN_KIND + " " + kind);
    }
    return new CheckpointRequest(
        Kind.values()[(int) kind],
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong());
  }
}
