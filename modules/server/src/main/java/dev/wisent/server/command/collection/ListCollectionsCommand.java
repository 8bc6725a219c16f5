package dev.wisent.server.command.collection;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.cursor.CursorArgument;
import dev.wisent.server.command.cursor.CursorReply;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.privilege.Principal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** {@code listCollections}. */
public final class ListCollectionsCommand implements Command {
  private final Definitions definitions;
  private final VirtualCollections shown;
  private final CursorRegistry cursors;

  public ListCollectionsCommand(
      Definitions definitions, VirtualCollections shown, CursorRegistry cursors) {
    this.shown = shown;
    this.definitions = definitions;
    this.cursors = cursors;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument filter = RawDocument.EMPTY;
    boolean nameOnly = false;
    boolean onlyKnown = false;
    long batchSize = Limits.FIRST_BATCH_DEFAULT;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "filter" -> filter = reader.document();
        case "nameOnly" -> nameOnly = reader.bool();
        case "cursor" -> batchSize = CursorArgument.batchSize(reader);
        case "authorizedCollections" -> onlyKnown = reader.bool();
        default -> reader.unknown();
      }
    }
    MatchExpression matching = MatchParser.parse(filter, QueryContexts.of(context.operation()));
    var entries = new ArrayList<RawDocument>();
    Principal shownTo = onlyKnown ? request.principal() : Principal.UNRESTRICTED;
    List<CollectionInfo> stored =
        definitions.collections(request.database()).stream()
            .filter(each -> knows(shownTo, each.namespace()))
            .toList();
    for (CollectionInfo each : stored) {
      if (!each.isView()) {
        add(each, nameOnly, matching, entries);
      }
    }
    for (Namespace each : shown.in(request.database())) {
      RawDocument whole = entry(each);
      if (knows(shownTo, each)
          && stored.stream().noneMatch(one -> one.namespace().equals(each))
          && matching.matches(whole)) {
        entries.add(nameOnly ? nameEntry(each, "collection") : whole);
      }
    }
    for (CollectionInfo each : stored) {
      if (each.isView()) {
        add(each, nameOnly, matching, entries);
      }
    }
    new CursorReply(cursors, request)
        .first(new ListCursor(entries), batchSize, false, false)
        .write(new Namespace(request.database(), "$cmd.listCollections"), reply);
  }

  private static boolean knows(Principal principal, Namespace namespace) {
    return principal.knows(namespace.database(), namespace.collection());
  }

  private static void add(
      CollectionInfo info, boolean nameOnly, MatchExpression matching, List<RawDocument> entries) {
    RawDocument whole = entry(info);
    if (matching.matches(whole)) {
      entries.add(
          nameOnly ? nameEntry(info.namespace(), info.isView() ? "view" : "collection") : whole);
    }
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

  /** A collection or view as clients see it. */
  static RawDocument entry(CollectionInfo info) {
    var entry = new BsonBuilder();
    entry.appendString("name", info.namespace().collection());
    entry.appendString("type", info.isView() ? "view" : "collection");
    entry.appendDocument("options", info.options());
    entry.startDocument("info");
    entry.appendBoolean("readOnly", info.isView());
    if (!info.isView()) {
      entry.appendUuid("uuid", info.uuid());
    }
    entry.end();
    if (info.idIndex() != null) {
      entry.appendDocument("idIndex", info.idIndex());
    }
    return entry.toDocument();
  }
}
