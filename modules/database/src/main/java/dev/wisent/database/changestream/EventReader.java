package dev.wisent.database.changestream;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import java.util.Set;

/** Makes events of changes, as far as they are in the scope of a stream. */
final class EventReader {
  private static final RawValue DIFF_VERSION = RawValue.ofInt32(2);

  private final StreamScope scope;
  private final boolean migrations;

  EventReader(StreamScope scope, ChangeStreamStage stage) {
    this.scope = scope;
    this.migrations = stage.showMigrationEvents();
  }

  /** The event of a change; null if there is none for this stream. */
  ChangeEvent read(OplogChange change) {
    RawDocument operation = change.operation();
    if (!migrations && change.isFromMigration()) {
      return null;
    }
    Namespace namespace = Namespace.parse(EntryFields.string(operation, "ns"));
    String kind = EntryFields.string(operation, "op");
    if (kind.equals("c")) {
      return scope.coversDatabase(namespace) ? ofCommand(change, namespace.database()) : null;
    }
    if (kind.equals("n")) {
      return scope.covers(namespace) ? ShardKeyNotes.event(change, namespace) : null;
    }
    if (scope.coversViews(namespace)) {
      return ofView(change, kind);
    }
    return scope.covers(namespace) ? ofDocument(change, kind, namespace) : null;
  }

  private static ChangeEvent ofDocument(OplogChange change, String kind, Namespace namespace) {
    RawDocument what = EntryFields.document(change.operation(), "o");
    return switch (kind) {
      case "i" -> new ChangeEvent(change, "insert", namespace).of(insertedKey(change)).with(what);
      case "d" -> new ChangeEvent(change, "delete", namespace).of(what);
      case "u" -> {
        RawDocument key = EntryFields.document(change.operation(), "o2");
        yield DIFF_VERSION.equals(what.get("$v"))
            ? new ChangeEvent(change, "update", namespace).of(key).changedBy(what)
            : new ChangeEvent(change, "replace", namespace).of(key).with(what);
      }
      default -> null;
    };
  }

  private static RawDocument insertedKey(OplogChange change) {
    RawDocument key = EntryFields.document(change.operation(), "o2");
    if (key != null) {
      return key;
    }
    var out = new BsonBuilder();
    RawValue id = EntryFields.document(change.operation(), "o").get("_id");
    return id == null ? RawDocument.EMPTY : out.append("_id", id).toDocument();
  }

  private ChangeEvent ofCommand(OplogChange change, String database) {
    RawDocument command = EntryFields.document(change.operation(), "o");
    ElementCursor first = command.elements();
    if (!first.next()) {
      return null;
    }
    return switch (first.name()) {
      case "renameCollection" -> ofRename(change, command);
      case "dropDatabase" ->
          scope.isCollection()
              ? null
              : new ChangeEvent(change, "dropDatabase", new Namespace(database, ""));
      case "drop", "create", "createIndexes", "dropIndexes", "collMod" -> {
        var namespace = new Namespace(database, first.value().asString());
        yield scope.covers(namespace) ? ofDefinition(change, namespace, command) : null;
      }
      default -> null;
    };
  }

  private static ChangeEvent ofDefinition(
      OplogChange change, Namespace namespace, RawDocument command) {
    ElementCursor first = command.elements();
    first.next();
    RawDocument arguments = command.without(Set.of(first.name()));
    RawDocument old = EntryFields.document(change.operation(), "o2");
    return switch (first.name()) {
      case "create" ->
          new ChangeEvent(change, "create", namespace).describedBy(arguments).ofType("collection");
      case "createIndexes" ->
          new ChangeEvent(change, "createIndexes", namespace).describedBy(indexes(arguments));
      case "dropIndexes" ->
          new ChangeEvent(change, "dropIndexes", namespace)
              .describedBy(indexes(old == null ? RawDocument.EMPTY : old));
      case "collMod" ->
          new ChangeEvent(change, "modify", namespace).describedBy(arguments).after(state(old));
      default -> new ChangeEvent(change, "drop", namespace);
    };
  }

  private static RawDocument indexes(RawDocument spec) {
    var out = new BsonBuilder();
    out.startArray("indexes").appendDocument(0, spec).end();
    return out.toDocument();
  }

  private static RawDocument state(RawDocument old) {
    var out = new BsonBuilder();
    if (old != null) {
      append("collectionOptions", old.get("collectionOptions_old"), out);
      append("indexOptions", old.get("indexOptions_old"), out);
    }
    return out.toDocument();
  }

  private static void append(String name, RawValue value, BsonBuilder out) {
    if (value != null) {
      out.append(name, value);
    }
  }

  private ChangeEvent ofRename(OplogChange change, RawDocument command) {
    Namespace from = Namespace.parse(EntryFields.string(command, "renameCollection"));
    Namespace to = Namespace.parse(EntryFields.string(command, "to"));
    if (!scope.covers(from) && !scope.covers(to)) {
      return null;
    }
    var description = new BsonBuilder();
    description.appendDocument("to", EventDocument.namespace(to));
    description.appendAll(command.without(Set.of("renameCollection", "to", "stayTemp")));
    return new ChangeEvent(change, "rename", from)
        .renamedTo(to)
        .describedBy(description.toDocument());
  }

  /** A view is a document of a collection; to clients it is like a collection. */
  private static ChangeEvent ofView(OplogChange change, String kind) {
    RawDocument what = EntryFields.document(change.operation(), "o");
    RawValue name = what.get("_id");
    if (name == null || !name.isString()) {
      return null;
    }
    Namespace view = Namespace.parse(name.asString());
    RawDocument definition = what.without(Set.of("_id"));
    ChangeEvent event =
        switch (kind) {
          case "i" ->
              new ChangeEvent(change, "create", view).describedBy(definition).ofType("view");
          case "u" -> new ChangeEvent(change, "modify", view).describedBy(definition);
          default -> new ChangeEvent(change, "drop", view);
        };
    return event.ofView();
  }
}
