package dev.wisent.cluster.shard.resharding;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.cluster.shard.migration.ForegroundPace;
import dev.wisent.operation.Namespace;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.RunsOn;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** What the coordinator tells shards, and donors recipients. */
final class CopyCommands {
  private final ReshardDonor donor;
  private final ReshardRecipient recipient;
  private final ReshardingStore store;
  private final ForegroundPace pace;

  CopyCommands(
      ReshardDonor donor, ReshardRecipient recipient, ReshardingStore store, ForegroundPace pace) {
    this.pace = pace;
    this.donor = donor;
    this.recipient = recipient;
    this.store = store;
  }

  List<CommandSpec> rows() {
    return List.of(
        row(
            "_shardsvrReshardCopy",
            "copy what is owned of a collection to the shards of another key",
            (request, context, reply) ->
                donor.copy(context.operation(), Resharding.of(request), reply)),
        row("_shardsvrReshardFinish", "send the last changes of a collection", this::finish),
        row("_shardsvrReshardEnd", "forget a copy of a collection", this::end),
        row(
            "_shardsvrReshardStart",
            "get ready for documents of a donor",
            (request, context, reply) ->
                recipient.start(context.operation(), delivery(request), reply)),
        row("_shardsvrReshardDocuments", "store documents of a donor", this::documents)
            .withSequences("ids", "documents"),
        row("_shardsvrReshardSessions", "store what sessions have done", this::sessions)
            .withSequences("sessions"));
  }

  private static CommandSpec row(String name, String help, Command command) {
    return CommandSpec.of(name, CommandKind.ADMIN, help, command)
        .scope(NodeRole.STORING_ROLES, NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
        .runsOn(RunsOn.PRIMARY)
        .withWriteConcern()
        .onAdmin();
  }

  private void finish(CommandRequest request, CommandContext context, BsonBuilder reply) {
    UUID id = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> id = reader.uuid();
        default -> reader.unknown();
      }
    }
    donor.finish(context.operation(), id, reply);
  }

  private void end(CommandRequest request, CommandContext context, BsonBuilder reply) {
    UUID id = null;
    List<String> donors = List.of();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> id = reader.uuid();
        case "donors" -> donors = DocumentFields.texts(request.body(), "donors");
        default -> reader.unknown();
      }
    }
    donor.end(context.operation(), id);
    store.forget(context.operation(), id, donors);
  }

  private static ReshardRecipient.Delivery delivery(CommandRequest request) {
    Namespace namespace =
        Namespace.parse(ArgumentTypes.string(request.pathOfArgument(), request.argument()));
    UUID id = null;
    UUID uuid = null;
    String donor = null;
    RawDocument key = null;
    List<RawDocument> ranges = List.of();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> id = reader.uuid();
        case "uuid" -> uuid = reader.uuid();
        case "donor" -> donor = reader.string();
        case "key" -> key = reader.document();
        case "ranges" -> ranges = reader.documents();
        case CallNumber.NAME, "ids", "documents", "sessions" -> {}
        default -> reader.unknown();
      }
    }
    if (id == null || uuid == null || donor == null) {
      throw ArgumentTypes.missing(request.name() + ".id");
    }
    OwnedRanges owned =
        key == null
            ? null
            : new OwnedRanges(
                namespace,
                uuid,
                ShardKeyPattern.of(key),
                false,
                ChunkVersion.UNSHARDED,
                ranges.stream().map(ChunkRange::of).toList());
    return new ReshardRecipient.Delivery(
        id, new Resharding.Target(namespace, uuid), donor, CallNumber.of(request), owned);
  }

  private void documents(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long begin = context.operation().clock().monotonicNanos();
    recipient.take(
        context.operation(),
        delivery(request),
        request.documents("ids"),
        request.documents("documents"),
        reply);
    long nanos = context.operation().clock().monotonicNanos() - begin;
    reply.appendInt64("pauseMicros", TimeUnit.NANOSECONDS.toMicros(pace.pauseNanos(nanos)));
  }

  private void sessions(CommandRequest request, CommandContext context, BsonBuilder reply) {
    recipient.takeSessions(
        context.operation(), delivery(request), request.documents("sessions"), reply);
  }
}
