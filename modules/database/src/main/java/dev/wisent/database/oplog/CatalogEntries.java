package dev.wisent.database.oplog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.MutationBuilder;
import java.util.function.Consumer;

/**
 * Adds to mutations that change definitions what the oplog says of them: the command that has the
 * same effect. Nothing is added where no oplog is kept.
 */
public final class CatalogEntries {
  private static final String FROM_MIGRATE = "fromMigrate";

  private final boolean kept;
  private final boolean migration;

  public CatalogEntries(CommitLog log) {
    this(log.keepsOplog(), false);
  }

  private CatalogEntries(boolean kept, boolean migration) {
    this.kept = kept;
    this.migration = migration;
  }

  /**
   * The same for what an operation does. Of a change that several shards make, one of them tells
   * change streams; the entries of the others are marked as those of migrations are.
   */
  public CatalogEntries of(OperationContext operation) {
    return OperationState.isOfMigration(operation) ? new CatalogEntries(kept, true) : this;
  }

  public void created(CollectionDefinition created, MutationBuilder mutation) {
    add(
        created,
        mutation,
        command -> {
          command.appendString("create", created.namespace().collection());
          command.appendAll(created.options());
          if (!created.isClustered()) {
            command.appendDocument("idIndex", created.indexes().getFirst().spec());
          }
        },
        null);
  }

  /**
   * @param documents how many documents go with it
   */
  public void dropped(CollectionDefinition dropped, long documents, MutationBuilder mutation) {
    add(
        dropped,
        mutation,
        command -> command.appendString("drop", dropped.namespace().collection()),
        old -> appendCount(documents, old));
  }

  /**
   * @param replaced the collection that goes in the same step, with so many documents; null if none
   */
  public void renamed(
      CollectionDefinition before,
      Namespace to,
      CollectionDefinition replaced,
      long documents,
      MutationBuilder mutation) {
    add(
        before,
        mutation,
        command -> {
          command.appendString("renameCollection", before.namespace().full());
          command.appendString("to", to.full());
          command.appendBoolean("stayTemp", false);
          if (replaced != null) {
            replaced.appendUuid("dropTarget", command);
          }
        },
        replaced == null ? null : old -> appendCount(documents, old));
  }

  /**
   * Says how a definition has changed: indexes that came and went, then everything else. A {@code
   * collMod} changes one index at most, in the same entry as the options.
   */
  public void changed(
      CollectionDefinition before, CollectionDefinition after, MutationBuilder mutation) {
    String name = before.namespace().collection();
    for (IndexDefinition index : before.indexes()) {
      if (after.index(index.name()).isEmpty()) {
        add(
            before,
            mutation,
            command ->
                command.appendString("dropIndexes", name).appendString("index", index.name()),
            old -> old.appendAll(index.spec()));
      }
    }
    boolean optionsChanged = !before.options().equals(after.options());
    for (IndexDefinition index : after.indexes()) {
      IndexDefinition old = before.index(index.name()).orElse(null);
      if (old == null) {
        add(
            before,
            mutation,
            command -> command.appendString("createIndexes", name).appendAll(index.spec()),
            null);
      } else if (!old.spec().equals(index.spec())) {
        modified(before, optionsChanged ? after : before, old, index, mutation);
        optionsChanged = false;
      }
    }
    if (optionsChanged) {
      modified(before, after, null, null, mutation);
    }
  }

  /**
   * @param oldIndex null if no index has changed
   */
  private void modified(
      CollectionDefinition before,
      CollectionDefinition after,
      IndexDefinition oldIndex,
      IndexDefinition newIndex,
      MutationBuilder mutation) {
    add(
        before,
        mutation,
        command -> {
          command.appendString("collMod", before.namespace().collection());
          if (oldIndex != null) {
            command.startDocument("index").appendString("name", newIndex.name());
            CollectionModification.append(oldIndex.spec(), newIndex.spec(), command);
            command.end();
          }
          CollectionModification.append(before.options(), after.options(), command);
        },
        old -> {
          appendOptions(before, old);
          if (oldIndex != null) {
            old.startDocument("indexOptions_old");
            CollectionModification.append(newIndex.spec(), oldIndex.spec(), old);
            old.end();
          }
        });
  }

  private static void appendCount(long documents, BsonBuilder old) {
    old.appendInt64("numRecords", documents);
  }

  private static void appendOptions(CollectionDefinition collection, BsonBuilder old) {
    old.startDocument("collectionOptions_old");
    collection.appendUuid("uuid", old);
    old.appendAll(collection.options());
    old.end();
  }

  /**
   * @param old what the command does not say and an undo would need; null for nothing
   */
  private void add(
      CollectionDefinition collection,
      MutationBuilder mutation,
      Consumer<BsonBuilder> command,
      Consumer<BsonBuilder> old) {
    if (!kept || !collection.namespace().isReplicated()) {
      return;
    }
    BsonBuilder entry = begin(collection.namespace().database());
    collection.appendUuid("ui", entry);
    if (migration) {
      entry.appendBoolean(FROM_MIGRATE, true);
    }
    entry.startDocument("o");
    command.accept(entry);
    entry.end();
    if (old != null) {
      entry.startDocument("o2");
      old.accept(entry);
      entry.end();
    }
    mutation.oplogEntry(entry.toDocument().bytes());
  }

  private static BsonBuilder begin(String database) {
    return new BsonBuilder().appendString("op", "c").appendString("ns", database + ".$cmd");
  }

  /**
   * @param migration whether another shard tells change streams
   */
  static byte[] databaseDropped(String database, boolean migration) {
    BsonBuilder entry = begin(database);
    if (migration) {
      entry.appendBoolean(FROM_MIGRATE, true);
    }
    entry.startDocument("o").appendInt32("dropDatabase", 1).end();
    return entry.toDocument().bytes();
  }

  /** What {@code collMod} would have to be given. */
  private static final class CollectionModification {
    static void append(RawDocument before, RawDocument after, BsonBuilder command) {
      ElementCursor options = after.elements();
      while (options.next()) {
        RawValue old = before.get(options.name());
        if (!options.value().equals(old)) {
          command.append(argument(options.name()), options.value());
        }
      }
      ElementCursor gone = before.elements();
      while (gone.next()) {
        if (after.get(gone.name()) == null) {
          switch (gone.name()) {
            case "expireAfterSeconds" -> command.appendString("expireAfterSeconds", "off");
            case "changeStreamPreAndPostImages" ->
                command.startDocument(gone.name()).appendBoolean("enabled", false).end();
            case "hidden", "unique", "prepareUnique" -> command.appendBoolean(gone.name(), false);
            default -> {}
          }
        }
      }
    }

    private static String argument(String option) {
      return switch (option) {
        case "size" -> "cappedSize";
        case "max" -> "cappedMax";
        default -> option;
      };
    }
  }
}
