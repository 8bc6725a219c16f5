package dev.wisent.tools.connection;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A server, replica set or cluster that has answered. */
public final class Deployment implements AutoCloseable {
  /** What is behind the connection. */
  public enum Kind {
    NODE,
    SET,
    ROUTER
  }

  private static final String VIEW = "Client view of cluster state is ";
  private static final Pattern ADDRESS = Pattern.compile("\\baddress=");

  /** The innermost of the causes that the driver nests in braces. */
  private static final Pattern CAUSE =
      Pattern.compile("(?s)(?:exception=|.*caused by )\\{([^{}]*)}");

  /** How long a member that does not answer keeps others from being chosen. */
  private static final long DISCOVERY_MILLIS = 5_000;

  private final MongoClient client;
  private final MongoClientSettings settings;
  private final MemberDiscovery discovery;
  private final Kind kind;
  private final BsonDocument hello;

  private Deployment(
      MongoClient client,
      MongoClientSettings settings,
      MemberDiscovery discovery,
      BsonDocument hello) {
    this.client = client;
    this.settings = settings;
    this.discovery = discovery;
    this.hello = hello;
    BsonValue message = hello.get("msg", new BsonString(""));
    this.kind =
        message.isString() && message.asString().getValue().equals("isdbgrid")
            ? Kind.ROUTER
            : hello.containsKey("setName") ? Kind.SET : Kind.NODE;
  }

  /**
   * Connects, and waits for the first answer.
   *
   * @param uri a connection string that is not in a flag, or null
   */
  public static Deployment connect(Flags flags, String uri, Surroundings surroundings)
      throws ToolException {
    return connect(ConnectionSettings.of(flags, uri, surroundings));
  }

  public static Deployment connect(MongoClientSettings settings) throws ToolException {
    var discovery = new MemberDiscovery();
    MongoClient client =
        MongoClients.create(
            MongoClientSettings.builder(settings)
                .applyToClusterSettings(cluster -> cluster.addClusterListener(discovery))
                .build());
    try {
      BsonDocument hello =
          client
              .getDatabase("admin")
              .runCommand(
                  new BsonDocument("hello", new BsonInt32(1)),
                  settings.getReadPreference(),
                  BsonDocument.class);
      var deployment = new Deployment(client, settings, discovery, hello);
      deployment.reading(null);
      return deployment;
    } catch (MongoException e) {
      client.close();
      throw failure("cannot connect", e);
    }
  }

  public MongoClient client() {
    return client;
  }

  public MongoClientSettings settings() {
    return settings;
  }

  public Kind kind() {
    return kind;
  }

  /**
   * The read preference of a tool. If it is not the primary, waits until every member of a set was
   * tried, so that it chooses among all of them.
   *
   * @param wanted null for that of the connection string
   */
  public ReadPreference reading(ReadPreference wanted) {
    ReadPreference preference = wanted == null ? settings.getReadPreference() : wanted;
    if (kind == Kind.SET && !preference.equals(ReadPreference.primary())) {
      discovery.await(DISCOVERY_MILLIS);
    }
    return preference;
  }

  /** What the server says of itself. */
  public BsonDocument hello() {
    return hello;
  }

  public MongoDatabase database(String name) {
    return client.getDatabase(name);
  }

  public BsonDocument admin(BsonDocument command) {
    return database("admin").runCommand(command, ReadPreference.primary(), BsonDocument.class);
  }

  /** Such as 8.0.4. */
  public String serverVersion() {
    return admin(new BsonDocument("buildInfo", new BsonInt32(1)))
        .getString("version", new BsonString("0.0.0"))
        .getValue();
  }

  /** A failure of the driver in words for a user. */
  public static ToolException failure(String what, MongoException e) {
    String why =
        switch (e) {
          case MongoTimeoutException timeout -> unreachable(timeout.getMessage());
          case MongoSecurityException security ->
              security.getMessage()
                  + (security.getCause() == null ? "" : ": " + security.getCause().getMessage());
          case MongoCommandException command ->
              command.getErrorMessage()
                  + " ("
                  + command.getErrorCodeName()
                  + ", "
                  + command.getErrorCode()
                  + ")";
          default -> e.getMessage();
        };
    return ToolException.failed(what + ": " + why, e);
  }

  /** The driver's message with no more of its view than each server's address and last error. */
  static String unreachable(String message) {
    int view = message.indexOf(VIEW);
    if (view < 0) {
      return message;
    }
    StringJoiner servers = new StringJoiner("; ");
    for (String server : ADDRESS.split(message.substring(view))) {
      if (server.startsWith(VIEW)) {
        continue;
      }
      Matcher cause = CAUSE.matcher(server);
      String address = server.substring(0, Math.max(0, server.indexOf(',')));
      servers.add(cause.find() ? address + ": " + cause.group(1) : address + " has not answered");
    }
    return message.substring(0, view) + servers;
  }

  @Override
  public void close() {
    client.close();
  }
}
