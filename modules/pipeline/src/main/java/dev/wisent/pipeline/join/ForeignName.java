package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;

/**
 * How a stage names another collection.
 *
 * @param database null for that of the pipeline
 * @param collection null where there is none
 */
record ForeignName(String database, String collection) {
  static final ForeignName NONE = new ForeignName(null, null);

  /** Only collections of the server's own may be of another database. */
  static ForeignName parse(String stage, RawValue from) {
    if (from.isString()) {
      return of(stage, from.asString());
    }
    if (!from.isDocument()) {
      throw failed(stage + " 'from' field must be a string, but found " + Values.typeName(from));
    }
    String database = "";
    String collection = "";
    ElementCursor fields = from.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "db" -> database = text(fields);
        case "coll" -> collection = text(fields);
        default ->
            throw new CommandException(
                ErrorCode.IDL_UNKNOWN_FIELD,
                "BSON field 'from." + fields.name() + "' is an unknown field.");
      }
    }
    boolean oplog = database.equals("local") && collection.equals("oplog.rs");
    boolean chunks = database.equals("config") && collection.startsWith("cache.chunks.");
    if (!stage.equals(LookupStage.NAME) || !(oplog || chunks)) {
      throw failed(
          stage
              + " with syntax {from: {db:<>, coll:<>},..} is not supported for db: "
              + database
              + " and coll: "
              + collection);
    }
    return new ForeignName(database, collection);
  }

  /** A collection of the same database. */
  static ForeignName of(String stage, String name) {
    boolean valid =
        !name.isEmpty() && name.charAt(0) != '.' && name.indexOf('$') < 0 && name.indexOf('\0') < 0;
    if (!valid) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "invalid " + stage + " namespace: " + name);
    }
    return new ForeignName(null, name);
  }

  private static String text(ElementCursor field) {
    if (!field.value().isString()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field 'from."
              + field.name()
              + "' is the wrong type '"
              + Values.typeName(field.value())
              + "', expected type 'string'");
    }
    return field.value().asString();
  }

  private static CommandException failed(String message) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, message);
  }
}
