package dev.wisent.server.command.collection;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.view.ViewDefinition;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.cursor.CursorArgument;
import dev.wisent.server.command.cursor.CursorReply;
import dev.wisent.server.cursor.CursorRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.UUID;

/** {@code listCollections}. */
public final class ListCollectionsCommand implements Command {
  private final NodeDatabase database;
  private final ShownCollections shown;
  private final CursorRegistry cursors;

  public ListCollectionsCommand(
      NodeDatabase database, ShownCollections shown, CursorRegistry cursors) {
    this.shown = shown;
    this.database = database;
    this.cursors = cursors;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument filter = RawDocument.EMPTY;
    boolean nameOnly = false;
    long batchSize = Limits.FIRST_BATCH_DEFAULT;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "filter" -> filter = reader.document();
        case "nameOnly" -> nameOnly = reader.bool();
        case "cursor" -> batchSize = CursorArgument.batchSize(reader);
        case "authorizedCollections" -> reader.bool();
        default -> reader.unknown();
      }
    }
    MatchExpression matching = MatchParser.parse(filter, QueryContexts.of(context.operation()));
    var entries = new ArrayList<RawDocument>();
    for (Collection collection : database.inDatabase(request.database())) {
      RawDocument whole = entry(collection);
      if (matching.matches(whole)) {
        entries.add(nameOnly ? nameEntry(collection.namespace(), "collection") : whole);
      }
    }
    for (Namespace each : shown.in(request.database())) {
      RawDocument whole = entry(each);
      if (database.collection(each) == null && matching.matches(whole)) {
        entries.add(nameOnly ? nameEntry(each, "collection") : whole);
      }
    }
    for (ViewDefinition view : database.viewsIn(request.database())) {
      RawDocument whole = entry(view);
      if (matching.matches(whole)) {
        entries.add(nameOnly ? nameEntry(view.namespace(), "view") : whole);
      }
    }
    new CursorReply(cursors, request)
        .first(new ListCursor(entries), batchSize, false, false)
        .write(new Namespace(request.database(), "$cmd.listCollections"), reply);
  }

  private static RawDocument nameEntry(Namespace namespace, String type) {
    return new BsonBuilder()
        .appendString("name", namespace.collection())
        .appendString("type", type)
        .toDocument();
  }

  /** A collection that is not stored, as clients see it; its UUID is always the same. */
  private static RawDocument entry(Namespace shown) {
    var entry = new BsonBuilder();
    entry.appendString("name", shown.collection());
    entry.appendString("type", "collection");
    entry.startDocument("options").end();
    entry.startDocument("info");
    entry.appendBoolean("readOnly", false);
    UUID uuid = UUID.nameUUIDFromBytes(shown.full().getBytes(StandardCharsets.UTF_8));
    entry.appendUuid("uuid", uuid);
    entry.end();
    entry.appendDocument("idIndex", ListIndexesCommand.ID_INDEX);
    return entry.toDocument();
  }

  /** A view as clients see it. */
  static RawDocument entry(ViewDefinition view) {
    var entry = new BsonBuilder();
    entry.appendString("name", view.namespace().collection());
    entry.appendString("type", "view");
    entry.appendDocument("options", view.options());
    entry.startDocument("info").appendBoolean("readOnly", true).end();
    return entry.toDocument();
  }

  /** A collection as clients see it. */
  static RawDocument entry(Collection collection) {
    var entry = new BsonBuilder();
    entry.appendString("name", collection.namespace().collection());
    entry.appendString("type", "collection");
    entry.appendDocument("options", collection.definition().options());
    entry.startDocument("info");
    entry.appendBoolean("readOnly", false);
    collection.definition().appendUuid("uuid", entry);
    entry.end();
    if (!collection.definition().isClustered() && !collection.isOplog()) {
      entry.appendDocument("idIndex", collection.idIndex().definition().spec());
    }
    return entry.toDocument();
  }
}
