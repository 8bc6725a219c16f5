package dev.wisent.server.user;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.access.UserDirectory;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code invalidateUserCache}: what is known of users is read again before it is used next. */
record InvalidateUserCacheCommand(UserDirectory users) implements Command {
  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    UserCommands.refuseOptions(request);
    users.invalidate();
  }
}
