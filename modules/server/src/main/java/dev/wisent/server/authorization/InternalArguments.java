package dev.wisent.server.authorization;

import dev.wisent.bson.ElementCursor;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Arguments that only nodes of a cluster send to each other: versions that a router has routed by,
 * and how a part of a command is to be run.
 */
final class InternalArguments {
  private static final List<byte[]> NAMES =
      utf8(
          "$audit",
          "$client",
          "carriedMetadata",
          "coordinator",
          "fromMigrate",
          "fromRouter",
          "isTimeseriesNamespace",
          "lastKnownCommittedOpTime",
          "legacyRuntimeConstants",
          "needsMerge",
          "originalQuery",
          "outputVersions",
          "runtimeConstants",
          "term");

  private InternalArguments() {}

  private static List<byte[]> utf8(String... names) {
    return List.of(names).stream().map(name -> name.getBytes(StandardCharsets.UTF_8)).toList();
  }

  static boolean allow(CommandRequest request, Principal principal) {
    return !areIn(request) || principal.onCluster(Action.INTERNAL);
  }

  private static boolean areIn(CommandRequest request) {
    if (request.shardVersion() != null
        || request.databaseVersion() != null
        || request.routing() != null) {
      return true;
    }
    ElementCursor fields = request.body().elements();
    fields.next();
    while (fields.next()) {
      for (int i = 0; i < NAMES.size(); i++) {
        if (fields.nameEquals(NAMES.get(i))) {
          return true;
        }
      }
    }
    return false;
  }
}
