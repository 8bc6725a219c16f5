package dev.wisent.replication.member;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.storage.ReadView;
import dev.wisent.wire.client.NodeClient;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.bson.types.ObjectId;

/**
 * What a member is made from.
 *
 * @param setName the name that the node was started with
 * @param processId what hello tells of this process: how a node recognises itself behind a name
 * @param hasData whether there is anything but {@code local}
 * @param lacksLog whether readers had seen data that is only in a log which is not here
 * @param defaultHost the {@code host:port} that a configuration without one gets
 * @param topologyChanged told when hello has something new to tell
 * @param nodes calls to other members; the member closes it
 */
public record MemberSetup(
    String setName,
    ObjectId processId,
    Clock clock,
    RandomSource random,
    ClusterClock clusterClock,
    ReadView storage,
    RaftNode raft,
    LeadershipHandler leadershipHandler,
    BooleanSupplier hasData,
    BooleanSupplier lacksLog,
    Supplier<String> defaultHost,
    Runnable topologyChanged,
    NodeClient nodes,
    BackgroundLoops loops,
    Log log) {}
