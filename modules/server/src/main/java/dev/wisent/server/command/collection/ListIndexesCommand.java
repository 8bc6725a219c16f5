package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.command.cursor.CursorArgument;
import dev.wisent.server.command.cursor.CursorReply;
import dev.wisent.server.cursor.CursorRegistry;
import java.util.ArrayList;
import java.util.List;

/** {@code listIndexes}. */
public final class ListIndexesCommand implements Command {
  /** What every collection has that is not clustered. */
  static final RawDocument ID_INDEX = RawDocument.parse("{v: 2, key: {_id: 1}, name: '_id_'}");

  private final Definitions definitions;
  private final VirtualCollections shown;
  private final CursorRegistry cursors;

  public ListIndexesCommand(
      Definitions definitions, VirtualCollections shown, CursorRegistry cursors) {
    this.shown = shown;
    this.definitions = definitions;
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
    CollectionInfo found = definitions.find(namespace);
    if ((found == null || found.isView()) && shown.contains(namespace)) {
      RawDocument item =
          withInfo ? new BsonBuilder().appendDocument("spec", ID_INDEX).toDocument() : ID_INDEX;
      write(request, namespace, List.of(item), batchSize, reply);
      return;
    }
    List<IndexInfo> indexes = definitions.indexes(namespace);
    if (indexes == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist: " + namespace);
    }
    var items = new ArrayList<RawDocument>();
    for (IndexInfo index : indexes) {
      items.add(item(index, withUuids, withInfo));
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

  /** An index that is being built looks like any other, unless the build is asked for. */
  private static RawDocument item(IndexInfo index, boolean withUuid, boolean withInfo) {
    boolean withBuild = index.build() != null && (withUuid || withInfo);
    if (!withInfo && !withBuild) {
      return index.spec();
    }
    BsonBuilder item = new BsonBuilder().appendDocument("spec", index.spec());
    if (withBuild && withInfo) {
      item.startDocument("indexBuildInfo").appendUuid("buildUUID", index.build()).end();
    } else if (withBuild) {
      item.appendUuid("buildUUID", index.build());
    }
    return item.toDocument();
  }
}
