package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.Namespace;
import dev.wisent.security.UserName;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.command.RequestSettings;
import dev.wisent.server.command.SessionArguments;
import dev.wisent.wire.DocumentSequence;

/** What is checked of every request before its command sees it. */
final class RequestChecks {
  private RequestChecks() {}

  /** Reads the arguments that every command takes, and checks them. */
  static void check(
      CommandRequest request, CommandSpec spec, boolean replicated, RequestSettings settings) {
    request.readGenericArguments();
    if (!isOfExternalUsers(request, spec)) {
      Namespace.checkDatabase(request.database());
    }
    if (spec.is(CommandTrait.ADMIN_ONLY) && !request.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, spec.name() + " may only be run against the admin database.");
    }
    checkSequences(request, spec);
    SessionArguments.check(request, spec, replicated);
    ApiParameters.check(request, spec, settings.apiVersionRequired());
  }

  /** Logins and users are in that database, although it is none; documents are not. */
  private static boolean isOfExternalUsers(CommandRequest request, CommandSpec spec) {
    return spec.kind() == CommandKind.ADMIN && request.database().equals(UserName.EXTERNAL);
  }

  private static void checkSequences(CommandRequest request, CommandSpec spec) {
    for (DocumentSequence sequence : request.sequences()) {
      if (!spec.sequences().contains(sequence.name())) {
        throw ArgumentTypes.unknown(request.nameInErrors() + "." + sequence.name());
      }
    }
  }
}
