package dev.wisent.replication.raft;

import dev.wisent.replication.raft.Peer.Role;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer.Division;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.AtomicFileOutputStream;

/**
 * Changes who votes although no majority of those who do can be asked. Ratis reads the
 * configuration that is newest by its index when it starts, from the log or from a file beside it;
 * we write that file, with the index that the next entry will have. The log stays as it is: what a
 * lost majority had accepted, as far as it is here, will be committed by the new voters.
 */
final class ForcedPeers {
  private final File file;
  private final TermIndex last;

  /** Looks at a server that still runs. */
  ForcedPeers(RatisSession session) {
    Division division = session.division();
    this.file =
        new File(division.getRaftStorage().getStorageDir().getCurrentDir(), "raft-meta.conf");
    TermIndex inLog = division.getRaftLog().getLastEntryTermIndex();
    this.last =
        inLog != null ? inLog : division.getStateMachine().getLatestSnapshot().getTermIndex();
  }

  /** Writes it, when that server is closed. */
  void write(List<Peer> peers) throws IOException {
    var configuration = RaftConfigurationProto.newBuilder();
    for (RaftPeer voter : RatisPeers.toRatis(peers, Role.VOTER)) {
      configuration.addPeers(voter.getRaftPeerProto());
    }
    for (RaftPeer listener : RatisPeers.toRatis(peers, Role.LISTENER)) {
      configuration.addListeners(listener.getRaftPeerProto());
    }
    LogEntryProto entry =
        LogEntryProto.newBuilder()
            .setTerm(last.getTerm())
            .setIndex(last.getIndex() + 1)
            .setConfigurationEntry(configuration)
            .build();
    try (OutputStream out = new AtomicFileOutputStream(file)) {
      entry.writeTo(out);
    }
  }
}
