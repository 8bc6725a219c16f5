package dev.wisent.server.command.crud;

import dev.wisent.bson.ElementType;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;

/** The {@code runtimeConstants} of a router: what expressions see alike on all shards. */
final class RuntimeConstants {
  private RuntimeConstants() {}

  static void read(ArgumentReader reader, CommandContext context) {
    ArgumentReader fields = ArgumentReader.of(reader.path(), reader.document());
    while (fields.next()) {
      switch (fields.name()) {
        case "localNow" -> {
          if (fields.value().type() != ElementType.DATE) {
            throw ArgumentTypes.wrongType(fields.path(), fields.value().type(), "date");
          }
          context.operation().nowMillis(fields.value().asInt64());
        }
        // A member tells its own: it is not behind what the router knows of it.
        case "clusterTime" -> fields.value();
        default -> fields.unknown();
      }
    }
  }
}
