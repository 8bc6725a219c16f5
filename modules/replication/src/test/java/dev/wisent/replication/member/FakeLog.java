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
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
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

  /** Looked at without waiting, as with the real one. */
  private volatile State state = new State(List.of(), null, 0);

  private record State(List<Peer> peers, String leader, long term) {
    boolean has(String id) {
      return peers.stream().anyMatch(peer -> peer.id().equals(id));
    }

    State with(List<Peer> others) {
      return new State(List.copyOf(others), leader, term);
    }
  }

  synchronized void begin(FakeRaftNode node, Peer self) {
    nodes.put(self.id(), node);
    state = state.with(List.of(self));
    lead(self.id());
  }

  synchronized void join(FakeRaftNode node, Peer self) {
    nodes.put(self.id(), node);
  }

  synchronized void leave(String id) {
    nodes.remove(id);
  }

  List<Peer> peers(String of) {
    State now = state;
    return now.has(of) ? now.peers : List.of();
  }

  synchronized void setPeers(String by, List<Peer> wanted) {
    requireLeadership(by);
    for (Peer peer : wanted) {
      FakeRaftNode node = nodes.get(peer.id());
      if (node != null && !state.has(peer.id())) {
        entries.forEach(node::apply);
      }
    }
    state = state.with(wanted);
    tell();
  }

  synchronized void forcePeers(String by, List<Peer> survivors) {
    state = state.with(survivors);
    lead(by);
  }

  /** There is no leader from now on. */
  synchronized void loseLeader() {
    state = new State(state.peers, null, state.term);
    tell();
  }

  synchronized void lead(String id) {
    state = new State(state.peers, id, state.term + 1);
    tell();
  }

  private void tell() {
    for (String id : List.copyOf(nodes.keySet())) {
      nodes.get(id).leadershipChanged();
    }
  }

  Leadership leadership(String of) {
    State now = state;
    return now.has(of)
        ? new Leadership(now.term, now.leader, of.equals(now.leader))
        : new Leadership(0, null, false);
  }

  synchronized void submit(String by, Mutation mutation, ClusterClock clock) {
    requireLeadership(by);
    Mutation stamped = stamped(mutation, clock);
    entries.add(stamped);
    for (Peer peer : state.peers) {
      FakeRaftNode node = nodes.get(peer.id());
      if (node != null) {
        node.apply(stamped);
      }
    }
  }

  private void requireLeadership(String id) {
    if (!id.equals(state.leader)) {
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
      document.appendInt64("t", state.term);
      document.appendDate("wall", Clock.system().wallMillis());
      builder.put(
          Keyspace.OPLOG,
          ByteBuffer.allocate(8).putLong(timestamp).array(),
          document.toDocument().toByteArray());
    }
    return builder.build();
  }

  static LeadershipException failed(CommandException e) {
    return new LeadershipException(LeadershipException.Kind.NOT_LEADER, e.getMessage());
  }
}
