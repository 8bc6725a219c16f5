package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** What makes two runs the same migration: the source, and what of it is moved. */
final class SourceIdentity {
  private SourceIdentity() {}

  static BsonDocument of(Deployment source, MigrateSettings settings) {
    return new BsonDocument("source", new BsonString(name(source)))
        .append("include", strings(settings.include()))
        .append("exclude", strings(settings.exclude()))
        .append("follow", BsonBoolean.valueOf(settings.follow()));
  }

  private static BsonArray strings(Iterable<String> texts) {
    var all = new BsonArray();
    texts.forEach(each -> all.add(new BsonString(each)));
    return all;
  }

  /** The same through every address of the deployment, where it has a name of its own. */
  private static String name(Deployment source) {
    try {
      if (source.kind() == Kind.SET) {
        BsonValue id =
            source
                .admin(new BsonDocument("replSetGetConfig", new BsonInt32(1)))
                .getDocument("config")
                .getDocument("settings", new BsonDocument())
                .get("replicaSetId");
        if (id != null) {
          return "set " + id.asObjectId().getValue().toHexString();
        }
      } else if (source.kind() == Kind.ROUTER) {
        BsonDocument version =
            source.database("config").getCollection("version", BsonDocument.class).find().first();
        if (version != null && version.containsKey("clusterId")) {
          return "cluster " + version.getObjectId("clusterId").getValue().toHexString();
        }
      }
    } catch (MongoException e) {
      // Not allowed to this user; then it is known by its address.
      return source.kind() + " at " + source.settings().getClusterSettings().getHosts();
    }
    return source.kind() + " at " + source.settings().getClusterSettings().getHosts();
  }

  /** Whether both are the same process. */
  static boolean isSame(Deployment source, Deployment target) {
    return process(source) != null && process(source).equals(process(target));
  }

  private static BsonValue process(Deployment deployment) {
    return deployment.hello().getDocument("topologyVersion", new BsonDocument()).get("processId");
  }
}
