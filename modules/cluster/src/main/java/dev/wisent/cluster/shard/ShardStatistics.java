package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.MigrationFigures;
import dev.wisent.cluster.shard.range.RangeDeletionFigures;
import dev.wisent.cluster.shard.resharding.ReshardingFigures;
import dev.wisent.cluster.shard.transaction.CommitFigures;
import dev.wisent.database.ownership.CursorStates;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import java.util.Map;

/** The sections of {@code serverStatus} of a shard that are about the cluster. */
final class ShardStatistics {
  private final Ownership ownership;
  private final VersionCheck versions;
  private final CommitFigures commits;
  private final MigrationFigures migrations;
  private final RangeDeletionFigures deletions;
  private final ReshardingFigures reshardings;

  ShardStatistics(
      Ownership ownership,
      VersionCheck versions,
      CommitFigures commits,
      MigrationFigures migrations,
      RangeDeletionFigures deletions,
      ReshardingFigures reshardings) {
    this.reshardings = reshardings;
    this.migrations = migrations;
    this.ownership = ownership;
    this.versions = versions;
    this.commits = commits;
    this.deletions = deletions;
  }

  Map<String, ServerStatusCommand.Section> sections() {
    return Map.of(
        "sharding",
        this::sharding,
        "shardingStatistics",
        this::statistics,
        "twoPhaseCommitCoordinator",
        (context, out) -> commits.append(out));
  }

  private void sharding(CommandContext context, BsonBuilder out) {
    RawDocument identity = ownership.tables().identity();
    if (identity != null) {
      out.append("configsvrConnectionString", identity.get("configsvrConnectionString"));
    }
  }

  private void statistics(CommandContext context, BsonBuilder out) {
    out.appendInt64("countStaleConfigErrors", versions.staleErrors());
    migrations.append(out);
    // A shard takes part in one migration at a time, which one thread copies.
    out.appendInt32("chunkMigrationConcurrency", 1);
    deletions.append(out);
    reshardings.append(out);
    out.startDocument("catalogCache");
    out.appendInt64("numDatabaseEntries", ownership.tables().databases().size());
    out.appendInt64("numCollectionEntries", ownership.tables().collections().size());
    out.appendInt64("countStaleConfigErrors", versions.staleErrors());
    out.end();
    CursorStates.Counts kept = ownership.cursorStates().counts();
    out.startDocument("pinnedSnapshots");
    out.appendInt32("snapshots", kept.states());
    out.appendInt32("cursors", kept.cursors());
    out.end();
  }
}
