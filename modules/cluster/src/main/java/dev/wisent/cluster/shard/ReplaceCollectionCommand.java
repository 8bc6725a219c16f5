package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.LocalDatabase;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.write.OutStage;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.cursor.CursorOrigin;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.cursor.OpenCursor;
import java.util.List;

/**
 * {@code _shardsvrReplaceCollection}: a router puts documents in the place of a collection, in any
 * number of requests. Between them a cursor holds what has come. Where neither a request nor a
 * heartbeat comes for a while the router has gone, and with the cursor goes what it holds.
 */
final class ReplaceCollectionCommand implements Command {
  private final LocalDatabase database;
  private final CursorRegistry cursors;

  ReplaceCollectionCommand(LocalDatabase database, CursorRegistry cursors) {
    this.database = database;
    this.cursors = cursors;
  }

  /**
   * @param cursor 0 in the first request
   * @param complete whether these are the last documents
   * @param heartbeat whether it only tells that the router is there
   * @param idleMillisMax how long nothing may be heard of the router
   */
  private record Arguments(
      long cursor,
      List<RawDocument> documents,
      boolean complete,
      boolean heartbeat,
      long idleMillisMax) {
    static Arguments parse(CommandRequest request, OperationContext operation) {
      long cursor = 0;
      List<RawDocument> documents = List.of();
      boolean complete = false;
      boolean heartbeat = false;
      long idleMillisMax = GatheringCursor.IDLE_MILLIS_MAX;
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        switch (reader.name()) {
          case "output" -> cursor = reader.value().toLong();
          case "documents" -> documents = reader.documents();
          case "complete" -> complete = reader.bool();
          case "heartbeat" -> heartbeat = reader.bool();
          case "idleMillisMax" -> idleMillisMax = reader.nonNegative();
          case "bypassDocumentValidation" -> operation.bypassValidation(reader.bool());
          default -> reader.unknown();
        }
      }
      return new Arguments(cursor, documents, complete, heartbeat, idleMillisMax);
    }
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace target = ShardArguments.namespace(request);
    OperationContext operation = context.operation();
    Arguments arguments = Arguments.parse(request, operation);
    if (arguments.heartbeat) {
      cursors.touch(arguments.cursor);
      return;
    }
    reply.appendInt64(
        "output",
        arguments.cursor == 0
            ? begin(request, target, operation, arguments)
            : goOn(request, target, operation, arguments));
  }

  /** The id for the next request; 0 after the last. */
  private long begin(
      CommandRequest request, Namespace target, OperationContext operation, Arguments arguments) {
    var gathering =
        new GatheringCursor(
            database.stages(operation, target),
            new OutStage(target.database(), target.collection()),
            operation,
            arguments.idleMillisMax);
    boolean kept = false;
    try {
      add(gathering, arguments);
      if (arguments.complete) {
        return 0;
      }
      gathering.detach();
      RawDocument command =
          new BsonBuilder().appendString(request.name(), target.full()).toDocument();
      long id =
          cursors
              .register(
                  target, gathering, request.sessionId(), false, new CursorOrigin(command, null, 0))
              .id();
      kept = true;
      return id;
    } finally {
      if (!kept) {
        gathering.close();
      }
    }
  }

  private long goOn(
      CommandRequest request, Namespace target, OperationContext operation, Arguments arguments) {
    RawValue session = request.sessionId();
    OpenCursor cursor = cursors.take(arguments.cursor, target, session, operation);
    boolean done = true;
    try {
      cursor.results().attach(operation);
      add((GatheringCursor) cursor.results(), arguments);
      done = arguments.complete || cursors.isKilled(cursor);
      if (!done) {
        cursor.results().detach();
      }
      return done ? 0 : cursor.id();
    } finally {
      cursors.giveBack(cursor, done);
    }
  }

  private static void add(GatheringCursor gathering, Arguments arguments) {
    arguments.documents.forEach(gathering::add);
    if (arguments.complete) {
      gathering.complete();
    }
  }
}
