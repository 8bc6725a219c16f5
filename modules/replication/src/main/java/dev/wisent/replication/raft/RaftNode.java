package dev.wisent.replication.raft;

import dev.wisent.base.CommandException;
import dev.wisent.replication.SyncReport;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LeadershipException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * This node's part in a replicated log. It remembers on disk which group it belongs to and goes on
 * there after a restart. Thread-safe.
 */
public interface RaftNode extends AutoCloseable {
  /** Goes on with the group of before, if there was one. Called once, before anything else. */
  void start();

  /**
   * How long at most a leader is not heard of before this node stands; it waits for half of that at
   * least. A log that runs is started anew with it, and leadership given up.
   */
  void electionTimeout(Duration max);

  /** Where the other nodes reach this one; known before it belongs to a group. */
  String address();

  /**
   * What has to be the same for all nodes of a group: the process that they call each other in;
   * empty for those that call each other over a network.
   */
  default Optional<String> process() {
    return Optional.empty();
  }

  /** The group it belongs to; empty if to none. */
  Optional<UUID> group();

  /** The id that this node has in its group; empty if it belongs to none. */
  default Optional<String> id() {
    return self().map(Peer::id);
  }

  /** Begins a group of which this node is the only one, and leads it with the data that it has. */
  void begin(UUID group, Peer self);

  /**
   * Belongs to a group from now on, and waits for its leader to be told so by {@link #setPeers}.
   * The node has to be empty: it gets everything from the others.
   *
   * @param secret what the members of the group share; null if they have nothing yet
   */
  void join(UUID group, Peer self, LogSecret secret);

  /**
   * As {@link #join}, but the data here may be an earlier state of the group. If its position is in
   * the log of the leader, only the log since is fetched; else everything. Until the node is as new
   * as the group was at that time, it {@link #isCatchingUp}.
   */
  void joinWithData(UUID group, Peer self, LogSecret secret);

  /** Whether it joined with data that is not as new yet as that of the group was then. */
  boolean isCatchingUp();

  /**
   * What new members have to be given; empty if the members share nothing, or there is no group.
   */
  Optional<LogSecret> secret();

  /**
   * Keeps what the members of the group share from now on, unless there is a secret in force. One
   * that is in force closes the port of the log, which starts again.
   */
  void keep(LogSecret secret);

  /**
   * Goes on in the same group as another peer, because the others reach this node elsewhere now:
   * they remember the address of an id for ever. Waits to be made a peer, and has lost nothing.
   */
  void rename(Peer self);

  /** This node as it began or joined, or was renamed; empty if it belongs to no group. */
  Optional<Peer> self();

  /** Whether its group began with this node, and not with another one. */
  boolean hasBegun();

  /** Forgets the group and all its data. */
  void leave();

  /** The peers as they are agreed upon. */
  List<Peer> peers();

  /** The peers whose votes count already. A peer that is just being added does not. */
  AgreedPeers agreedPeers();

  /**
   * Makes these the peers; returns when that is agreed upon and new ones have caught up.
   *
   * @throws CommandException if this node does not lead, or it took too long
   */
  void setPeers(List<Peer> peers, Duration timeout);

  /** The peers that this node is in touch with as their leader, itself among them. */
  Set<String> inTouch();

  /** Makes these the peers although no majority can be asked: some who voted are gone for ever. */
  void forcePeers(List<Peer> peers);

  /**
   * A peer that was away is there again. Who wants its vote connects at once then, and not when the
   * pause after many vain attempts is over.
   */
  void isBack(String peerId);

  /** Why this node does not follow the log, although it belongs to a group; empty if it does. */
  Optional<String> fault();

  /**
   * Whether the store is at least as new as readers had seen it before this process began: a crash
   * takes back what was not flushed, and the log brings it again.
   */
  boolean isRecovered();

  /** How it got everything from another one lately; empty if it had no need to. */
  Optional<SyncReport> sync();

  Leadership leadership();

  /**
   * Tells of each change, in order. To be set before the node is started. When leadership is lost,
   * everything pending is failed without waiting for the listener or for what is being applied: the
   * applier waits until writers have given up.
   */
  void onLeadership(Consumer<Leadership> listener);

  /**
   * Tells which peers could lead at once, because they have applied the log: leadership goes to no
   * other one only because that is preferred. To be set before the node is started.
   */
  void successors(Predicate<String> peers);

  /** Hands leadership to another voter; returns when that one leads. */
  void transferTo(String peerId, Duration timeout);

  /** Gives up leadership and does not stand for election until the time is over. */
  void stepDown(Duration standBack);

  /** Does not stand for election until the time is over; zero ends that. */
  void freeze(Duration time);

  boolean isFrozen();

  /**
   * Has the store stay as it is, from the return of this on: entries go into the log, and are
   * applied when the hold ends. Meanwhile this node does not stand for election.
   */
  void hold(boolean on);

  Ballot ballot();

  /** Where mutations become permanent; submitting fails on a node that does not lead. */
  CommitLog log();

  /**
   * An empty entry: where it is applied, this node leads and has applied everything before it.
   *
   * @throws LeadershipException if it does not lead
   */
  CommitFuture confirmLeadership();

  @Override
  void close();
}
