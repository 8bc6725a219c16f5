package dev.wisent.server.command.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.diagnostic.ShapeRequest;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;

/**
 * The arguments by which a query shape is named: a query of that shape, and its sort, projection
 * and collation.
 *
 * @param query null if none was given
 * @param indexes the argument of planCacheSetFilter; null if there is none
 */
record ShapeArguments(
    RawDocument query,
    RawDocument sort,
    RawDocument projection,
    CollationChoice collation,
    RawValue indexes) {
  static ShapeArguments parse(CommandRequest request) {
    RawDocument query = null;
    RawDocument sort = null;
    RawDocument projection = null;
    RawDocument collation = null;
    RawValue indexes = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "query" -> query = document(reader, "required");
        case "sort" -> sort = document(reader, "optional");
        case "projection" -> projection = document(reader, "optional");
        case "collation" -> collation = document(reader, "optional");
        case "indexes" -> {
          if (!request.name().equals("planCacheSetFilter")) {
            reader.unknown();
          }
          indexes = reader.value();
        }
        default -> reader.unknown();
      }
    }
    if (query == null && (sort != null || projection != null || collation != null)) {
      throw badValue("sort, projection, or collation provided without query");
    }
    return new ShapeArguments(
        query, orEmpty(sort), orEmpty(projection), CollationChoice.of(orEmpty(collation)), indexes);
  }

  private static RawDocument document(ArgumentReader reader, String need) {
    if (!reader.value().isDocument()) {
      throw badValue(need + " field " + reader.name() + " must be an object");
    }
    return reader.value().asDocument();
  }

  private static RawDocument orEmpty(RawDocument document) {
    return document == null ? RawDocument.EMPTY : document.detached();
  }

  ShapeRequest shape(CommandRequest request) {
    return new ShapeRequest(NamespaceArgument.of(request), query, sort, projection, collation);
  }

  static CommandException badValue(String problem) {
    return new CommandException(ErrorCode.BAD_VALUE, problem);
  }
}
