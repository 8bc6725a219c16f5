package dev.wisent.server.command.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.QueryContexts;
import dev.wisent.database.plan.Query;
import dev.wisent.database.plan.QueryShape;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.QueryContext;
import dev.wisent.query.projection.Projection;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/**
 * The arguments by which a query shape is named: a query of that shape, and its sort and
 * projection.
 *
 * @param query null if none was given
 * @param indexes the argument of planCacheSetFilter; null if there is none
 */
record ShapeArguments(
    RawDocument query, RawDocument sort, RawDocument projection, RawValue indexes) {
  static ShapeArguments parse(CommandRequest request) {
    RawDocument query = null;
    RawDocument sort = null;
    RawDocument projection = null;
    RawValue indexes = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "query" -> query = document(reader, "required");
        case "sort" -> sort = document(reader, "optional");
        case "projection" -> projection = document(reader, "optional");
        case "collation" -> refuseCollation(document(reader, "optional"));
        case "indexes" -> {
          if (!request.name().equals("planCacheSetFilter")) {
            reader.unknown();
          }
          indexes = reader.value();
        }
        default -> reader.unknown();
      }
    }
    if (query == null && (sort != null || projection != null)) {
      throw badValue("sort or projection provided without query");
    }
    return new ShapeArguments(query, orEmpty(sort), orEmpty(projection), indexes);
  }

  private static RawDocument document(ArgumentReader reader, String need) {
    if (!reader.value().isDocument()) {
      throw badValue(need + " field " + reader.name() + " must be an object");
    }
    return reader.value().asDocument();
  }

  private static void refuseCollation(RawDocument collation) {
    if (!collation.isEmpty()) {
      throw new CommandException(ErrorCode.NOT_IMPLEMENTED, "collation is not supported yet");
    }
  }

  private static RawDocument orEmpty(RawDocument document) {
    return document == null ? RawDocument.EMPTY : document.detached();
  }

  /** The shape, with its query checked. */
  QueryShape shape(CommandContext context) {
    if (query == null) {
      throw badValue("required field query missing");
    }
    QueryContext world = QueryContexts.of(context.operation());
    Query.parseSort(sort);
    if (!projection.isEmpty()) {
      Projection.parse(projection, query, world);
    }
    return QueryShape.of(MatchParser.parse(query, world), sort, projection);
  }

  static CommandException badValue(String problem) {
    return new CommandException(ErrorCode.BAD_VALUE, problem);
  }
}
