package dev.wisent.security.privilege;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.privilege.ResourcePattern.AnyResource;
import dev.wisent.security.privilege.ResourcePattern.Buckets;
import dev.wisent.security.privilege.ResourcePattern.Cluster;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Privileges as commands and roles that are stored write them: {@code {resource: {db, collection},
 * actions: [..]}}.
 */
public final class PrivilegeDocument {
  private static final String CLUSTER = "cluster";
  private static final String ANY_RESOURCE = "anyResource";
  private static final String DB = "db";
  private static final String COLLECTION = "collection";
  private static final String BUCKETS = "system_buckets";

  private PrivilegeDocument() {}

  /**
   * Reads one.
   *
   * @param path names the document in errors
   * @param unknownActions gets the actions that there are not
   */
  public static Grant parse(String path, RawDocument document, Collection<String> unknownActions) {
    RawValue resource = required(path, document, "resource", ElementType.DOCUMENT, "object");
    RawValue actions = required(path, document, "actions", ElementType.ARRAY, "array");
    ResourcePattern pattern = resource(path + ".resource", resource.asDocument());
    if (actions.asDocument().isEmpty()) {
      throw bad("'actions' field of privilege resource must not be empty");
    }
    return new Grant(pattern, actions(path + ".actions", actions, unknownActions));
  }

  private static Set<Action> actions(String path, RawValue array, Collection<String> unknown) {
    EnumSet<Action> actions = EnumSet.noneOf(Action.class);
    for (ElementCursor each = array.elements(); each.next(); ) {
      if (each.type() != ElementType.STRING) {
        throw wrongType(path + "." + each.name(), each.type(), "string");
      }
      String name = each.value().asString();
      Optional<Action> action = Action.of(name);
      action.ifPresentOrElse(actions::add, () -> unknown.add(name));
    }
    return actions.contains(Action.ANY_ACTION) ? EnumSet.allOf(Action.class) : actions;
  }

  private static ResourcePattern resource(String path, RawDocument document) {
    Optional<Boolean> cluster = bool(path, document, CLUSTER);
    Optional<Boolean> any = bool(path, document, ANY_RESOURCE);
    Optional<String> db = string(path, document, DB);
    Optional<String> collection = string(path, document, COLLECTION);
    Optional<String> buckets = string(path, document, BUCKETS);
    if (cluster.isPresent()) {
      requireAlone(CLUSTER, cluster.get(), document, ANY_RESOURCE, DB, COLLECTION, BUCKETS);
      return new Cluster();
    }
    if (any.isPresent()) {
      requireAlone(ANY_RESOURCE, any.get(), document, DB, COLLECTION, BUCKETS);
      return new AnyResource();
    }
    if (collection.isPresent()) {
      if (buckets.isPresent()) {
        throw conflict("collection: '...'", BUCKETS);
      }
      String name = collection.get();
      if (db.isEmpty()) {
        throw bad("resource {collection: '...'} must include 'db' field as well");
      }
      if (!isCollectionName(name)) {
        throw bad("'" + name + "' is not a valid collection name");
      }
      return new Collections(db.get(), name);
    }
    if (buckets.isPresent()) {
      return new Buckets(db.orElse(""), buckets.get());
    }
    throw bad("resource pattern must contain 'collection' or 'systemBuckets' specifier");
  }

  private static void requireAlone(
      String kind, boolean value, RawDocument resource, String... others) {
    if (!value) {
      throw bad("resource: {" + kind + ": false} must be true");
    }
    for (String other : others) {
      if (present(resource, other) != null) {
        throw conflict(kind + ": true", other);
      }
    }
  }

  private static boolean isCollectionName(String name) {
    return name.isEmpty()
        || name.startsWith("oplog.$")
        || (!name.startsWith(".") && name.indexOf('$') < 0 && name.indexOf('\0') < 0);
  }

  private static RawValue present(RawDocument document, String field) {
    RawValue value = document.get(field);
    return value == null || value.isNullish() ? null : value;
  }

  private static RawValue required(
      String path, RawDocument document, String field, byte type, String typeName) {
    RawValue value = present(document, field);
    if (value == null) {
      throw new CommandException(
          ErrorCode.IDL_FAILED_TO_PARSE,
          "BSON field '" + path + "." + field + "' is missing but a required field");
    }
    if (value.type() != type) {
      throw wrongType(path + "." + field, value.type(), typeName);
    }
    return value;
  }

  private static Optional<Boolean> bool(String path, RawDocument document, String field) {
    RawValue value = present(document, field);
    if (value == null) {
      return Optional.empty();
    }
    if (value.type() != ElementType.BOOLEAN && !value.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '%s.%s' is the wrong type '%s', expected types '[bool, long, int, decimal, double]'"
              .formatted(path, field, ElementType.alias(value.type())));
    }
    return Optional.of(value.isTruthy());
  }

  private static Optional<String> string(String path, RawDocument document, String field) {
    RawValue value = present(document, field);
    if (value == null) {
      return Optional.empty();
    }
    if (!value.isString()) {
      throw wrongType(path + "." + field, value.type(), "string");
    }
    return Optional.of(value.asString());
  }

  private static CommandException wrongType(String path, byte actual, String expected) {
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "BSON field '%s' is the wrong type '%s', expected type '%s'"
            .formatted(path, ElementType.alias(actual), expected));
  }

  private static CommandException conflict(String kind, String other) {
    return bad("resource: {" + kind + "} conflicts with resource type '" + other + "'");
  }

  private static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }

  /** Writes an array of privileges. */
  public static void writeAll(String field, List<Grant> grants, BsonBuilder out) {
    out.startArray(field);
    for (int at = 0; at < grants.size(); at++) {
      out.startDocument(at);
      write(grants.get(at), out);
      out.end();
    }
    out.end();
  }

  /** Writes the fields of one. */
  public static void write(Grant grant, BsonBuilder out) {
    out.startDocument("resource");
    writeResource(grant.resource(), out);
    out.end().startArray("actions");
    List<String> names = Action.names(grant.actions());
    for (int at = 0; at < names.size(); at++) {
      out.append(at, RawValue.ofString(names.get(at)));
    }
    out.end();
  }

  private static void writeResource(ResourcePattern resource, BsonBuilder out) {
    switch (resource) {
      case Cluster unused -> out.appendBoolean(CLUSTER, true);
      case AnyResource unused -> out.appendBoolean(ANY_RESOURCE, true);
      case Collections named ->
          out.appendString(DB, named.database()).appendString(COLLECTION, named.collection());
      case Buckets buckets -> {
        if (!buckets.database().isEmpty()) {
          out.appendString(DB, buckets.database());
        }
        out.appendString(BUCKETS, buckets.collection());
      }
    }
  }
}
