package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/**
 * {@code configsvr} of a set's configuration. It says what the flag {@code --configsvr} of the node
 * says, so it is compared with the flag, and not stored.
 */
record ConfigServerField(boolean configServer) {
  private static final String NAME = "configsvr";

  /** Refuses a configuration that is not for such nodes. One without the field is for all. */
  void check(RawDocument config) {
    RawValue value = config.get(NAME);
    if (value == null || value.isTruthy() == configServer) {
      return;
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE,
        configServer
            ? "Nodes started with the --configsvr flag must have configsvr:true in their config"
            : "Nodes being used for config servers must be started with the --configsvr flag");
  }

  void append(BsonBuilder config) {
    if (configServer) {
      config.appendBoolean(NAME, true);
    }
  }
}
