package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/** The stable API parameters that a client may declare. No command of version 1 is deprecated. */
final class ApiVersion {
  private ApiVersion() {}

  static void check(CommandRequest request, CommandSpec spec) {
    String version = request.apiVersion();
    if (version == null) {
      if (request.apiStrict() || request.apiDeprecationErrors()) {
        throw new CommandException(
            ErrorCode.API_VERSION_REQUIRED,
            "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
      }
      return;
    }
    if (!version.equals("1")) {
      throw new CommandException(ErrorCode.API_VERSION_ERROR, "API version must be \"1\"");
    }
    if (request.apiStrict() && !spec.is(CommandTrait.API_V1)) {
      throw new CommandException(
          ErrorCode.API_STRICT_ERROR,
          "Provided apiStrict:true, but the command " + spec.name() + " is not in API Version 1");
    }
  }
}
