package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.balance.BalancePolicy;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.CollectionLoad;
import dev.wisent.sharding.balance.MoveReason;
import dev.wisent.sharding.balance.Stall;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The commands that start and stop the balancer, and tell what it does. */
public final class BalancerCommands {
  private static final long MEGABYTE = 1 << 20;

  /** So many are in one reply. */
  private static final int STALLS_MAX = 100;

  private final ClusterMetadata metadata;
  private final Balancer balancer;
  private final LongSupplier term;

  /**
   * @param term of the primary
   */
  public BalancerCommands(ClusterMetadata metadata, Balancer balancer, LongSupplier term) {
    this.metadata = metadata;
    this.balancer = balancer;
    this.term = term;
  }

  /** {@code _configsvrBalancerStart}. */
  public void start(CommandRequest request, CommandContext context, BsonBuilder reply) {
    set(BalancerSettings.FULL, false, request, context);
    balancer.restart();
  }

  /** {@code _configsvrBalancerStop}: returns when the round under way has ended. */
  public void stop(CommandRequest request, CommandContext context, BsonBuilder reply) {
    set(BalancerSettings.OFF, true, request, context);
    balancer.join(context.operation());
  }

  private void set(String mode, boolean stopped, CommandRequest request, CommandContext context) {
    noArguments(request);
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(
                "balancer." + (stopped ? "stop" : "start"),
                "",
                RawDocument.EMPTY,
                context.client().remoteAddress()),
            change -> {
              RawDocument id = DocumentFields.byId(BalancerSettings.ID);
              RawDocument seen = change.findOne(BalancerSettings.COLLECTION, id);
              RawDocument after =
                  DocumentFields.with(
                      DocumentFields.with(
                          seen == null ? id : seen, "mode", RawValue.ofString(mode)),
                      "stopped",
                      RawValue.ofBoolean(stopped));
              if (seen == null) {
                change.insert(BalancerSettings.COLLECTION, after);
              } else {
                change.replace(BalancerSettings.COLLECTION, seen, after);
              }
            });
  }

  private static void noArguments(CommandRequest request) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
  }

  /** {@code _configsvrBalancerStatus}. */
  public void status(CommandRequest request, CommandContext context, BsonBuilder reply) {
    noArguments(request);
    RawDocument settings =
        metadata
            .store()
            .findById(context.operation(), BalancerSettings.COLLECTION, BalancerSettings.ID);
    reply.appendString(
        "mode", BalancerSettings.modeOf(settings == null ? RawDocument.EMPTY : settings));
    reply.appendBoolean("inBalancerRound", balancer.isInRound());
    reply.appendInt64("numBalancerRounds", balancer.figures().rounds.get());
    reply.appendInt64("term", term.getAsLong());
    appendStalls(balancer.stalls(), reply);
  }

  /** What the last round could not move; MongoDB only logs it. */
  private static void appendStalls(List<Stall> stalls, BsonBuilder reply) {
    if (stalls.isEmpty()) {
      return;
    }
    reply.startArray("stalls");
    for (int i = 0; i < Math.min(stalls.size(), STALLS_MAX); i++) {
      Stall stall = stalls.get(i);
      reply.startDocument(i).appendString("ns", stall.namespace().full());
      reply.appendString("reason", stall.violation()).appendString("message", stall.message());
      reply.end();
    }
    reply.end();
  }

  /** {@code _configsvrBalancerCollectionStatus}: whether a collection has something to move. */
  public void collectionStatus(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String namespace = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    noArguments(request);
    OperationContext operation = context.operation();
    RawDocument collection = metadata.store().findById(operation, "collections", namespace);
    if (!CollectionDocument.isSharded(collection)) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_SHARDED, "Expected collection " + namespace + " to be sharded");
    }
    BalancerSettings settings = BalancerSettings.read(operation, metadata.store());
    ClusterLoad load =
        LoadReader.of(operation, metadata.store(), metadata.shards(), settings, collection);
    if (load.collections().isEmpty()) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "The chunks of " + namespace + " are being changed");
    }
    CollectionLoad one = load.collections().getFirst();
    if (DefragmentationPhase.isAsked(collection)) {
      reply.appendInt64("chunkSize", one.chunkBytes() / MEGABYTE);
      appendDefragmentation(reply, namespace, DefragmentationPhase.of(collection));
      return;
    }
    Optional<MoveReason> violation = BalancePolicy.violation(load.shards(), one);
    reply.appendInt64("chunkSize", one.chunkBytes() / MEGABYTE);
    reply.appendBoolean("balancerCompliant", violation.isEmpty());
    violation.ifPresent(
        reason -> reply.appendString("firstComplianceViolation", reason.violation()));
  }

  private void appendDefragmentation(
      BsonBuilder reply, String namespace, DefragmentationPhase phase) {
    reply.appendBoolean("balancerCompliant", false);
    reply.appendString("firstComplianceViolation", MoveReason.DEFRAGMENTATION.violation());
    reply.startDocument("details").appendString("currentPhase", phase.text());
    Long remaining = balancer.defragmenter().remaining(namespace);
    reply.startDocument("progress");
    if (remaining != null) {
      reply.appendInt64("remainingChunksToProcess", remaining);
    }
    reply.end().end();
  }
}
