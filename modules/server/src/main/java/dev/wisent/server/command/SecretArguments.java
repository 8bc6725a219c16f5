package dev.wisent.server.command;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Map;
import java.util.Set;

/**
 * Arguments that no report shows: passwords, the messages of logins, the secret that members of a
 * set share, and what is written to the collections of users and roles.
 */
public final class SecretArguments {
  private static final RawValue HIDDEN = RawValue.ofString("xxx");

  /** By the name of the command. */
  private static final Map<String, Set<String>> SECRETS =
      Map.ofEntries(
          Map.entry("createUser", Set.of("pwd")),
          Map.entry("updateUser", Set.of("pwd")),
          Map.entry("saslStart", Set.of("payload")),
          Map.entry("saslContinue", Set.of("payload")),
          Map.entry("authenticate", Set.of("key", "nonce")),
          Map.entry("_wisentReplSetJoin", Set.of("logSecret")),
          Map.entry("hello", Set.of("speculativeAuthenticate")),
          Map.entry("isMaster", Set.of("speculativeAuthenticate")),
          Map.entry("ismaster", Set.of("speculativeAuthenticate")));

  private static final Set<String> WRITES =
      Set.of("insert", "update", "findAndModify", "findandmodify");

  /** Of writes to {@link #CREDENTIALS}. */
  private static final Set<String> WRITTEN = Set.of("documents", "updates", "update");

  private static final String CREDENTIALS = "system.users";

  private SecretArguments() {}

  /** Whether a command writes credentials: its statements are not to be shown. */
  public static boolean writesCredentials(String command, RawDocument body) {
    return WRITES.contains(command) && isCredentials(body);
  }

  private static boolean isCredentials(RawDocument body) {
    ElementCursor fields = body.elements();
    if (!fields.next()) {
      return false;
    }
    RawValue collection = fields.value();
    return collection.isString() && collection.asString().equals(CREDENTIALS);
  }

  /** The command itself, or one with {@code xxx} for each secret. */
  public static RawDocument hidden(String command, RawDocument body) {
    Set<String> secrets = SECRETS.get(command);
    if (secrets == null && writesCredentials(command, body)) {
      secrets = WRITTEN;
    }
    if (secrets == null || secrets.stream().allMatch(field -> body.get(field) == null)) {
      return body;
    }
    var out = new BsonBuilder(body.length());
    ElementCursor fields = body.elements();
    while (fields.next()) {
      if (secrets.contains(fields.name())) {
        out.append(fields.name(), HIDDEN);
      } else {
        out.appendElement(fields);
      }
    }
    return out.toDocument();
  }
}
