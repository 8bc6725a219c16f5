package dev.wisent.replication.member;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.Leadership;
import dev.wisent.replication.raft.Peer;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A replicated log in memory: what the leader submits is applied by all peers before the call
 * returns. Who leads is what the test says.
 */
final class FakeLog {
  private final Map<String, FakeRaftNode> nodes = new LinkedHashMap<>();
  private final List<Mutation> entries = new ArrayList<>();
  private List<Peer> peers = List.of();
  private String leader;
  private long term;

  synchronized void begin(FakeRaftNode node, Peer self) {
    nodes.put(self.id(), node);
    peers = List.of(self);
    lead(self.id());
  }

  synchronized void join(FakeRaftNode node, Peer self) {
    nodes.put(self.id(), node);
  }

  synchronized void leave(String id) {
    nodes.remove(id);
  }

  synchronized List<Peer> peers(String of) {
    boolean belongs = peers.stream().anyMatch(peer -> peer.id().equals(of));
    return belongs ? peers : List.of();
  }

  synchronized void setPeers(String by, List<Peer> wanted) {
    requireLead(by);
    for (Peer peer : wanted) {
      FakeRaftNode node = nodes.get(peer.id());
      if (node != null && peers.stream().noneMatch(known -> known.id().equals(peer.id()))) {
        entries.forEach(node::apply);
      }
    }
    peers = List.copyOf(wanted);
    tell();
  }

  synchronized void forcePeers(String by, List<Peer> survivors) {
    peers = List.copyOf(survivors);
    lead(by);
  }

  /** Nobody leads from now on. */
  synchronized void loseLeader() {
    leader = null;
    tell();
  }

  synchronized void lead(String id) {
    leader = id;
    term++;
    tell();
  }

  private void tell() {
    for (String id : List.copyOf(nodes.keySet())) {
      nodes.get(id).leadershipChanged();
    }
  }

  synchronized Leadership leadership(String of) {
    boolean belongs = peers.stream().anyMatch(peer -> peer.id().equals(of));
    return belongs
        ? new Leadership(term, leader, of.equals(leader))
        : new Leadership(0, null, false);
  }

  synchronized void submit(String by, Mutation mutation, ClusterClock clock) {
    requireLead(by);
    Mutation stamped = stamped(mutation, clock);
    entries.add(stamped);
    for (Peer peer : peers) {
      FakeRaftNode node = nodes.get(peer.id());
      if (node != null) {
        node.apply(stamped);
      }
    }
  }

  private void requireLead(String id) {
    if (!id.equals(leader)) {
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not the leader");
    }
  }

  private Mutation stamped(Mutation mutation, ClusterClock clock) {
    var builder = new MutationBuilder();
    var changes = new BatchReader(mutation);
    while (changes.next()) {
      builder.put(
          changes.keyspace(),
          changes.bytes(),
          changes.keyOffset(),
          changes.keyLength(),
          changes.bytes(),
          changes.valueOffset(),
          changes.valueLength());
    }
    for (byte[] entry : mutation.oplogEntries()) {
      long timestamp = clock.tick();
      var document = new BsonBuilder();
      document.appendAll(RawDocument.of(entry));
      document.appendTimestamp("ts", timestamp);
      document.appendInt64("t", term);
      document.appendDate("wall", Clock.system().wallMillis());
      builder.put(
          Keyspace.OPLOG,
          ByteBuffer.allocate(8).putLong(timestamp).array(),
          document.toDocument().toByteArray());
    }
    return builder.build();
  }

  static StorageException failed(CommandException e) {
    return new StorageException(StorageException.Kind.NOT_LEADER, e.getMessage());
  }
}
