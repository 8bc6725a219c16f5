package dev.wisent.server.command.concern;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoints;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.replication.ElectionId;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.server.topology.TopologyIdentity;
import java.util.function.LongSupplier;

/** What a member of a replica set adds to every command, before it is run and in its reply. */
public final class SetMembership {
  private final ReplicaSet set;
  private final TopologyIdentity topology;
  private final ClusterTimes times;
  private final LongSupplier clusterTime;
  private final RoleGate gate;
  private final ReadConcernWait reads;

  public SetMembership(
      ReplicaSet set, TopologyIdentity topology, ReadPoints points, OplogControl oplog) {
    this.set = set;
    this.topology = topology;
    this.times = new ClusterTimes(set);
    this.clusterTime = set.clock()::now;
    this.gate = new RoleGate(set);
    this.reads = new ReadConcernWait(set, points, oplog);
  }

  /**
   * Refuses what cannot be run here, and waits for what the command has to see. A role that is lost
   * after this look is noticed where the command writes.
   *
   * @param concern null if the request has none
   */
  public void before(RunningOperation operation, ReadConcern concern) {
    OperationContext context = operation.context();
    times.receive(operation.request().clusterTime(), context);
    context.clusterTime(clusterTime);
    gate.check(operation.spec(), operation.request());
    if (concern != null) {
      if (operation.request().isInTransaction()) {
        reads.awaitTransaction(concern, context);
      } else {
        reads.await(concern, context);
      }
    }
  }

  /** Adds to the reply of a command that has succeeded when it has written, and in which term. */
  public void after(CommandSpec spec, OperationContext operation, BsonBuilder reply) {
    long written = ClusterTimes.writtenAt(operation);
    if (written == 0 || !spec.is(CommandTrait.OP_TIME)) {
      return;
    }
    long term = set.term();
    reply.appendObjectId("electionId", ElectionId.of(term));
    reply.startDocument("opTime");
    reply.appendTimestamp("ts", written);
    reply.appendInt64("t", term);
    reply.end();
  }

  /**
   * Ends every reply.
   *
   * @param operation null for a request that never became one
   * @param errorCode 0 for a command that has succeeded
   */
  public void end(OperationContext operation, int errorCode, BsonBuilder reply) {
    if (operation != null && operation.readPoint() != null) {
      operation.readPoint().close();
    }
    stateChanged(errorCode, reply);
    times.send(operation, reply);
  }

  /** Tells clients which state they have not heard of yet, if an error is about that. */
  public void stateChanged(int errorCode, BsonBuilder reply) {
    if (ErrorCode.isStateChange(errorCode)) {
      set.awaitStateShown();
      topology.append(reply);
    }
  }
}
