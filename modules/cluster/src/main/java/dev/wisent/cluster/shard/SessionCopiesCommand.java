package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.SessionFeed;
import dev.wisent.database.session.SessionCopies;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/**
 * {@code _shardsvrSessionCopies} gives what sessions have done to the shard that copies a database,
 * a part at a time: those after the last one of the part before, which is the argument.
 */
final class SessionCopiesCommand implements Command {
  static final String NAME = "_shardsvrSessionCopies";
  static final String LAST = "last";
  static final String SESSIONS = "sessions";

  private final SessionCopies sessions;

  SessionCopiesCommand(SessionCopies sessions) {
    this.sessions = sessions;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument last = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case LAST -> last = reader.document();
        default -> reader.unknown();
      }
    }
    var part = new Part(reply);
    reply.startArray(SESSIONS);
    sessions.forEachAfter(last, context.operation(), part::take);
    reply.end();
  }

  private static final class Part {
    private final BsonBuilder reply;
    private int records;
    private int bytes;

    private Part(BsonBuilder reply) {
      this.reply = reply;
    }

    private boolean take(RawDocument copy) {
      reply.appendDocument(records++, copy);
      bytes += copy.length();
      return records < SessionFeed.BATCH_RECORDS_MAX && bytes < SessionFeed.BATCH_BYTES_MAX;
    }
  }
}
