package dev.wisent.tools.backup;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterSettings;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * The one server that a backup is read from, directly or through a router: a state is fixed on one
 * member. Thread-safe after {@link #begin}.
 */
final class SourceMember implements AutoCloseable {
  private static final String OPERATION_TIME = "operationTime";
  private static final String CLUSTER_TIME = "$clusterTime";
  private static final String FORMAT_FILE = "wisent.format";

  /** A secondary may be minutes behind the primary. */
  private static final int BEGIN_SECONDS_MAX = 600;

  /** How long a member may take for the state of a time that has come. */
  private static final int BEGIN_AT_SECONDS_MAX = 60;

  private final MongoClient client;
  private final Runnable closing;
  private final ReadPreference preference;

  /** Which shard; null without a router. */
  private final String shard;

  private volatile String host;

  private SourceMember(
      MongoClient client, Runnable closing, ReadPreference preference, String shard, String host) {
    this.client = client;
    this.closing = closing;
    this.preference = preference;
    this.shard = shard;
    this.host = host;
  }

  /**
   * The member of a shard that a router chooses.
   *
   * @param preference null for that of the connection string, or else a secondary if there is one
   */
  static SourceMember ofShard(Deployment router, String shard, ReadPreference preference) {
    ReadPreference wanted = wanted(router, preference);
    return new SourceMember(router.client(), () -> {}, wanted, shard, shard);
  }

  private static ReadPreference wanted(Deployment deployment, ReadPreference preference) {
    boolean byDefault =
        preference == null
            && deployment.settings().getReadPreference().equals(ReadPreference.primary());
    return deployment.reading(byDefault ? ReadPreference.secondaryPreferred() : preference);
  }

  /**
   * Chooses a member.
   *
   * @param preference null for that of the connection string, or else a secondary if there is one
   */
  static SourceMember choose(Deployment deployment, ReadPreference preference) {
    ReadPreference wanted = wanted(deployment, preference);
    BsonDocument hello =
        deployment
            .database("admin")
            .runCommand(new BsonDocument("hello", new BsonInt32(1)), wanted, BsonDocument.class);
    ClusterSettings cluster = deployment.settings().getClusterSettings();
    List<ServerAddress> hosts =
        deployment.kind() == Kind.SET && hello.containsKey("me")
            ? List.of(new ServerAddress(hello.getString("me").getValue()))
            : List.of(
                deployment
                    .client()
                    .getClusterDescription()
                    .getServerDescriptions()
                    .getFirst()
                    .getAddress());
    ClusterSettings one =
        ClusterSettings.builder()
            .mode(ClusterConnectionMode.SINGLE)
            .hosts(hosts)
            .serverSelectionTimeout(
                cluster.getServerSelectionTimeout(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS)
            .build();
    MongoClientSettings settings =
        MongoClientSettings.builder(deployment.settings())
            .applyToClusterSettings(builder -> builder.applySettings(one))
            .build();
    MongoClient client = MongoClients.create(settings);
    return new SourceMember(
        client, client::close, ReadPreference.primary(), null, hosts.getFirst().toString());
  }

  String host() {
    return host;
  }

  /** The reply to a command of the primary, by which times are known; null without a primary. */
  static BsonDocument askPrimary(Deployment deployment, Messages messages) {
    if (deployment.kind() != Kind.SET) {
      return null;
    }
    try {
      return deployment.admin(new BsonDocument("ping", new BsonInt32(1)));
    } catch (MongoTimeoutException e) {
      messages.warn("there is no primary: what only it has is not in the backup");
      return null;
    }
  }

  /**
   * Fixes the state of the member.
   *
   * @param times a reply; the state is as new as that
   */
  BsonDocument begin(BsonDocument times) {
    BsonDocument command = beginning(BEGIN_SECONDS_MAX);
    if (times == null || !times.containsKey(OPERATION_TIME)) {
      return client.getDatabase("admin").runCommand(command, BsonDocument.class);
    }
    command.append("readConcern", new BsonDocument("afterClusterTime", times.get(OPERATION_TIME)));
    try (ClientSession session = client.startSession()) {
      if (times.containsKey(CLUSTER_TIME)) {
        session.advanceClusterTime(times.getDocument(CLUSTER_TIME));
      }
      return client.getDatabase("admin").runCommand(session, command, BsonDocument.class);
    }
  }

  private static BsonDocument beginning(int secondsMax) {
    return new BsonDocument("backupBegin", new BsonInt32(1))
        .append("maxTimeMS", new BsonInt64(TimeUnit.SECONDS.toMillis(secondsMax)));
  }

  /**
   * Fixes the state of a cluster time that is still to come; through a router.
   *
   * @param secondsAhead how long it takes until then, about
   */
  BsonDocument beginAt(BsonTimestamp time, int secondsAhead) {
    BsonDocument command =
        beginning(secondsAhead + BEGIN_AT_SECONDS_MAX)
            .append("shard", new BsonString(shard))
            .append("atClusterTime", time);
    BsonDocument reply =
        client.getDatabase("admin").runCommand(command, preference, BsonDocument.class);
    host = reply.getString("member").getValue();
    return reply;
  }

  private BsonDocument command(String name, BsonValue backup) {
    var command = new BsonDocument(name, backup);
    if (shard != null) {
      command.append("shard", new BsonString(shard)).append("member", new BsonString(host));
    }
    return command;
  }

  /** Reads the bytes of a file from an offset on; none at its end. */
  byte[] read(BsonValue backup, String file, long offset, Interruption interruption)
      throws ToolException {
    BsonDocument command =
        command("backupRead", backup)
            .append("file", new BsonString(file))
            .append("offset", new BsonInt64(offset));
    try {
      // The state outlives connections.
      return Attempts.untilAnswered(
          interruption,
          () ->
              client
                  .getDatabase("admin")
                  .runCommand(command, BsonDocument.class)
                  .getBinary("data")
                  .getData());
    } catch (MongoSocketException e) {
      throw ToolException.failed("the connection to " + host + " breaks: " + e.getMessage(), e);
    }
  }

  /** Reads nothing, so that the server keeps the state. */
  void keep(BsonValue backup) {
    BsonDocument command =
        command("backupRead", backup)
            .append("file", new BsonString(FORMAT_FILE))
            .append("length", new BsonInt64(0));
    client.getDatabase("admin").runCommand(command, BsonDocument.class);
  }

  /** Gives up the state. */
  void end(BsonValue backup) {
    client.getDatabase("admin").runCommand(command("backupEnd", backup), BsonDocument.class);
  }

  @Override
  public void close() {
    closing.run();
  }
}
