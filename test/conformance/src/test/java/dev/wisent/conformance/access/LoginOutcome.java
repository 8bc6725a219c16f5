package dev.wisent.conformance.access;

import java.util.List;
import org.bson.Document;

/**
 * What a client says that has come of an attempt.
 *
 * @param reply to its last command; null where one has failed
 * @param error the server's number; null where there is none
 * @param message of the client; null where nothing has failed
 */
record LoginOutcome(Document reply, Integer error, String message) {
  /** From the line of a script. */
  static LoginOutcome of(Document line) {
    Number error = line.get("code", Number.class);
    return new LoginOutcome(
        line.get("reply", Document.class),
        error == null ? null : error.intValue(),
        line.getString("message"));
  }

  /** The users of a {@code connectionStatus}, with their databases. */
  List<String> users() {
    return reply
        .get("authInfo", Document.class)
        .getList("authenticatedUsers", Document.class)
        .stream()
        .map(user -> user.getString("user") + "@" + user.getString("db"))
        .toList();
  }

  List<String> databases() {
    return reply.getList("databases", Document.class).stream()
        .map(each -> each.getString("name"))
        .toList();
  }
}
