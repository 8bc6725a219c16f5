package dev.wisent.replication.raft;

import dev.wisent.replication.raft.Peer.Role;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer.Division;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.util.AtomicFileOutputStream;
import org.apache.ratis.util.SizeInBytes;

/**
 * Changes who votes although no majority of those who do can be asked. Ratis reads the
 * configuration that is newest by its index when it starts, from the log or from a file beside it;
 * we write that file, with the index that the next entry will have. The log stays as it is: what a
 * lost majority had accepted, as far as it is here, will be committed by the new voters.
 */
final class ForcedPeers {
  private final RaftStorage storage;
  private final SizeInBytes entryBytesMax;
  private final SnapshotInfo snapshot;

  /** Looks at a server that still runs. */
  ForcedPeers(RatisSession session) {
    Division division = session.division();
    this.storage = division.getRaftStorage();
    this.entryBytesMax =
        RaftServerConfigKeys.Log.Appender.bufferByteLimit(division.getRaftServer().getProperties());
    this.snapshot = division.getStateMachine().getLatestSnapshot();
  }

  /** Writes it, when that server is closed. */
  void write(List<Peer> peers) {
    try {
      writeConfiguration(peers);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot change the members", e);
    }
  }

  private void writeConfiguration(List<Peer> peers) throws IOException {
    var configuration = RaftConfigurationProto.newBuilder();
    for (RaftPeer voter : RatisPeers.toRatis(peers, Role.VOTER)) {
      configuration.addPeers(voter.getRaftPeerProto());
    }
    for (RaftPeer listener : RatisPeers.toRatis(peers, Role.LISTENER)) {
      configuration.addListeners(listener.getRaftPeerProto());
    }
    TermIndex last = last();
    LogEntryProto entry =
        LogEntryProto.newBuilder()
            .setTerm(last.getTerm())
            .setIndex(last.getIndex() + 1)
            .setConfigurationEntry(configuration)
            .build();
    var file = new File(storage.getStorageDir().getCurrentDir(), "raft-meta.conf");
    try (OutputStream out = new AtomicFileOutputStream(file)) {
      entry.writeTo(out);
    }
  }

  /**
   * The last entry as the files have it: until it was closed the server may have got more, and two
   * configurations with the same index would keep it from starting ever again.
   */
  private TermIndex last() throws IOException {
    for (LogSegmentPath segment : LogSegmentPath.getLogSegmentPaths(storage).reversed()) {
      var last = new AtomicReference<TermIndex>();
      LogSegment.readSegmentFile(
          segment.getPath().toFile(),
          segment.getStartEnd(),
          entryBytesMax,
          CorruptionPolicy.WARN_AND_RETURN,
          null,
          entry -> last.set(TermIndex.valueOf(entry)));
      if (last.get() != null) {
        return last.get();
      }
    }
    return snapshot.getTermIndex();
  }
}
