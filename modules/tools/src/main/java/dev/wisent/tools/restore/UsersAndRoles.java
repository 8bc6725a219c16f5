package dev.wisent.tools.restore;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * Users and roles of a dump. They go into collections of their own first; then the server merges
 * these into what it has, by a command that exists for that. Thread-safe.
 */
public final class UsersAndRoles {
  private static final int COMMAND_NOT_FOUND = 59;
  private static final String USERS = "tempusers";
  private static final String ROLES = "temproles";

  private final Deployment deployment;
  private final boolean drop;
  private final Optional<String> database;
  private final Map<String, Boolean> begun = new ConcurrentHashMap<>();

  /**
   * @param drop whether those that are not among them are dropped
   * @param database whose they are; empty for all
   */
  public UsersAndRoles(Deployment deployment, boolean drop, Optional<String> database) {
    this.deployment = deployment;
    this.drop = drop;
    this.database = database;
  }

  private MongoCollection<RawBsonDocument> temporary(String name) {
    return deployment.database("admin").getCollection(name, RawBsonDocument.class);
  }

  /** Takes some of them. */
  public void add(boolean users, List<RawBsonDocument> documents) throws ToolException {
    String name = users ? USERS : ROLES;
    try {
      begun.computeIfAbsent(
          name,
          ignored -> {
            temporary(name).drop();
            return true;
          });
      temporary(name).insertMany(documents);
    } catch (MongoException e) {
      throw Deployment.failure("cannot restore users and roles", e);
    }
  }

  /** Merges them, if there were any. Returns whether there were. */
  public boolean merge() throws ToolException {
    if (begun.isEmpty()) {
      return false;
    }
    var command = new BsonDocument("_mergeAuthzCollections", new BsonInt32(1));
    if (begun.containsKey(USERS)) {
      command.append("tempUsersCollection", new BsonString("admin." + USERS));
    }
    if (begun.containsKey(ROLES)) {
      command.append("tempRolesCollection", new BsonString("admin." + ROLES));
    }
    command
        .append("drop", BsonBoolean.valueOf(drop))
        .append("db", new BsonString(database.orElse("")))
        .append("writeConcern", new BsonDocument("w", new BsonString("majority")));
    try {
      deployment.admin(command);
      return true;
    } catch (MongoCommandException e) {
      if (e.getErrorCode() == COMMAND_NOT_FOUND) {
        throw ToolException.failed(
            "users and roles are not restored: the server has no _mergeAuthzCollections;"
                + " leave them out by --nsExclude 'admin.system.*'",
            e);
      }
      throw Deployment.failure("cannot restore users and roles", e);
    } catch (MongoException e) {
      throw Deployment.failure("cannot restore users and roles", e);
    } finally {
      begun.keySet().forEach(name -> temporary(name).drop());
    }
  }
}
