package dev.wisent.replication;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.time.Duration;

/** What administrators and other members do to this one. Thread-safe. */
public interface ReplicaSetControl {
  /**
   * Begins the set; an empty document means one of this node alone.
   *
   * @param force whether to do so also where data that the set of before has is lost by it, or that
   *     set still has members
   */
  void initiate(RawDocument config, boolean force, OperationContext operation);

  /** Changes the configuration; forced also where there is no majority to agree. */
  void reconfigure(RawDocument config, boolean force, OperationContext operation);

  /**
   * Hands leadership to another member.
   *
   * @param standBack how long not to lead again
   * @param catchUp how long to wait for a member that has everything
   * @param force whether to step down even if none has
   */
  void stepDown(Duration standBack, Duration catchUp, boolean force, OperationContext operation);

  /** Takes leadership from the primary. */
  void stepUp(OperationContext operation);

  /** As primary, hands leadership to a member that asks for it. */
  void handOver(int memberId);

  /** Keeps this member from standing for election; zero ends that. */
  void freeze(Duration time);

  /** Takes this member out of reads, or back. */
  void maintenance(boolean on, OperationContext operation);

  /** Returns the host that this member has followed so far; empty if none. */
  String syncFrom(String host);

  SetStatus status();

  /** Answers another member. */
  Heartbeat.Response heartbeat(Heartbeat.Request request);

  /** Becomes a member. */
  JoinRequest.Response join(JoinRequest request);

  /**
   * Hears how far another member is; returns whether a write here waits for such positions, or did
   * so lately.
   */
  boolean updatePosition(RawDocument body);
}
