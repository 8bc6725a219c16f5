package dev.wisent.server.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.harness.EmbeddedServer;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The localhost exception is for the first user, of {@code admin}, and ends with it. */
class FirstUserTest {
  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(
          options ->
              options.access(new AccessOptions(true, Optional.empty(), ClusterAuthMode.KEY_FILE)));

  private static void refuses(String database, String command, String message) {
    BsonDocument reply = SERVER.fail(database, command);
    assertThat(reply.getInt32("code").getValue()).as(command).isEqualTo(13);
    assertThat(reply.getString("errmsg").getValue()).startsWith(message);
  }

  @Test
  void isCreatedWithoutALogin() {
    String refused = "not authorized on %s to execute command ";
    for (String command :
        new String[] {
          "{find: 'c'}",
          "{insert: 'c', documents: [{}]}",
          "{createUser: 'x', pwd: 'x', roles: []}",
          "{createRole: 'x', privileges: [], roles: []}",
          "{usersInfo: 1}"
        }) {
      refuses("test", command, refused.formatted("test"));
    }
    for (String command :
        new String[] {
          "{find: 'system.users'}",
          "{usersInfo: 1}",
          "{createUser: 'x', pwd: 'x', roles: [{role: 'read', db: 'test'}]}",
          "{serverStatus: 1}",
          "{shutdown: 1}"
        }) {
      refuses("admin", command, refused.formatted("admin"));
    }
    refuses(
        "$external",
        "{createUser: 'CN=x', roles: [{role: 'read', db: '$external'}]}",
        refused.formatted("$external"));
    SERVER.admin("{createUser: 'first', pwd: 'first', roles: ['root']}");
    refuses(
        "admin",
        "{createUser: 'second', pwd: 'second', roles: ['root']}",
        "Command createUser requires authentication");
    refuses("test", "{find: 'c'}", "Command find requires authentication");
    assertThat(SERVER.admin("{ping: 1}").getDouble("ok").getValue()).isEqualTo(1);
  }
}
