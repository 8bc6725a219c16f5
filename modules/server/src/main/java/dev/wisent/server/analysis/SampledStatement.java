package dev.wisent.server.analysis;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.advice.SampledQuery;
import dev.wisent.sharding.advice.SampledQuery.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement of a command that can be a sample.
 *
 * @param arguments of the command where the whole command is the statement, else of the statement
 */
record SampledStatement(
    Namespace namespace, Kind kind, RawDocument arguments, CommandRequest request) {
  private static final List<String> OF_UPDATES =
      List.of("multi", "upsert", "collation", "arrayFilters", "hint");

  /** The statements of a command; none of one that has no filter. */
  static List<SampledStatement> of(String command, CommandRequest request) {
    if (command.equals("bulkWrite")) {
      return ofBulkWrite(request);
    }
    Kind kind = Kind.of(command);
    RawValue name = request.argument();
    if (kind == null
        || !name.isString()
        || !Namespace.isValid(request.database(), name.asString())) {
      return List.of();
    }
    Namespace namespace = Namespace.inCheckedDatabase(request.database(), name.asString());
    return switch (kind) {
      case UPDATE -> each(request.documents("updates"), namespace, kind, request);
      case DELETE -> each(request.documents("deletes"), namespace, kind, request);
      case FIND, AGGREGATE, COUNT, DISTINCT, FIND_AND_MODIFY ->
          List.of(new SampledStatement(namespace, kind, request.body(), request));
    };
  }

  private static List<SampledStatement> each(
      List<RawDocument> statements, Namespace namespace, Kind kind, CommandRequest request) {
    return statements.stream()
        .map(statement -> new SampledStatement(namespace, kind, statement, request))
        .toList();
  }

  /** The operations of a {@code bulkWrite}, as the statements that they are. */
  private static List<SampledStatement> ofBulkWrite(CommandRequest request) {
    List<RawDocument> names = request.documents("nsInfo");
    var statements = new ArrayList<SampledStatement>();
    for (RawDocument operation : request.documents("ops")) {
      RawValue update = operation.get("update");
      RawValue target = update == null ? operation.get("delete") : update;
      RawValue filter = operation.get("filter");
      if (target == null
          || !target.isNumber()
          || target.toLong() < 0
          || target.toLong() >= names.size()
          || filter == null) {
        continue;
      }
      RawValue name = names.get((int) target.toLong()).get("ns");
      if (name == null || !name.isString() || !isNamespace(name.asString())) {
        continue;
      }
      statements.add(
          new SampledStatement(
              Namespace.parse(name.asString()),
              update == null ? Kind.DELETE : Kind.UPDATE,
              statementOf(operation, filter, update != null),
              request));
    }
    return statements;
  }

  private static boolean isNamespace(String name) {
    int dot = name.indexOf('.');
    return dot > 0 && Namespace.isValid(name.substring(0, dot), name.substring(dot + 1));
  }

  private static RawDocument statementOf(RawDocument operation, RawValue filter, boolean update) {
    var statement = new BsonBuilder().append("q", filter);
    RawValue multi = operation.get("multi");
    boolean many = multi != null && multi.isTruthy();
    if (update) {
      if (operation.get("updateMods") != null) {
        statement.append("u", operation.get("updateMods"));
      }
      for (String field : OF_UPDATES) {
        if (operation.get(field) != null) {
          statement.append(field, operation.get(field));
        }
      }
    } else {
      statement.appendInt32("limit", many ? 0 : 1);
    }
    return statement.toDocument();
  }

  /** The field {@code cmd} of a sample: of reads what they look for, of writes all of it. */
  RawDocument command() {
    var out = new BsonBuilder(arguments.length() + 64);
    switch (kind) {
      case UPDATE -> {
        out.appendString("update", namespace.collection());
        out.startArray("updates").appendDocument(0, arguments).end();
        appendLet(out);
      }
      case DELETE -> {
        out.appendString("delete", namespace.collection());
        out.startArray("deletes").appendDocument(0, arguments).end();
        appendLet(out);
      }
      case FIND_AND_MODIFY -> {
        return request.commandDocument();
      }
      case FIND, AGGREGATE, COUNT, DISTINCT -> {
        SampledQuery query = query();
        out.appendDocument("filter", query.filter());
        out.appendDocument("collation", query.collation());
        if (!query.let().isEmpty()) {
          out.appendDocument("let", query.let());
        }
        return out.toDocument();
      }
    }
    return out.appendString("$db", namespace.database()).toDocument();
  }

  private void appendLet(BsonBuilder out) {
    RawValue let = request.body().get("let");
    if (let != null && let.isDocument()) {
      out.append("let", let);
    }
  }

  /** What the statement looks for. */
  private SampledQuery query() {
    return SampledQuery.ofCommand(kind, arguments).getFirst();
  }

  /** The filter of an update of one document, whose change is of interest; null for any other. */
  RawDocument filterOfUpdate() {
    RawValue filter = arguments.get(kind == Kind.FIND_AND_MODIFY ? "query" : "q");
    RawValue change = arguments.get(kind == Kind.FIND_AND_MODIFY ? "update" : "u");
    RawValue multi = arguments.get("multi");
    boolean one = kind == Kind.FIND_AND_MODIFY || (kind == Kind.UPDATE && !isSet(multi));
    if (!one || request.isInTransaction() || change == null) {
      return null;
    }
    return filter != null && filter.isDocument() ? filter.asDocument() : null;
  }

  private static boolean isSet(RawValue flag) {
    return flag != null && flag.isTruthy();
  }

  /** In the collation of the statement. */
  RawDocument collation() {
    RawValue collation = arguments.get("collation");
    return collation != null && collation.isDocument() ? collation.asDocument() : RawDocument.EMPTY;
  }
}
