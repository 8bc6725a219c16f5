package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.router.diagnostic.DiagnosticRows;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.diagnostic.DiagnosticTable;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import java.util.List;
import java.util.Map;

/** {@code serverStatus} of a shard, with the sections that are about the cluster. */
final class ShardStatistics {
  /** Chunks do not move yet, so that nothing of this has happened. */
  private static final List<String> OF_MIGRATIONS =
      List.of(
          "countDonorMoveChunkStarted",
          "countDonorMoveChunkCommitted",
          "countDonorMoveChunkAborted",
          "totalDonorMoveChunkTimeMillis",
          "totalDonorChunkCloneTimeMillis",
          "totalCriticalSectionCommitTimeMillis",
          "totalCriticalSectionTimeMillis",
          "totalRecipientCriticalSectionTimeMillis",
          "countDocsClonedOnRecipient",
          "countBytesClonedOnRecipient",
          "countDocsClonedOnCatchUpOnRecipient",
          "countBytesClonedOnCatchUpOnRecipient",
          "countDocsClonedOnDonor",
          "countBytesClonedOnDonor",
          "countRecipientMoveChunkStarted",
          "countDocsDeletedByRangeDeleter",
          "countBytesDeletedByRangeDeleter",
          "countDonorMoveChunkLockTimeout",
          "countDonorMoveChunkAbortConflictingIndexOperation",
          "unfinishedMigrationFromPreviousPrimary",
          "rangeDeleterTasks");

  private final Ownership ownership;

  ShardStatistics(Ownership ownership) {
    this.ownership = ownership;
  }

  /** The row in the place of that of every node. */
  CommandSpec row(ServerServices services) {
    var command =
        new ServerStatusCommand(
            services,
            "wisent",
            Map.of("sharding", this::sharding, "shardingStatistics", this::statistics));
    return DiagnosticTable.all(services, DiagnosticRows.here(services)).stream()
        .filter(row -> row.name().equals("serverStatus"))
        .findFirst()
        .orElseThrow()
        .running(command);
  }

  private void sharding(CommandContext context, BsonBuilder out) {
    RawDocument identity = ownership.tables().identity();
    if (identity != null) {
      out.append("configsvrConnectionString", identity.get("configsvrConnectionString"));
    }
  }

  private void statistics(CommandContext context, BsonBuilder out) {
    out.appendInt64("countStaleConfigErrors", ownership.staleErrors());
    OF_MIGRATIONS.forEach(name -> out.appendInt64(name, 0));
  }
}
