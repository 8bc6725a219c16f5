package dev.wisent.server;

import dev.wisent.operation.VirtualReads;
import dev.wisent.operation.backup.Backups;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.operation.diagnostic.PlanCaches;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.ReplicaSetControl;
import java.util.Optional;

/**
 * What only roles with a store of their own have. A router has none of it.
 *
 * @param replicaSet the set that this node was started for; empty for a standalone
 * @param replicaSetControl what can be done to this node as a member of it; empty likewise
 */
public record StoreServices(
    Definitions definitions,
    Diagnostics diagnostics,
    PlanCaches planCaches,
    NodeStore store,
    OplogControl oplog,
    VirtualReads virtualReads,
    Backups backups,
    Optional<ReplicaSet> replicaSet,
    Optional<ReplicaSetControl> replicaSetControl) {}
