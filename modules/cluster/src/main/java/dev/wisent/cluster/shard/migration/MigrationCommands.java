package dev.wisent.cluster.shard.migration;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.RunsOn;
import dev.wisent.sharding.ChunkVersion;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What the coordinator tells the two shards of a migration, and the donor the recipient. */
final class MigrationCommands {
  private final Donor donor;
  private final Recipient recipient;
  private final RecipientCollection collections;
  private final Receptions receptions;
  private final ForegroundPace pace;
  private final CallOrder order;

  MigrationCommands(
      Donor donor,
      Recipient recipient,
      RecipientCollection collections,
      Receptions receptions,
      ForegroundPace pace,
      CallOrder order) {
    this.pace = pace;
    this.order = order;
    this.donor = donor;
    this.recipient = recipient;
    this.collections = collections;
    this.receptions = receptions;
  }

  List<CommandSpec> rows() {
    return List.of(
        row("_shardsvrMoveRange", "copy a range to another shard", this::clone),
        row("_shardsvrCommitMove", "give a range away that is copied", this::commit),
        row("_shardsvrAbortMove", "end a migration as donor or recipient", this::abort),
        row("_shardsvrEndMove", "forget a migration that is settled", this::end),
        row("_shardsvrRecvStart", "get ready for documents of a range", this::start),
        row("_shardsvrRecvDocuments", "store documents of a range", this::documents)
            .withSequences("documents"),
        row("_shardsvrRecvDeletes", "delete documents of a range", this::deletes)
            .withSequences("ids"),
        row("_shardsvrRecvSessions", "store what sessions have done", this::sessions)
            .withSequences("sessions"),
        row("_shardsvrRecvCalm", "wait for writes that take long", this::calm),
        row("_shardsvrRecvReady", "wait for the outcome of a migration", this::ready),
        row("_shardsvrRecvCommit", "own a range", this::own));
  }

  private static CommandSpec row(String name, String help, Command command) {
    return CommandSpec.of(name, CommandKind.ADMIN, help, command)
        .scope(NodeRole.STORING_ROLES, NO_API, onCluster(Action.INTERNAL), NO_TRANSACTION)
        .runsOn(RunsOn.PRIMARY)
        .withWriteConcern()
        .onAdmin();
  }

  private void clone(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long[] bytesMax = {0};
    boolean[] forced = {false};
    Migration migration =
        Migration.of(
            request,
            reader -> {
              switch (reader.name()) {
                case "maxChunkSizeBytes" -> bytesMax[0] = reader.nonNegative();
                case "forceJumbo" -> forced[0] = reader.bool();
                default -> reader.unknown();
              }
            });
    donor.clone(context.operation(), migration, new SizeLimit(bytesMax[0], forced[0]), reply);
  }

  private void commit(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument[] version = {null};
    boolean[] now = {false};
    Migration migration =
        Migration.of(
            request,
            reader -> {
              switch (reader.name()) {
                case "version" -> version[0] = reader.document();
                case "waitForDelete" -> now[0] = reader.bool();
                default -> reader.unknown();
              }
            });
    donor.commit(context.operation(), migration, ChunkVersion.of(version[0]), now[0], reply);
  }

  private void abort(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Role role = new Role();
    Migration migration = Migration.of(request, role::read);
    if (role.donor) {
      reply.appendBoolean("committed", donor.abort(context.operation(), migration));
    } else {
      recipient.abort(context.operation(), migration);
      receptions.end(migration.id());
    }
  }

  private void end(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Role role = new Role();
    Migration migration = Migration.of(request, role::read);
    if (role.donor) {
      donor.end(context.operation(), migration, role.waits);
    } else {
      recipient.end(context.operation(), migration);
      receptions.end(migration.id());
    }
  }

  /** Which of the two shards is spoken to. */
  private static final class Role {
    private boolean donor;
    private boolean waits;

    void read(ArgumentReader reader) {
      switch (reader.name()) {
        case "donor" -> donor = reader.bool();
        case "waitForDelete" -> waits = reader.bool();
        default -> reader.unknown();
      }
    }
  }

  private void start(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var definition = new DefinitionArguments();
    Migration migration = Migration.of(request, definition::read);
    inOrder(
        request,
        context,
        migration,
        "prepare",
        fields -> {
          recipient.requireNotEnded(context.operation(), migration);
          collections.create(migration, definition.options, definition.indexes, context);
          recipient.start(
              context.operation(),
              migration,
              new Recipient.Definition(
                  definition.key,
                  definition.unique,
                  definition.collation,
                  ChunkVersion.of(definition.none)));
        },
        reply);
  }

  /** The arguments that describe a collection. */
  private static final class DefinitionArguments {
    private RawDocument key;
    private boolean unique;
    private RawDocument none;
    private RawDocument options;
    private RawDocument collation;
    private List<RawDocument> indexes;

    void read(ArgumentReader reader) {
      switch (reader.name()) {
        case "key" -> key = reader.document();
        case "unique" -> unique = reader.bool();
        case "none" -> none = reader.document();
        case "options" -> options = reader.document();
        case "defaultCollation" -> collation = reader.document();
        case "indexes" -> indexes = reader.documents();
        default -> reader.unknown();
      }
    }
  }

  private void documents(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean[] late = {false};
    Migration migration =
        Migration.of(
            request,
            reader -> {
              switch (reader.name()) {
                case "late" -> late[0] = reader.bool();
                case "documents" -> {}
                default -> reader.unknown();
              }
            });
    List<RawDocument> given = request.documents("documents");
    inOrder(
        request,
        context,
        migration,
        late[0] ? "catchUp" : "clone",
        fields -> {
          long begin = context.operation().clock().monotonicNanos();
          recipient.take(context.operation(), migration, given, late[0]);
          receptions.copied(migration, given);
          long nanos = context.operation().clock().monotonicNanos() - begin;
          fields.appendInt64("pauseMicros", TimeUnit.NANOSECONDS.toMicros(pace.pauseNanos(nanos)));
        },
        reply);
  }

  private void deletes(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Migration migration = Migration.of(request, reader -> requireName(reader, "ids"));
    inOrder(
        request,
        context,
        migration,
        "catchUp",
        fields -> recipient.delete(context.operation(), migration, request.documents("ids")),
        reply);
  }

  private void sessions(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Migration migration = Migration.of(request, reader -> requireName(reader, "sessions"));
    inOrder(
        request,
        context,
        migration,
        "sessions",
        fields ->
            recipient.takeSessions(context.operation(), migration, request.documents("sessions")),
        reply);
  }

  private void calm(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long[] micros = {0, 0};
    Migration migration =
        Migration.of(
            request,
            reader -> {
              switch (reader.name()) {
                case "ageMicros" -> micros[0] = reader.nonNegative();
                case "waitMicros" -> micros[1] = reader.nonNegative();
                default -> reader.unknown();
              }
            });
    long age = TimeUnit.MICROSECONDS.toNanos(micros[0]);
    long wait = TimeUnit.MICROSECONDS.toNanos(micros[1]);
    inOrder(
        request,
        context,
        migration,
        "ready",
        fields ->
            fields.appendBoolean(
                "calm", recipient.awaitCalm(context.operation(), migration, age, wait)),
        reply);
  }

  /** Runs a call of the donor as one of the steps of the migration. */
  private void inOrder(
      CommandRequest request,
      CommandContext context,
      Migration migration,
      String step,
      Consumer<BsonBuilder> part,
      BsonBuilder reply) {
    order.run(
        context.operation(),
        migration.id(),
        CallNumber.of(request),
        fields -> receptions.run(migration, step, () -> part.accept(fields)),
        reply);
  }

  private static void requireName(ArgumentReader reader, String name) {
    if (!reader.name().equals(name)) {
      reader.unknown();
    }
  }

  private void ready(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument[] version = {null};
    Migration migration =
        Migration.of(
            request,
            reader -> {
              switch (reader.name()) {
                case "version" -> version[0] = reader.document();
                default -> reader.unknown();
              }
            });
    inOrder(
        request,
        context,
        migration,
        "ready",
        fields ->
            fields.appendInt64(
                "documents",
                recipient.ready(context.operation(), migration, ChunkVersion.of(version[0]))),
        reply);
  }

  private void own(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long[] decidedAt = {0};
    Migration migration =
        Migration.of(
            request,
            reader -> {
              switch (reader.name()) {
                case "decidedAt" -> decidedAt[0] = reader.timestamp();
                default -> reader.unknown();
              }
            });
    // Whatever killOp has ended: the decision is the donor's.
    recipient.commit(context.operation(), migration, decidedAt[0]);
    receptions.decided(migration);
    reply.appendDocument("steps", receptions.steps(migration));
  }
}
