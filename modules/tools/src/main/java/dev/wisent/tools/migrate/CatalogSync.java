package dev.wisent.tools.migrate;

import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;

/**
 * Brings collections and views of the target in line with those that the source has now, whatever
 * happened in between: it compares both sides, and repeats no commands. Looked at by the threads
 * that copy, changed by one.
 */
final class CatalogSync {
  private static final String TEMPORARY = ".wisent_migrate_";

  private final Deployment source;
  private final MigrateSettings settings;
  private final MigrationState state;
  private final TargetCatalog target;
  private final ViewSync views;
  private final Map<BsonBinary, MovedCollection> moved = new ConcurrentHashMap<>();
  private final Map<BsonBinary, CollectionInfo> sources = new ConcurrentHashMap<>();
  private volatile BsonTimestamp time = new BsonTimestamp(0);

  CatalogSync(
      Deployment source, TargetCatalog target, MigrateSettings settings, MigrationState state) {
    this.source = source;
    this.target = target;
    this.settings = settings;
    this.state = state;
    this.views = new ViewSync(target, state);
    state.collections().forEach(each -> moved.put(each.source(), each));
  }

  /** All collections that are moved. */
  Collection<MovedCollection> moved() {
    return List.copyOf(moved.values());
  }

  Optional<MovedCollection> find(BsonBinary uuid) {
    return Optional.ofNullable(moved.get(uuid));
  }

  /** What the source had under a UUID when it was last looked at; null if it was dropped. */
  CollectionInfo sourceOf(BsonBinary uuid) {
    return sources.get(uuid);
  }

  /** A cluster time at which the source had its collections under these names. */
  BsonTimestamp time() {
    return time;
  }

  CollectionInfo copyOf(MovedCollection collection) {
    return target.find(collection.target());
  }

  CopyWriter writer(MovedCollection collection, CollectionInfo info) {
    return target.writer(copyOf(collection), info.isCapped());
  }

  /** Whether the copy may have documents of an earlier run on other shards than they belong to. */
  boolean mayHaveOnOtherShards(MovedCollection collection) {
    return collection.adopted() && target.isRouter() && !target.isEmpty(copyOf(collection));
  }

  void store(MovedCollection changed) throws ToolException {
    state.store(changed);
    moved.put(changed.source(), changed);
  }

  /** Fails before anything is written if the target has what is in the way. */
  void checkFree() throws ToolException {
    List<CollectionInfo> sourceViews = read();
    for (CollectionInfo info : sources.values()) {
      MovedCollection known = moved.get(info.uuid());
      CollectionInfo there = unowned(info.namespace());
      if (known == null && there != null && !isAdopted(info, there)) {
        checkMayDrop(there);
      }
    }
    for (CollectionInfo view : sourceViews) {
      CollectionInfo there = unowned(view.namespace());
      if (there != null && !views.isOurs(there)) {
        checkMayDrop(there);
      }
    }
  }

  /** Compares both sides and repairs the target. */
  void sync() throws ToolException {
    List<CollectionInfo> sourceViews = read();
    views.dropGone(sourceViews);
    dropGone();
    rename();
    for (CollectionInfo info : List.copyOf(sources.values())) {
      MovedCollection known = moved.get(info.uuid());
      if (known == null || known.target() == null) {
        create(info, known);
      } else if (target.find(known.target()) == null && !known.copied()) {
        // A run was killed after it had dropped the copy, to make another.
        forget(known);
        create(info, null);
      } else if (target.find(known.target()) == null) {
        throw ToolException.failed(
            "the copy of %s is not in the target any more; --restart begins anew".formatted(info));
      } else if (!known.options().equals(MovedCollection.text(info.creation()))) {
        modify(info, known);
      }
    }
    for (CollectionInfo view : views.missing(sourceViews)) {
      CollectionInfo there = unowned(view.namespace());
      if (there != null) {
        checkMayDrop(there);
        target.drop(there);
      }
      views.create(view);
    }
    // Events that came before collections were known are not noted: these are in what is read.
    time = SourceTime.now(source);
  }

  /** Lists both sides, and returns the views of the source. */
  private List<CollectionInfo> read() throws ToolException {
    target.read();
    return readSource();
  }

  private synchronized List<CollectionInfo> readSource() throws ToolException {
    Map<BsonBinary, CollectionInfo> found = new HashMap<>();
    List<CollectionInfo> sourceViews = new ArrayList<>();
    for (CollectionInfo info : CollectionInfo.list(source, settings::wants)) {
      if (info.isTimeseries()) {
        throw ToolException.failed(
            "%s is a time-series collection, which cannot be moved; leave it out by --nsExclude"
                .formatted(info));
      }
      if (info.isView()) {
        sourceViews.add(info);
      } else if (info.uuid() == null) {
        throw ToolException.failed("the source shows no UUID of " + info);
      } else {
        found.put(info.uuid(), info);
      }
    }
    sources.keySet().retainAll(found.keySet());
    sources.putAll(found);
    time = SourceTime.now(source);
    return sourceViews;
  }

  /** What is in the target under a name, and is no copy of this migration; null for nothing. */
  private CollectionInfo unowned(String namespace) {
    CollectionInfo there = target.named(namespace).orElse(null);
    boolean owned =
        there != null
            && there.uuid() != null
            && moved.values().stream().anyMatch(each -> there.uuid().equals(each.target()));
    return owned ? null : there;
  }

  private void checkMayDrop(CollectionInfo there) throws ToolException {
    if (!settings.drop()) {
      throw ToolException.failed(
          "the target has %s already, which is not of this migration; --drop drops it"
              .formatted(there));
    }
  }

  /** A collection that is empty stays: it may have been sharded for the migration. */
  private boolean isAdopted(CollectionInfo info, CollectionInfo there) throws ToolException {
    if (there.isView() || !target.isEmpty(there)) {
      return false;
    }
    if (CollectionOptions.adoption(there, info).isPresent()) {
      return true;
    }
    if (!settings.drop()) {
      throw ToolException.failed(
          "the target has %s already, which is empty, with options that cannot be made those of"
                  .formatted(there)
              + " the source: %s, and not %s; --drop drops it"
                  .formatted(
                      MovedCollection.text(there.creation()),
                      MovedCollection.text(info.creation())));
    }
    return false;
  }

  private void adopt(CollectionInfo info, CollectionInfo there, MovedCollection begun)
      throws ToolException {
    BsonDocument command = CollectionOptions.adoption(there, info).orElseThrow();
    if (command.size() > 1) {
      target.run(there, command);
    }
    store(begun.adoptedAs(there.uuid()));
  }

  private void dropGone() throws ToolException {
    for (MovedCollection each : moved()) {
      if (!sources.containsKey(each.source())) {
        CollectionInfo copy = each.target() == null ? unowned(each.namespace()) : copyOf(each);
        if (copy != null) {
          target.drop(copy);
        }
        forget(each);
      }
    }
  }

  private void forget(MovedCollection gone) throws ToolException {
    state.forget(gone.source());
    moved.remove(gone.source());
  }

  /** Names may have been exchanged: what is in the way gets another name for a moment. */
  private void rename() throws ToolException {
    boolean more = true;
    while (more) {
      more = false;
      for (MovedCollection each : moved()) {
        CollectionInfo copy = copyOf(each);
        String wanted = sources.get(each.source()).namespace();
        if (copy == null || copy.namespace().equals(wanted)) {
          continue;
        }
        CollectionInfo there = target.named(wanted).orElse(null);
        if (there != null && unowned(wanted) != null) {
          if (there.isView() || !target.isEmpty(there)) {
            checkMayDrop(there);
          }
          target.drop(there);
        } else if (there != null) {
          target.rename(there, there.database() + "." + temporary(there));
          more = true;
        }
        target.rename(copy, wanted);
      }
    }
  }

  private static String temporary(CollectionInfo info) {
    return "tmp" + TEMPORARY + Integer.toHexString(info.uuid().hashCode());
  }

  private void create(CollectionInfo info, MovedCollection known) throws ToolException {
    MovedCollection begun = MovedCollection.begun(info);
    // A run that was killed may have created it, under the name of then.
    CollectionInfo there = known == null ? null : unowned(known.namespace());
    if (there == null) {
      there = unowned(info.namespace());
      if (there != null && isAdopted(info, there)) {
        adopt(info, there, begun);
        return;
      }
      if (there != null) {
        checkMayDrop(there);
        target.drop(there);
        there = null;
      }
      store(begun);
    }
    if (there == null) {
      BsonDocument options = info.creation();
      // Until the end the source alone says what has expired.
      options.remove(CollectionOptions.LIFETIME);
      there = target.create(info, options);
    }
    store(begun.createdAs(there.uuid()));
    if (!there.namespace().equals(info.namespace())) {
      rename();
    }
  }

  private void modify(CollectionInfo info, MovedCollection known) throws ToolException {
    CollectionInfo copy = copyOf(known);
    Optional<BsonDocument> command =
        CollectionOptions.change(copy.name(), BsonDocument.parse(known.options()), info.creation());
    if (command.isEmpty()) {
      // Such as a collection that has become a capped one.
      store(known.notCopied());
      target.drop(copy);
      forget(known);
      create(info, null);
      return;
    }
    if (command.get().size() > 1) {
      target.run(copy, command.get());
    }
    store(known.withOptions(info.creation()));
  }

  /**
   * Whether the source has a collection under its name still: then what was read under that name
   * was of this collection.
   */
  boolean isWhereItWas(CollectionInfo info) {
    return CollectionInfo.named(source, info.database(), info.name()).stream()
        .anyMatch(each -> info.uuid().equals(each.uuid()));
  }

  /** Forgets a copy whose documents are not those of the collection alone. */
  void reset(MovedCollection wrong) throws ToolException {
    MovedCollection known = moved.get(wrong.source()).notCopied();
    store(known);
    CollectionInfo copy = copyOf(known);
    if (known.adopted() && !copy.isCapped()) {
      target.clear(copy);
    } else {
      target.drop(copy);
      forget(known);
    }
  }

  /** Looks where the collections of the source are now. */
  void findAgain() throws ToolException {
    readSource();
  }
}
