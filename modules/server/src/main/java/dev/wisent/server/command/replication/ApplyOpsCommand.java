package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.operation.oplog.OplogOperation;
import dev.wisent.server.StoreServices;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.profile.ProfileSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code applyOps}: does what entries of an oplog say, one after the other, as tools do that bring
 * a restored copy up to a later time.
 */
final class ApplyOpsCommand implements Command {
  private static final int NESTED_MAX = 10;

  private final OplogControl oplog;
  private final LoggedCommands commands;

  ApplyOpsCommand(StoreServices services, ProfileSettings profiling) {
    this.oplog = services.oplog();
    this.commands = new LoggedCommands(services, profiling);
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "preCondition" ->
            throw new CommandException(
                ErrorCode.APPLY_OPS_PRECONDITION,
                "applyOps command no longer supports the 'preCondition' option");
        case "alwaysUpsert" ->
            throw new CommandException(
                ErrorCode.APPLY_OPS_ALWAYS_UPSERT,
                "applyOps command no longer supports the 'alwaysUpsert' option");
        // Entries were never applied all or none where there are commands among them.
        case "allowAtomic", "bypassDocumentValidation" -> reader.bool();
        case "oplogApplicationMode" -> reader.string();
        default -> reader.unknown();
      }
    }
    List<OplogOperation> entries = entries("applyOps.applyOps", request.body(), 0);
    for (OplogOperation entry : entries) {
      context.operation().checkInterrupt();
      apply(entry, request, context);
    }
    reply.appendInt32("applied", entries.size());
    reply.startArray("results");
    for (int i = 0; i < entries.size(); i++) {
      reply.append(i, RawValue.TRUE);
    }
    reply.end();
  }

  /** The entries of such a command, those of one inside another in its place. */
  private static List<OplogOperation> entries(String path, RawDocument command, int depth) {
    if (depth > NESTED_MAX) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "Too many nested applyOps");
    }
    var entries = new ArrayList<OplogOperation>();
    for (RawDocument document : documents(path, command)) {
      OplogOperation entry = OplogOperation.parse(document);
      if (entry.kind() == OplogOperation.Kind.COMMAND && entry.what().get("applyOps") != null) {
        entries.addAll(entries(path, entry.what(), depth + 1));
      } else {
        entries.add(entry);
      }
    }
    return entries;
  }

  private static List<RawDocument> documents(String path, RawDocument command) {
    var documents = new ArrayList<RawDocument>();
    var elements = ArgumentTypes.array(path, command.get("applyOps")).elements();
    while (elements.next()) {
      documents.add(ArgumentTypes.document(path + "." + elements.name(), elements.value()));
    }
    return documents;
  }

  private void apply(OplogOperation entry, CommandRequest request, CommandContext context) {
    switch (entry.kind()) {
      case INSERT, UPDATE, DELETE -> oplog.apply(context.operation(), entry);
      case COMMAND -> commands.run(entry, request, context);
      case NOTHING -> {}
    }
  }
}
