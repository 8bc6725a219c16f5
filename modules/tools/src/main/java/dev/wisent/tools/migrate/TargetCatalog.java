package dev.wisent.tools.migrate;

import com.mongodb.WriteConcern;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * What the target has, as the migration knows it: nothing else creates and renames there.
 * Collections are found by their UUIDs. Read by several threads, changed by one.
 */
final class TargetCatalog {
  private final Deployment target;
  private final Fence fence;
  private final Messages messages;
  private final Map<BsonBinary, CollectionInfo> collections = new ConcurrentHashMap<>();
  private final Map<String, CollectionInfo> views = new ConcurrentHashMap<>();

  TargetCatalog(Deployment target, Fence fence, Messages messages) {
    this.target = target;
    this.fence = fence;
    this.messages = messages;
  }

  /** Lists everything anew. */
  void read() {
    Map<BsonBinary, CollectionInfo> found = new HashMap<>();
    views.clear();
    for (CollectionInfo info :
        CollectionInfo.list(target, (database, name) -> !name.startsWith("system."))) {
      if (info.uuid() == null) {
        views.put(info.namespace(), info);
      } else {
        found.put(info.uuid(), info);
      }
    }
    collections.keySet().retainAll(found.keySet());
    collections.putAll(found);
  }

  CollectionInfo find(BsonBinary uuid) {
    return uuid == null ? null : collections.get(uuid);
  }

  /** A collection or view. */
  Optional<CollectionInfo> named(String namespace) {
    return collections.values().stream()
        .filter(each -> each.namespace().equals(namespace))
        .findFirst()
        .or(() -> Optional.ofNullable(views.get(namespace)));
  }

  CollectionInfo create(CollectionInfo info, BsonDocument options) throws ToolException {
    var command = new BsonDocument("create", new BsonString(info.name()));
    options.forEach(command::append);
    fence.check();
    target.database(info.database()).runCommand(command);
    CollectionInfo created =
        CollectionInfo.named(target, info.database(), info.name()).stream()
            .findFirst()
            .orElseThrow(() -> ToolException.failed(info + " is not there after it was created"));
    if (created.uuid() == null) {
      views.put(created.namespace(), created);
    } else {
      collections.put(created.uuid(), created);
    }
    return created;
  }

  void drop(CollectionInfo info) throws ToolException {
    fence.check();
    target.database(info.database()).getCollection(info.name()).drop();
    if (info.uuid() == null) {
      views.remove(info.namespace());
    } else {
      collections.remove(info.uuid());
    }
    messages.say(1, "dropped " + info);
  }

  /** Removes the documents: unlike a collection that is created anew it stays sharded. */
  void clear(CollectionInfo info) throws ToolException {
    fence.check();
    target
        .database(info.database())
        .getCollection(info.name())
        .withWriteConcern(WriteConcern.MAJORITY)
        .deleteMany(new BsonDocument());
    messages.say(1, "removed the documents of " + info);
  }

  void rename(CollectionInfo info, String namespace) throws ToolException {
    fence.check();
    target.admin(
        new BsonDocument("renameCollection", new BsonString(info.namespace()))
            .append("to", new BsonString(namespace)));
    int dot = namespace.indexOf('.');
    collections.put(
        info.uuid(),
        new CollectionInfo(
            info.uuid(),
            namespace.substring(0, dot),
            namespace.substring(dot + 1),
            info.type(),
            info.options()));
    messages.say(1, "renamed " + info + " to " + namespace);
  }

  /** Runs {@code collMod} and its like. */
  void run(CollectionInfo info, BsonDocument command) throws ToolException {
    fence.check();
    target.database(info.database()).runCommand(command);
  }

  /**
   * @param ordered whether the order of the documents is a part of the collection
   */
  CopyWriter writer(CollectionInfo copy, boolean ordered) {
    return new CopyWriter(target, fence, copy, ordered);
  }

  boolean isRouter() {
    return target.kind() == Deployment.Kind.ROUTER;
  }

  boolean isEmpty(CollectionInfo info) {
    return target
            .database(info.database())
            .getCollection(info.name(), BsonDocument.class)
            .find()
            .first()
        == null;
  }
}
