package dev.wisent.server.command;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import java.nio.charset.StandardCharsets;

/** The arguments that any command may carry beside its own. */
enum GenericArgument {
  DB("$db"),
  LSID("lsid"),
  TXN_NUMBER("txnNumber"),
  START_TRANSACTION("startTransaction"),
  AUTOCOMMIT("autocommit"),
  MAX_TIME_MS("maxTimeMS"),
  READ_CONCERN("readConcern"),
  WRITE_CONCERN("writeConcern"),
  COMMENT("comment"),
  API_VERSION("apiVersion"),
  API_STRICT("apiStrict"),
  API_DEPRECATION_ERRORS("apiDeprecationErrors"),
  STMT_ID("stmtId"),
  HELP("help"),
  READ_PREFERENCE("$readPreference"),
  CLUSTER_TIME("$clusterTime"),
  SHARD_VERSION("shardVersion"),
  DATABASE_VERSION("databaseVersion"),
  ROUTING("routing"),
  IGNORED("");

  private static final GenericArgument[] NAMED = {
    DB,
    LSID,
    TXN_NUMBER,
    START_TRANSACTION,
    AUTOCOMMIT,
    MAX_TIME_MS,
    READ_CONCERN,
    WRITE_CONCERN,
    COMMENT,
    API_VERSION,
    API_STRICT,
    API_DEPRECATION_ERRORS,
    STMT_ID,
    HELP,
    READ_PREFERENCE,
    CLUSTER_TIME,
    SHARD_VERSION,
    DATABASE_VERSION,
    ROUTING
  };

  /**
   * Arguments without an effect on a single node: they steer routing, replication or deprecation
   * warnings, and every server accepts them.
   */
  private static final byte[][] WITHOUT_EFFECT = {
    utf8("clientOperationKey"),
    utf8("coordinator"),
    utf8("$audit"),
    utf8("$client"),
    utf8("$configServerState"),
    utf8("$oplogQueryData"),
    utf8("$replData"),
    utf8("$queryOptions"),
    utf8("rawData"),
  };

  private final byte[] utf8Name;

  GenericArgument(String name) {
    this.utf8Name = utf8(name);
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether it says something about the operation, and not only about who sends it and how. */
  boolean concernsTheOperation() {
    return switch (this) {
      case MAX_TIME_MS, READ_CONCERN, WRITE_CONCERN, COMMENT -> true;
      case DB,
          LSID,
          TXN_NUMBER,
          START_TRANSACTION,
          AUTOCOMMIT,
          API_VERSION,
          API_STRICT,
          API_DEPRECATION_ERRORS,
          STMT_ID,
          HELP,
          READ_PREFERENCE,
          CLUSTER_TIME,
          SHARD_VERSION,
          DATABASE_VERSION,
          ROUTING,
          IGNORED ->
          false;
    };
  }

  /** A command without what only concerns its transport. */
  static RawDocument withoutTransport(RawDocument body, String database) {
    var out = new BsonBuilder(body.length() + 16);
    ElementCursor fields = body.elements();
    while (fields.next()) {
      GenericArgument argument = at(fields);
      if (argument == null || argument.concernsTheOperation()) {
        out.appendElement(fields);
      }
    }
    return out.appendString("$db", database).toDocument();
  }

  /** The generic argument that a field is; null for a field of the command's own. */
  static GenericArgument at(ElementCursor field) {
    for (GenericArgument argument : NAMED) {
      if (field.nameEquals(argument.utf8Name)) {
        return argument;
      }
    }
    for (byte[] name : WITHOUT_EFFECT) {
      if (field.nameEquals(name)) {
        return IGNORED;
      }
    }
    return null;
  }
}
