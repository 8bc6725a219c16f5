package dev.wisent.sharding.advice;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;

/**
 * A query of an application.
 *
 * @param collation empty for that of the collection
 * @param let its variables, empty for none
 * @param multi whether it is a write of all documents that match
 */
public record SampledQuery(
    Kind kind, RawDocument filter, RawDocument collation, RawDocument let, boolean multi) {
  /** By the name of the command. */
  public enum Kind {
    FIND("find"),
    AGGREGATE("aggregate"),
    COUNT("count"),
    DISTINCT("distinct"),
    UPDATE("update"),
    DELETE("delete"),
    FIND_AND_MODIFY("findAndModify");

    private final String command;

    Kind(String command) {
      this.command = command;
    }

    public String command() {
      return command;
    }

    public boolean isWrite() {
      return this == UPDATE || this == DELETE || this == FIND_AND_MODIFY;
    }

    /** Null for a command without a filter. */
    public static Kind of(String command) {
      for (Kind kind : values()) {
        if (kind.command.equalsIgnoreCase(command)) {
          return kind;
        }
      }
      return null;
    }
  }

  public static SampledQuery read(Kind kind, RawDocument filter) {
    return new SampledQuery(kind, filter, RawDocument.EMPTY, RawDocument.EMPTY, false);
  }

  public static SampledQuery write(Kind kind, RawDocument filter, boolean multi) {
    return new SampledQuery(kind, filter, RawDocument.EMPTY, RawDocument.EMPTY, multi);
  }

  /** From a document of {@code config.sampledQueries}; none where it is of another form. */
  public static List<SampledQuery> ofSample(RawDocument sample) {
    RawValue name = sample.get("cmdName");
    RawValue command = sample.get("cmd");
    if (name == null || !name.isString() || command == null || !command.isDocument()) {
      return List.of();
    }
    Kind kind = Kind.of(name.asString());
    if (kind == null) {
      return List.of();
    }
    RawDocument arguments = command.asDocument();
    return kind.isWrite()
        ? ofCommand(kind, arguments)
        : List.of(of(kind, arguments, "filter", document(arguments, "let"), false));
  }

  /** The queries of a command as a client sends it, or as a profile has it. */
  public static List<SampledQuery> ofCommand(Kind kind, RawDocument command) {
    RawDocument let = document(command, "let");
    return switch (kind) {
      case FIND -> List.of(of(kind, command, "filter", let, false));
      case COUNT, DISTINCT, FIND_AND_MODIFY -> List.of(of(kind, command, "query", let, false));
      case AGGREGATE -> List.of(ofPipeline(command, let));
      case UPDATE -> ofStatements(kind, command, "updates", let);
      case DELETE -> ofStatements(kind, command, "deletes", let);
    };
  }

  private static SampledQuery of(
      Kind kind, RawDocument fields, String filter, RawDocument let, boolean multi) {
    return new SampledQuery(
        kind, document(fields, filter), document(fields, "collation"), let, multi);
  }

  /** Only a condition that comes first decides which shards are asked. */
  private static SampledQuery ofPipeline(RawDocument command, RawDocument let) {
    return new SampledQuery(
        Kind.AGGREGATE, firstMatch(command), document(command, "collation"), let, false);
  }

  /** The filter that a pipeline begins with; empty where it begins otherwise. */
  public static RawDocument firstMatch(RawDocument command) {
    RawValue pipeline = command.get("pipeline");
    if (pipeline == null || !pipeline.isArray()) {
      return RawDocument.EMPTY;
    }
    ElementCursor stages = pipeline.elements();
    return stages.next() && stages.value().isDocument()
        ? document(stages.value().asDocument(), "$match")
        : RawDocument.EMPTY;
  }

  private static List<SampledQuery> ofStatements(
      Kind kind, RawDocument command, String field, RawDocument let) {
    RawValue statements = command.get(field);
    var queries = new ArrayList<SampledQuery>();
    if (statements != null && statements.isArray()) {
      for (ElementCursor each = statements.elements(); each.next(); ) {
        if (each.value().isDocument()) {
          RawDocument statement = each.value().asDocument();
          queries.add(of(kind, statement, "q", let, isMulti(kind, statement)));
        }
      }
    }
    return queries;
  }

  private static boolean isMulti(Kind kind, RawDocument statement) {
    RawValue flag = statement.get(kind == Kind.UPDATE ? "multi" : "limit");
    return kind == Kind.UPDATE ? flag != null && flag.isTruthy() : flag == null || !flag.isTruthy();
  }

  private static RawDocument document(RawDocument fields, String name) {
    RawValue value = fields.get(name);
    return value != null && value.isDocument() ? value.asDocument().detached() : RawDocument.EMPTY;
  }
}
