package dev.wisent.server.analysis;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** Tells what a shard key would do to a collection and to its sampled queries. */
final class AnalyzeShardKeyCommand implements Command {
  private final Operations database;
  private final AnalyzedCollections collections;
  private final ConfigCalls config;

  /**
   * @param config null on a node that has no samples
   */
  AnalyzeShardKeyCommand(Operations database, AnalyzedCollections collections, ConfigCalls config) {
    this.database = database;
    this.collections = collections;
    this.config = config;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    AnalyzeShardKeyRequest asked = AnalyzeShardKeyRequest.parse(request);
    OperationContext operation = context.operation();
    AnalyzedCollection collection =
        AnalyzedNamespace.existing(collections, operation, asked.namespace());
    KeySample sample = KeySample.take(database, operation, asked.namespace(), asked.key());
    if (asked.keyCharacteristics()) {
      RawDocument index = collection.indexOf(asked.key());
      if (index != null) {
        new KeyCharacteristics(database, collections, asked, collection, index)
            .append(operation, sample, reply);
      } else if (!asked.readWriteDistribution()) {
        throw new CommandException(
            ErrorCode.ILLEGAL_OPERATION,
            "Cannot analyze the characteristics of a shard key that does not have a supporting"
                + " index");
      }
    }
    if (asked.readWriteDistribution()) {
      new ReadWriteDistribution(config, asked.key(), collection).append(operation, sample, reply);
    }
  }
}
