package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.Namespace;
import dev.wisent.wire.DocumentSequence;

/** What is checked of every request before its command sees it. */
final class RequestChecks {
  private RequestChecks() {}

  /** Reads the arguments that every command takes, and checks them. */
  static void check(CommandRequest request, CommandSpec spec) {
    request.readGenericArguments();
    Namespace.checkDatabase(request.database());
    if (spec.is(CommandTrait.ADMIN_ONLY) && !request.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, spec.name() + " may only be run against the admin database.");
    }
    checkSequences(request, spec);
    SessionArguments.check(request);
    ApiVersion.check(request, spec);
    ReadConcern.check(request, spec);
    checkWriteConcern(request, spec);
  }

  private static void checkSequences(CommandRequest request, CommandSpec spec) {
    for (DocumentSequence sequence : request.sequences()) {
      if (!spec.sequences().contains(sequence.name())) {
        throw ArgumentTypes.unknown(request.nameInErrors() + "." + sequence.name());
      }
    }
  }

  /** Changes of definitions are always made durable; what they are given is only checked. */
  private static void checkWriteConcern(CommandRequest request, CommandSpec spec) {
    if (request.writeConcern() == null) {
      return;
    }
    if (!spec.is(CommandTrait.WRITE_CONCERN)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Command does not support writeConcern");
    }
    WriteConcern.parse(request.writeConcern());
  }
}
