package dev.wisent.cluster.shard;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.DatabaseVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The versions in a request: one for the collection that the command names, or one in each {@code
 * nsInfo} of a {@code bulkWrite}; those of an {@code explain} are for the command inside of it, and
 * those of the output of a pipeline for the collection that it writes to.
 *
 * @param output whether it is a batch of what a pipeline of a router writes
 */
record RoutedRequest(
    Map<Namespace, ChunkVersion> collections,
    Map<String, DatabaseVersion> databases,
    boolean output) {
  private static final String REPLACE = "_shardsvrReplaceCollection";

  /** Null for a request without versions, and for a read that does without their check. */
  static RoutedRequest of(CommandRequest request) {
    RawDocument output = output(request);
    boolean nested =
        request.name().equals("explain") || request.name().equals("bulkWrite") || output != null;
    boolean versioned = request.shardVersion() != null || request.databaseVersion() != null;
    if ((!versioned && !nested) || isAvailableRead(request)) {
      return null;
    }
    var collections = new HashMap<Namespace, ChunkVersion>();
    var databases = new HashMap<String, DatabaseVersion>();
    List<Namespace> names = namespaces(request);
    add(request.shardVersion(), request.databaseVersion(), names, collections, databases);
    if (names.isEmpty() && request.databaseVersion() != null) {
      databases.put(request.database(), VersionArguments.database(request.databaseVersion()));
    }
    RawDocument inner = inner(request);
    if (inner != null) {
      add(
          document(inner, "shardVersion"),
          document(inner, "databaseVersion"),
          names,
          collections,
          databases);
    }
    for (RawDocument info : bulkNamespaces(request)) {
      addFull(info, collections, databases);
    }
    if (output != null) {
      addFull(output, collections, databases);
    }
    boolean whole = output != null || request.name().equals(REPLACE);
    return collections.isEmpty() && databases.isEmpty()
        ? null
        : new RoutedRequest(collections, databases, whole);
  }

  /** Where a pipeline of a router writes to; null for any other request. */
  private static RawDocument output(CommandRequest request) {
    return request.name().equals("aggregate") ? document(request.body(), "outputVersions") : null;
  }

  /** Versions that stand beside the name that they are for. */
  private static void addFull(
      RawDocument info,
      Map<Namespace, ChunkVersion> collections,
      Map<String, DatabaseVersion> databases) {
    RawValue name = info.get("ns");
    if (name != null && name.isString()) {
      add(
          document(info, "shardVersion"),
          document(info, "databaseVersion"),
          List.of(Namespace.parse(name.asString())),
          collections,
          databases);
    }
  }

  private static void add(
      RawDocument shardVersion,
      RawDocument databaseVersion,
      List<Namespace> names,
      Map<Namespace, ChunkVersion> collections,
      Map<String, DatabaseVersion> databases) {
    for (Namespace name : names) {
      if (shardVersion != null) {
        collections.put(name, VersionArguments.collection(shardVersion));
      }
      if (databaseVersion != null) {
        databases.put(name.database(), VersionArguments.database(databaseVersion));
      }
    }
  }

  /** As in MongoDB, a read of what is available asks nothing and gets documents not owned too. */
  private static boolean isAvailableRead(CommandRequest request) {
    RawDocument concern = request.readConcern();
    RawValue level = concern == null ? null : concern.get("level");
    return level != null && level.isString() && level.asString().equals("available");
  }

  /** The collections that a command names. */
  static List<Namespace> namespaces(CommandRequest request) {
    var names = new ArrayList<Namespace>();
    for (RawDocument info : bulkNamespaces(request)) {
      addFull(info.get("ns"), names);
    }
    RawDocument inner = inner(request);
    RawValue argument = inner == null ? request.argument() : first(inner);
    if (argument != null && argument.isString()) {
      if (request.name().equals("renameCollection")) {
        addFull(argument, names);
        addFull(request.body().get("to"), names);
      } else if (request.name().equalsIgnoreCase("dataSize") || request.name().equals(REPLACE)) {
        addFull(argument, names);
      } else {
        names.add(new Namespace(request.database(), argument.asString()));
      }
    }
    return names;
  }

  private static void addFull(RawValue name, List<Namespace> names) {
    if (name != null && name.isString()) {
      names.add(Namespace.parse(name.asString()));
    }
  }

  /** The command inside an explain; null for any other. */
  private static RawDocument inner(CommandRequest request) {
    RawValue argument = request.argument();
    return request.name().equals("explain") && argument.isDocument() ? argument.asDocument() : null;
  }

  private static RawValue first(RawDocument command) {
    ElementCursor fields = command.elements();
    return fields.next() ? fields.value() : null;
  }

  private static List<RawDocument> bulkNamespaces(CommandRequest request) {
    if (!request.name().equals("bulkWrite")) {
      return List.of();
    }
    return request.documents("nsInfo");
  }

  private static RawDocument document(RawDocument in, String field) {
    RawValue value = in.get(field);
    return value != null && value.isDocument() ? value.asDocument() : null;
  }
}
