package dev.wisent.replication;

import dev.wisent.base.CommandException;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.wire.client.NodeClient;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The replica set as this member knows it: what commands ask and wait for. Thread-safe. */
public interface ReplicaSet {
  /** The name that this node was started with. */
  String name();

  /** The configuration; empty before the set is initiated, and on a member that was removed. */
  Optional<ReplicaSetConfig> config();

  MemberState state();

  /**
   * Returns when {@code hello} shows every change of role that an operation can have noticed by
   * now, with a topology version of its own. Drivers ignore errors of a version that they know.
   */
  void awaitStateShown();

  /** This member's {@code host:port} in the configuration; null if it is not in one. */
  String me();

  /** The primary's {@code host:port}; null if none is known. */
  String primary();

  /** The newest term that this member knows of. */
  long term();

  ClusterClock clock();

  /** Calls other members. */
  NodeClient nodes();

  /** The last operation that is applied here: also the last that reads can see. */
  OpTime lastApplied();

  /** When that was, in milliseconds of wall time. */
  long lastAppliedWallMillis();

  /** Elections of this member and of others. */
  ElectionReport elections();

  /**
   * The members whose majority commits what is in the log, by {@code _id}; empty while that is
   * being changed. The log follows the configuration, and can be behind it.
   */
  Set<Integer> logVoters();

  /** How far the members are, as far as this one has been told; its own position included. */
  List<MemberPosition> positions();

  /**
   * How far a member is.
   *
   * @param memberId its {@code _id} in the configuration
   */
  record MemberPosition(int memberId, OpTime applied) {}

  /**
   * Waits until the positions, this member's role or the configuration may have changed since
   * {@code seen} ({@link #progress()} before the look); false when the time is over.
   */
  boolean awaitProgress(long seen, long timeoutMillis) throws InterruptedException;

  /** Grows whenever a member has got further, or a role has changed. */
  long progress();

  /**
   * Returns if writes are accepted here.
   *
   * @throws CommandException NotWritablePrimary
   */
  void checkWritable();

  /** Waits until operations up to a cluster time are applied here. */
  void awaitApplied(long timestamp, OperationContext operation);

  /**
   * Returns when this member was certainly the primary at some moment after the call, with
   * everything applied that was committed before.
   *
   * @throws CommandException NotWritablePrimary if it is not
   */
  void confirmPrimary(OperationContext operation);
}
