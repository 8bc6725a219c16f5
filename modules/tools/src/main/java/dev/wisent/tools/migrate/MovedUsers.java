package dev.wisent.tools.migrate;

import com.mongodb.MongoCommandException;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.restore.UsersAndRoles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.RawBsonDocument;

/** Users and roles of the source, added to those of the target. */
final class MovedUsers {
  private static final int UNAUTHORIZED = 13;

  private final Deployment source;
  private final Deployment target;
  private final Messages messages;

  MovedUsers(Deployment source, Deployment target, Messages messages) {
    this.source = source;
    this.target = target;
    this.messages = messages;
  }

  /** Those that the target has already stay as they are. */
  void move() throws ToolException {
    List<RawBsonDocument> users;
    List<RawBsonDocument> roles;
    try {
      users = read("system.users");
      roles = read("system.roles");
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != UNAUTHORIZED) {
        throw e;
      }
      messages.warn("users and roles are not moved: the source does not let them be read");
      return;
    }
    var merge = new UsersAndRoles(target, false, Optional.empty());
    if (!roles.isEmpty()) {
      merge.add(false, roles);
    }
    if (!users.isEmpty()) {
      merge.add(true, users);
    }
    if (merge.merge()) {
      messages.say(
          "%d user(s) and %d role(s) of the source are in the target"
              .formatted(users.size(), roles.size()));
    }
  }

  private List<RawBsonDocument> read(String collection) {
    return source
        .database("admin")
        .getCollection(collection, RawBsonDocument.class)
        .find()
        .into(new ArrayList<>());
  }
}
