package dev.wisent.simulation;

import dev.wisent.simulation.machine.Mutant;
import java.util.List;

/** Builds of the product without a rule. */
final class Rules {
  private static final String SHARD = "dev.wisent.cluster.shard.";
  private static final String ROUTER = "dev.wisent.cluster.router.";
  private static final String DATABASE = "dev.wisent.database.";

  private Rules() {}

  /** Seeds find each of them. */
  static final List<Mutant> ALL =
      List.of(
          // The recipient is told to own the range, and the donor's log has no decision.
          new Mutant("H1", SHARD + "migration.CriticalSection", "giveUp", 0),
          // The flip does not wait for writes of the range that are under way.
          new Mutant("H2", DATABASE + "ownership.WriteBlocks", "awaitEmpty", 1),
          // A transaction commits by tables that are not the newest.
          new Mutant("H5", DATABASE + "write.TransactionCommit", "checkOwned", 0),
          // A read of the past asks the shards of now alone.
          new Mutant("H5-reads", "dev.wisent.sharding.ChunkPage", "areSame", 1),
          // The last changes of a range do not come to the recipient.
          new Mutant("H14", SHARD + "migration.CriticalSection", "catchUp", 1),
          // A transaction overwrites what has changed since its snapshot.
          new Mutant("H7", DATABASE + "write.TransactionWrites", "isChanged", 0),
          // What is left of a write of many documents is not cut to the ranges that are left.
          new Mutant("H8", ROUTER + "write.StatementParts", "isOlder", 0),
          // Cursors go on in newer states after their range has gone.
          new Mutant("H9", DATABASE + "ownership.Ownership", "register", 0),
          // A write without the shard key has no attempts.
          new Mutant("H12", ROUTER + "write.KeylessWrites", "retryableWrite", 0),
          // A document that is not owned refuses one that has its _id.
          new Mutant("H13", DATABASE + "write.CollectionChanges", "checkOrphan", 0),
          // Ranges are not compared with the version of the request where the data is read.
          new Mutant("H15", DATABASE + "ownership.Ownership", "check", 0),
          // Definitions change while ranges move.
          new Mutant("H16", "dev.wisent.cluster.coordinator.ResourceLocks", "tryTake", 1),
          // A drop does not keep writes out.
          new Mutant("H16 writes", "dev.wisent.cluster.config.ddl.DropCoordinator", "hide", 0),
          // Streams give events that other shards have not passed.
          new Mutant("H16 streams", ROUTER + "stream.ClusterStream", "havePassed", 1),
          // Records of sessions stay behind.
          new Mutant("sessions", SHARD + "migration.Donation", "sendSessions", 0),
          // A new primary does not latch the records of what is prepared.
          new Mutant("H3", DATABASE + "write.PreparedEnd", "latchRecord", 0),
          // It gives the record ids of prepared inserts to others.
          new Mutant("H3-ids", DATABASE + "write.PreparedEnd", "reserve", 0),
          // Indexes are built while something is prepared.
          new Mutant("H3-definitions", DATABASE + "collection.CatalogLock", "requireNone", 0),
          // Latches of what is prepared outlive the leadership.
          new Mutant("H4", DATABASE + "transaction.NodeTransactions", "drop", 0),
          // A state is taken for that of any time near it.
          new Mutant("H6", DATABASE + "snapshot.SnapshotHistory", "isRight", 1),
          // An abort is not stored.
          new Mutant("H10", DATABASE + "transaction.TransactionEnds", "close", 0),
          // A snapshot does not wait for what was prepared before it.
          new Mutant("H11", DATABASE + "snapshot.SnapshotHistory", "awaitDecided", 0));
}
