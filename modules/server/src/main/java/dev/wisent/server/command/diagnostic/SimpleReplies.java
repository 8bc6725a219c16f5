package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** Commands whose answer is a line or two. */
public final class SimpleReplies {
  private SimpleReplies() {}

  /** {@code whatsmyuri}: the address that the client has for the server. */
  public static Command whatsMyUri() {
    return (request, context, reply) -> reply.appendString("you", context.client().remoteAddress());
  }

  /** {@code features}. */
  public static Command features() {
    return (request, context, reply) -> reply.appendInt32("oidMachine", 0);
  }

  /**
   * {@code getLastError}: writes are acknowledged by their own replies; this one is for old
   * clients.
   */
  public static Command getLastError() {
    return SimpleReplies::appendLastError;
  }

  private static void appendLastError(
      CommandRequest request, CommandContext context, BsonBuilder reply) {
    reply.appendInt32("connectionId", (int) context.client().id());
    reply.appendInt32("n", 0);
    reply.appendNull("err");
  }
}
