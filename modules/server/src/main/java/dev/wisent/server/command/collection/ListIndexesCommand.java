package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Collection.BuildingIndex;
import dev.wisent.database.collection.Index;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.command.cursor.CursorArgument;
import dev.wisent.server.command.cursor.CursorReply;
import dev.wisent.server.cursor.CursorRegistry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** {@code listIndexes}. */
public final class ListIndexesCommand implements Command {
  /** What every collection has that is not clustered. */
  static final RawDocument ID_INDEX = RawDocument.parse("{v: 2, key: {_id: 1}, name: '_id_'}");

  private final NodeDatabase database;
  private final ShownCollections shown;
  private final CursorRegistry cursors;

  public ListIndexesCommand(NodeDatabase database, ShownCollections shown, CursorRegistry cursors) {
    this.shown = shown;
    this.database = database;
    this.cursors = cursors;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    long batchSize = Limits.FIRST_BATCH_DEFAULT;
    boolean withUuids = false;
    boolean withInfo = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "cursor" -> batchSize = CursorArgument.batchSize(reader);
        case "includeBuildUUIDs" -> withUuids = reader.bool();
        case "includeIndexBuildInfo" -> withInfo = reader.bool();
        case "collectionUUID" -> reader.uuid();
        default -> reader.unknown();
      }
    }
    if (withUuids && withInfo) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "The includeBuildUUIDs flag and includeBuildIndexInfo flag cannot both be set to true");
    }
    Collection collection = database.collection(namespace);
    if (collection == null && shown.contains(namespace)) {
      RawDocument item =
          withInfo ? new BsonBuilder().appendDocument("spec", ID_INDEX).toDocument() : ID_INDEX;
      write(request, namespace, List.of(item), batchSize, reply);
      return;
    }
    if (collection == null) {
      database.views(namespace).refuse(namespace);
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist: " + namespace);
    }
    // Taken first: one that is done meanwhile is left out below, and is not missed.
    List<BuildingIndex> building = collection.buildingIndexes();
    var items = new ArrayList<RawDocument>();
    var names = new HashSet<String>();
    for (Index index : collection.indexes()) {
      names.add(index.name());
      items.add(withInfo ? item(index.definition()).toDocument() : index.definition().spec());
    }
    for (BuildingIndex index : building) {
      if (names.add(index.definition().name())) {
        items.add(building(index, withUuids, withInfo));
      }
    }
    write(request, namespace, items, batchSize, reply);
  }

  private void write(
      CommandRequest request,
      Namespace namespace,
      List<RawDocument> items,
      long batchSize,
      BsonBuilder reply) {
    new CursorReply(cursors, request)
        .first(new ListCursor(items), batchSize, false, false)
        .write(namespace, reply);
  }

  private static BsonBuilder item(IndexDefinition index) {
    return new BsonBuilder().appendDocument("spec", index.spec());
  }

  /** An index that is being built looks like any other, unless the build is asked for. */
  private static RawDocument building(BuildingIndex index, boolean withUuid, boolean withInfo) {
    if (!withUuid && !withInfo) {
      return index.definition().spec();
    }
    BsonBuilder item = item(index.definition());
    if (withInfo) {
      item.startDocument("indexBuildInfo");
    }
    item.appendUuid("buildUUID", index.build());
    if (withInfo) {
      item.end();
    }
    return item.toDocument();
  }
}
