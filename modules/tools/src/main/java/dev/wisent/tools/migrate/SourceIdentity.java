package dev.wisent.tools.migrate;

import com.mongodb.MongoCommandException;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * What makes two runs the same migration: the source. Which of its collections are moved may be
 * changed from one run to the next.
 */
final class SourceIdentity {
  /** What a deployment answers that does not let this user, or no user, ask for its name. */
  private static final Set<Integer> REFUSED =
      Set.of(
          13, // Unauthorized
          59, // CommandNotFound
          115, // CommandNotSupported
          8_000); // AtlasError

  private SourceIdentity() {}

  static BsonDocument of(Deployment source, MigrateSettings settings, Surroundings surroundings)
      throws ToolException {
    String name =
        Attempts.untilAnswered(surroundings, () -> name(source))
            .orElseGet(
                () -> source.kind() + " at " + source.settings().getClusterSettings().getHosts());
    return new BsonDocument("source", new BsonString(name))
        .append("follow", BsonBoolean.valueOf(settings.follow()));
  }

  /**
   * The same through every address of the deployment; empty where it has no name, or does not say
   * it.
   */
  private static Optional<String> name(Deployment source) {
    try {
      if (source.kind() == Kind.SET) {
        BsonValue id =
            source
                .admin(new BsonDocument("replSetGetConfig", new BsonInt32(1)))
                .getDocument("config")
                .getDocument("settings", new BsonDocument())
                .get("replicaSetId");
        if (id != null) {
          return Optional.of("set " + id.asObjectId().getValue().toHexString());
        }
      } else if (source.kind() == Kind.ROUTER) {
        BsonDocument version =
            source.database("config").getCollection("version", BsonDocument.class).find().first();
        if (version != null && version.containsKey("clusterId")) {
          return Optional.of(
              "cluster " + version.getObjectId("clusterId").getValue().toHexString());
        }
      }
    } catch (MongoCommandException e) {
      if (!REFUSED.contains(e.getErrorCode())) {
        throw e;
      }
    }
    return Optional.empty();
  }

  /** Whether both are one deployment, also by different members or routers. */
  static boolean isSame(Deployment source, Deployment target, Surroundings surroundings)
      throws ToolException {
    return Attempts.untilAnswered(
        surroundings,
        () -> {
          Optional<String> name = name(source);
          BsonValue process = primary(source);
          return (name.isPresent() && name.equals(name(target)))
              || (process != null && process.equals(primary(target)));
        });
  }

  /** The process that takes the writes. */
  private static BsonValue primary(Deployment deployment) {
    return deployment
        .admin(new BsonDocument("hello", new BsonInt32(1)))
        .getDocument("topologyVersion", new BsonDocument())
        .get("processId");
  }
}
