package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/**
 * Updates that give a document another shard. They take a transaction of both shards, which commits
 * in two phases; until there is one they are refused, and the document stays as it is.
 */
final class MovedDocuments {
  private MovedDocuments() {}

  /** The error to show for one that a shard replied with. */
  static CommandException checked(CommandException error) {
    return error.code() == ErrorCode.WOULD_CHANGE_OWNING_SHARD
        ? new CommandException(
            ErrorCode.NOT_IMPLEMENTED,
            "The update changes the shard key so that the document belongs to another shard. This"
                + " needs a transaction across shards, which is not supported yet. Insert the new"
                + " document and delete the old one instead.")
        : error;
  }
}
