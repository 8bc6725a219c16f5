package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.DocumentFields;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.function.LongSupplier;

/** The commands that steer the balancer, which are documents of {@code config}. */
final class BalancerCommands {
  private static final String SETTINGS = "settings";
  private static final String BALANCER = "balancer";

  private final ClusterMetadata metadata;
  private final LongSupplier term;

  /**
   * @param term of the primary
   */
  BalancerCommands(ClusterMetadata metadata, LongSupplier term) {
    this.metadata = metadata;
    this.term = term;
  }

  void start(CommandRequest request, CommandContext context, BsonBuilder reply) {
    set("full", false, request, context);
  }

  void stop(CommandRequest request, CommandContext context, BsonBuilder reply) {
    set("off", true, request, context);
  }

  private void set(String mode, boolean stopped, CommandRequest request, CommandContext context) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
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
              RawDocument seen = change.findOne(SETTINGS, DocumentFields.byId(BALANCER));
              RawDocument before = seen == null ? DocumentFields.byId(BALANCER) : seen;
              RawDocument after =
                  DocumentFields.with(
                      DocumentFields.with(before, "mode", RawValue.ofString(mode)),
                      "stopped",
                      RawValue.ofBoolean(stopped));
              if (seen == null) {
                change.insert(SETTINGS, after);
              } else {
                change.replace(SETTINGS, seen, after);
              }
            });
  }

  void status(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument balancer = metadata.store().findById(context.operation(), SETTINGS, BALANCER);
    String mode = balancer == null ? null : DocumentFields.text(balancer, "mode");
    boolean stopped = balancer != null && DocumentFields.isTrue(balancer, "stopped");
    reply.appendString("mode", stopped ? "off" : mode == null ? "full" : mode);
    reply.appendBoolean("inBalancerRound", false);
    reply.appendInt64("numBalancerRounds", 0);
    reply.appendInt64("term", term.getAsLong());
  }

  void setAllowMigrations(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String namespace =
        ArgumentTypes.string(request.name() + "." + request.name(), request.argument());
    Boolean allow = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "allowMigrations" -> allow = reader.strictBool();
        case "collectionUUID" -> reader.uuid();
        default -> reader.unknown();
      }
    }
    if (allow == null) {
      throw ArgumentTypes.missing(request.name() + ".allowMigrations");
    }
    boolean allowed = allow;
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(
                "setAllowMigrations",
                namespace,
                new BsonBuilder().appendBoolean("allowMigrations", allowed).toDocument(),
                context.client().remoteAddress()),
            change -> {
              RawDocument seen = change.findOne("collections", DocumentFields.byId(namespace));
              if (seen == null) {
                throw new CommandException(
                    ErrorCode.NAMESPACE_NOT_SHARDED,
                    "Expected collection " + namespace + " to be sharded");
              }
              RawDocument after =
                  allowed
                      ? DocumentFields.without(seen, "allowMigrations")
                      : DocumentFields.with(seen, "allowMigrations", RawValue.FALSE);
              change.replace("collections", seen, after);
            });
  }
}
