package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.metrics.NamespaceTimes;
import dev.wisent.server.metrics.NamespaceTimes.Kind;

/** {@code top}: time spent in each namespace, as mongotop reads it. */
public final class TopCommand implements Command {
  private final NamespaceTimes times;

  public TopCommand(NamespaceTimes times) {
    this.times = times;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    reply.startDocument("totals");
    reply.appendString("note", "all times in microseconds");
    times.all().forEach((namespace, counted) -> append(namespace, counted, reply));
    reply.end();
  }

  private static void append(String namespace, NamespaceTimes.Times counted, BsonBuilder reply) {
    reply.startDocument(namespace);
    appendSum(reply, "total", counted, Kind.values());
    appendSum(reply, "readLock", counted, Kind.QUERIES, Kind.GETMORE, Kind.COMMANDS);
    appendSum(reply, "writeLock", counted, Kind.INSERT, Kind.UPDATE, Kind.REMOVE);
    appendSum(reply, "queries", counted, Kind.QUERIES);
    appendSum(reply, "getmore", counted, Kind.GETMORE);
    appendSum(reply, "insert", counted, Kind.INSERT);
    appendSum(reply, "update", counted, Kind.UPDATE);
    appendSum(reply, "remove", counted, Kind.REMOVE);
    appendSum(reply, "commands", counted, Kind.COMMANDS);
    reply.end();
  }

  private static void appendSum(
      BsonBuilder reply, String name, NamespaceTimes.Times counted, Kind... kinds) {
    long micros = 0;
    long count = 0;
    for (Kind kind : kinds) {
      micros += counted.micros(kind);
      count += counted.count(kind);
    }
    reply.startDocument(name);
    reply.appendInt64("time", micros);
    reply.appendInt64("count", count);
    reply.end();
  }
}
