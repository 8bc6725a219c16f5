package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.shard.range.RangeDeletions;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.ApiVersions;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.command.TransactionUse;
import dev.wisent.server.privilege.Privilege;
import dev.wisent.sharding.OwnedRanges;

/**
 * {@code cleanupOrphaned}: waits until the ranges of a collection that this shard has given away
 * are deleted. As in MongoDB since 4.4 a key to start from is checked and has no effect, and there
 * is no {@code stoppedAtKey}: all ranges are waited for. Documents that a write past the routers
 * has put into other ranges stay.
 */
final class CleanupOrphanedCommand implements Command {
  private final Ownership ownership;
  private final Definitions definitions;
  private final RangeDeletions deletions;

  CleanupOrphanedCommand(Ownership ownership, Definitions definitions, RangeDeletions deletions) {
    this.ownership = ownership;
    this.definitions = definitions;
    this.deletions = deletions;
  }

  static CommandSpec row(Ownership ownership, Definitions definitions, RangeDeletions deletions) {
    return CommandSpec.of(
            "cleanupOrphaned",
            CommandKind.ADMIN,
            "wait until ranges that were given away are deleted",
            new CleanupOrphanedCommand(ownership, definitions, deletions))
        .scope(
            NodeRole.STORING_ROLES,
            ApiVersions.NO_API,
            Privilege.onCluster(Action.CLEANUP_ORPHANED),
            TransactionUse.NO_TRANSACTION)
        .runsOn(RunsOn.PRIMARY)
        .withWriteConcern()
        .onAdmin();
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = ShardArguments.namespace(request);
    RawDocument from = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "startingFromKey" -> from = reader.document();
        case "secondaryThrottle" -> reader.bool();
        default -> reader.unknown();
      }
    }
    ShardArguments.requireShard(ownership);
    OwnedRanges owned = ownership.owned(namespace);
    CollectionInfo collection = definitions.find(namespace);
    if (owned == null || collection == null) {
      // Nothing of a collection that is not sharded was given away.
      return;
    }
    if (from != null && !from.isEmpty() && !isKey(from, owned)) {
      throw new CommandException(
          ErrorCode.ORPHANED_RANGE_CLEAN_UP_FAILED,
          "could not cleanup orphaned data, shard key "
              + ValueText.of(from)
              + " does not match shard key pattern "
              + ValueText.of(owned.key().pattern()));
    }
    deletions.awaitAll(collection.uuid(), context.operation());
  }

  private static boolean isKey(RawDocument from, OwnedRanges owned) {
    var fields = from.elements();
    for (var field : owned.key().fields()) {
      if (!fields.next() || !fields.name().equals(field.path().dotted())) {
        return false;
      }
    }
    return !fields.next();
  }
}
