package dev.wisent.server.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.harness.EmbeddedServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server with access control, and drivers of its users. All users are of {@code admin}. */
final class LoggedIn implements BeforeAllCallback, AfterAllCallback {
  static final String ROOT = "root";

  private final EmbeddedServer server =
      new EmbeddedServer(
          options ->
              options.access(new AccessOptions(true, Optional.empty(), ClusterAuthMode.KEY_FILE)));
  private final Map<String, MongoClient> clients = new HashMap<>();

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    server.beforeAll(context);
    server.admin("{createUser: 'root', pwd: 'root', roles: ['root']}");
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    clients.values().forEach(MongoClient::close);
    server.afterAll(context);
  }

  /** Creates a user whose password is its name. */
  void create(String user, String roles) {
    root("admin", "{createUser: '%s', pwd: '%s', roles: [%s]}".formatted(user, user, roles));
  }

  /** Creates a role of {@code admin}. */
  void createRole(String role, String... privileges) {
    root(
        "admin",
        "{createRole: '%s', privileges: [%s], roles: []}"
            .formatted(role, String.join(", ", privileges)));
  }

  /** For roles. */
  static String on(String namespace, String actions) {
    int dot = namespace.indexOf('.');
    return "{resource: {db: '%s', collection: '%s'}, actions: [%s]}"
        .formatted(namespace.substring(0, dot), namespace.substring(dot + 1), actions);
  }

  MongoClient as(String user) {
    return clients.computeIfAbsent(user, name -> open(name, name));
  }

  MongoClient open(String user, String password) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(server.uri()))
            .credential(MongoCredential.createCredential(user, "admin", password.toCharArray()))
            .build());
  }

  Document root(String database, String command) {
    return run(ROOT, database, command);
  }

  Document run(String user, String database, String command) {
    return as(user).getDatabase(database).runCommand(BsonDocument.parse(command));
  }

  MongoCollection<Document> collection(String user, String namespace) {
    int dot = namespace.indexOf('.');
    return as(user)
        .getDatabase(namespace.substring(0, dot))
        .getCollection(namespace.substring(dot + 1));
  }

  List<Document> documents(String namespace) {
    return collection(ROOT, namespace).find().into(new ArrayList<>());
  }

  /** The error of a command that must fail. */
  MongoCommandException failure(String user, String database, String command) {
    try {
      Document reply = run(user, database, command);
      throw new AssertionError(user + " should have failed: " + command + " but got " + reply);
    } catch (MongoCommandException e) {
      return e;
    }
  }

  /** Commands that a user may not run. */
  void refuses(String user, String database, String... commands) {
    for (String command : commands) {
      MongoCommandException error = failure(user, database, command);
      String name = Document.parse(command).keySet().iterator().next();
      assertThat(error.getErrorMessage())
          .as(command)
          .startsWith("not authorized on " + database + " to execute command { " + name + ": ");
      assertThat(error.getCode()).as(command).isEqualTo(13);
      assertThat(error.getErrorCodeName()).isEqualTo("Unauthorized");
    }
  }

  /** Commands that a user may run. */
  void allows(String user, String database, String... commands) {
    for (String command : commands) {
      assertThat(run(user, database, command)).as(command).containsEntry("ok", 1.0);
    }
  }
}
