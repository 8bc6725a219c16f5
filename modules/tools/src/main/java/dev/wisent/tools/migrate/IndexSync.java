package dev.wisent.tools.migrate;

import com.mongodb.MongoCommandException;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Indexes of copies. Until the end none is unique, since copies of documents are of different times
 * and may have the same values meanwhile, and none deletes what has expired: the source does that.
 */
final class IndexSync {
  private static final int NAMESPACE_NOT_FOUND = 26;
  private static final int INDEX_NOT_FOUND = 27;
  private static final Set<Integer> CONFLICTS = Set.of(85, 86);

  /** Options of {@code listIndexes} that {@code createIndexes} does not need. */
  private static final Set<String> OF_SERVER = Set.of("v", "ns", "background");

  private final Deployment source;
  private final Deployment target;
  private final CatalogSync catalog;
  private final Fence fence;
  private final Messages messages;

  IndexSync(
      Deployment source, Deployment target, CatalogSync catalog, Fence fence, Messages messages) {
    this.source = source;
    this.target = target;
    this.fence = fence;
    this.catalog = catalog;
    this.messages = messages;
  }

  /**
   * Creates what the copy lacks, and drops what the source does not have any more. An end that has
   * failed late may have left unique indexes, and some that delete: these become what they were.
   */
  void sync(MovedCollection moved) throws ToolException {
    CollectionInfo info = catalog.sourceOf(moved.source());
    CollectionInfo copy = catalog.copyOf(moved);
    if (info == null || copy == null) {
      return;
    }
    Map<String, BsonDocument> wanted = indexes(source, info);
    stopExpiring(copy);
    Map<String, BsonDocument> there = indexes(target, copy);
    List<String> kept = new ArrayList<>();
    for (String known : moved.indexes()) {
      String name = BsonDocument.parse(known).getString("name").getValue();
      boolean same =
          wanted.containsKey(name) && MovedCollection.text(wanted.get(name)).equals(known);
      if (same && there.containsKey(name) && isUntilTheEnd(there.get(name))) {
        kept.add(known);
      } else if (there.containsKey(name)) {
        drop(copy, name);
      }
    }
    List<BsonDocument> missing =
        wanted.values().stream()
            .filter(each -> !kept.contains(MovedCollection.text(each)))
            .toList();
    if (missing.isEmpty() && kept.size() == moved.indexes().size()) {
      return;
    }
    missing.forEach(each -> kept.add(MovedCollection.text(each)));
    catalog.store(moved.withIndexes(kept));
    create(copy, missing.stream().map(IndexSync::untilTheEnd).toList());
    messages.say(1, "created %d index(es) of %s".formatted(missing.size(), copy));
  }

  /** Whether nothing that is written now can be refused by an index, or deleted for it. */
  private static boolean isUntilTheEnd(BsonDocument there) {
    BsonValue lifetime = there.get(CollectionOptions.LIFETIME);
    return !isOn(there, "unique")
        && !isOn(there, "prepareUnique")
        && (lifetime == null || lifetime.asNumber().longValue() == Integer.MAX_VALUE);
  }

  private void stopExpiring(CollectionInfo copy) throws ToolException {
    if (copy.options().containsKey(CollectionOptions.LIFETIME)) {
      run(
          copy,
          new BsonDocument("collMod", new BsonString(copy.name()))
              .append(CollectionOptions.LIFETIME, new BsonString("off")));
    }
  }

  /** Drops those that the migration has created. */
  void dropAll(MovedCollection moved, CollectionInfo copy) throws ToolException {
    for (String known : moved.indexes()) {
      drop(copy, BsonDocument.parse(known).getString("name").getValue());
    }
  }

  /**
   * Makes indexes what they are in the source, but for what expires; for the time when nothing is
   * written any more.
   */
  void complete(MovedCollection moved) throws ToolException {
    CollectionInfo info = catalog.sourceOf(moved.source());
    CollectionInfo copy = catalog.copyOf(moved);
    Map<String, BsonDocument> there = indexes(target, copy);
    for (BsonDocument index : indexes(source, info).values()) {
      BsonDocument changed = there.get(index.getString("name").getValue());
      if (changed == null || !untilTheEnd(index).equals(index)) {
        complete(copy, index, changed == null ? new BsonDocument() : changed);
      }
    }
  }

  /** Has documents expire again, which cannot be undone: after everything else. */
  void expire(MovedCollection moved) throws ToolException {
    CollectionInfo info = catalog.sourceOf(moved.source());
    CollectionInfo copy = catalog.copyOf(moved);
    for (BsonDocument index : indexes(source, info).values()) {
      if (index.containsKey(CollectionOptions.LIFETIME)) {
        expire(copy, index);
      }
    }
    if (info.options().containsKey(CollectionOptions.LIFETIME)) {
      run(
          copy,
          new BsonDocument("collMod", new BsonString(copy.name()))
              .append(CollectionOptions.LIFETIME, info.options().get(CollectionOptions.LIFETIME)));
    }
  }

  private void expire(CollectionInfo copy, BsonDocument index) throws ToolException {
    String name = index.getString("name").getValue();
    try {
      modify(
          copy,
          name,
          new BsonDocument(CollectionOptions.LIFETIME, index.get(CollectionOptions.LIFETIME)));
    } catch (MongoCommandException e) {
      anew(copy, index, e);
    }
  }

  private void complete(CollectionInfo copy, BsonDocument index, BsonDocument there)
      throws ToolException {
    String name = index.getString("name").getValue();
    try {
      if (isOn(index, "prepareUnique") || (isOn(index, "unique") && !isOn(there, "unique"))) {
        modify(copy, name, new BsonDocument("prepareUnique", BsonBoolean.TRUE));
      }
      if (isOn(index, "unique") && !isOn(there, "unique")) {
        modify(copy, name, new BsonDocument("unique", BsonBoolean.TRUE));
      }
    } catch (MongoCommandException e) {
      anew(copy, notExpiring(index), e);
    }
  }

  /** Some kinds of indexes cannot be changed, only built anew. */
  private void anew(CollectionInfo copy, BsonDocument index, MongoCommandException why)
      throws ToolException {
    String name = index.getString("name").getValue();
    messages.say(1, "building %s of %s anew: %s".formatted(name, copy, why.getErrorMessage()));
    drop(copy, name);
    create(copy, List.of(index));
  }

  private static boolean isOn(BsonDocument index, String option) {
    return index.containsKey(option) && !index.get(option).equals(BsonBoolean.FALSE);
  }

  private void modify(CollectionInfo copy, String name, BsonDocument change) throws ToolException {
    BsonDocument index = new BsonDocument("name", new BsonString(name));
    index.putAll(change);
    run(copy, new BsonDocument("collMod", new BsonString(copy.name())).append("index", index));
  }

  private static BsonDocument untilTheEnd(BsonDocument index) {
    BsonDocument changed = notExpiring(index);
    changed.remove("unique");
    changed.remove("prepareUnique");
    return changed;
  }

  private static BsonDocument notExpiring(BsonDocument index) {
    BsonDocument changed = index.clone();
    if (changed.containsKey(CollectionOptions.LIFETIME)) {
      changed.put(CollectionOptions.LIFETIME, new BsonInt32(Integer.MAX_VALUE));
    }
    return changed;
  }

  /** By name, without those that a collection has by its nature. */
  static Map<String, BsonDocument> indexes(Deployment deployment, CollectionInfo info) {
    Map<String, BsonDocument> found = new TreeMap<>();
    try {
      for (BsonDocument index :
          deployment
              .database(info.database())
              .getCollection(info.name())
              .listIndexes(BsonDocument.class)) {
        String name = index.getString("name").getValue();
        if (!name.equals("_id_") && !index.containsKey("clustered")) {
          index.keySet().removeAll(OF_SERVER);
          found.put(name, index);
        }
      }
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != NAMESPACE_NOT_FOUND) {
        throw e;
      }
    }
    return found;
  }

  private void create(CollectionInfo copy, List<BsonDocument> indexes) throws ToolException {
    if (indexes.isEmpty()) {
      return;
    }
    BsonDocument command =
        new BsonDocument("createIndexes", new BsonString(copy.name()))
            .append("indexes", new BsonArray(indexes));
    try {
      run(copy, command);
    } catch (MongoCommandException e) {
      if (!CONFLICTS.contains(e.getErrorCode())) {
        throw e;
      }
      for (BsonDocument each : indexes) {
        drop(copy, each.getString("name").getValue());
      }
      run(copy, command);
    }
  }

  private void drop(CollectionInfo copy, String name) throws ToolException {
    try {
      run(
          copy,
          new BsonDocument("dropIndexes", new BsonString(copy.name()))
              .append("index", new BsonString(name)));
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != INDEX_NOT_FOUND) {
        throw e;
      }
    }
  }

  private void run(CollectionInfo copy, BsonDocument command) throws ToolException {
    fence.check();
    target.database(copy.database()).runCommand(command);
  }
}
