package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.server.HostNames;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * {@code dbHash}: what a database contains, as a number that is the same on every member that has
 * the same documents. Each collection is read as of one moment, but not all as of the same one.
 */
public final class DbHashCommand implements Command {
  /** System collections that belong to the data; the others belong to the node. */
  private static final Set<String> SYSTEM =
      Set.of(
          "system.backup_users",
          "system.js",
          "system.new_users",
          "system.roles",
          "system.users",
          "system.version",
          "system.views");

  private static final RawDocument BY_ID = RawDocument.parse("{_id: 1}");

  private final NodeDatabase database;
  private final IntSupplier port;

  public DbHashCommand(NodeDatabase database, IntSupplier port) {
    this.database = database;
    this.port = port;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Set<String> asked = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "collections" -> asked = names(reader);
        case "$_internalReadAtClusterTime" ->
            throw new CommandException(
                ErrorCode.NOT_IMPLEMENTED, reader.path() + " is not supported yet");
        default -> reader.unknown();
      }
    }
    OperationContext operation = context.operation();
    long start = operation.clock().monotonicNanos();
    List<Collection> collections = collections(request.database(), asked);
    reply.appendString("host", HostNames.local() + ":" + port.getAsInt());
    MessageDigest all = md5();
    reply.startDocument("collections");
    for (Collection collection : collections) {
      String hash = hash(collection, operation);
      all.update(hash.getBytes(StandardCharsets.US_ASCII));
      reply.appendString(collection.namespace().collection(), hash);
    }
    reply.end();
    appendCapped(collections, reply);
    reply.startDocument("uuids");
    for (Collection collection : collections) {
      collection.definition().appendUuid(collection.namespace().collection(), reply);
    }
    reply.end();
    reply.appendString("md5", hex(all));
    long nanos = operation.clock().monotonicNanos() - start;
    reply.appendInt32("timeMillis", (int) TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private static Set<String> names(ArgumentReader reader) {
    Set<String> names = new HashSet<>();
    ElementCursor elements = ArgumentTypes.array(reader.path(), reader.value()).elements();
    while (elements.next()) {
      names.add(ArgumentTypes.string(reader.path() + "." + elements.name(), elements.value()));
    }
    return names;
  }

  private List<Collection> collections(String name, Set<String> asked) {
    return database.inDatabase(name).stream()
        .filter(collection -> isData(collection.namespace()))
        .filter(collection -> asked == null || asked.contains(collection.namespace().collection()))
        .sorted(Comparator.comparing(collection -> collection.namespace().collection()))
        .toList();
  }

  private static boolean isData(Namespace namespace) {
    return namespace.isReplicated()
        && (!namespace.isSystem() || SYSTEM.contains(namespace.collection()));
  }

  private static void appendCapped(List<Collection> collections, BsonBuilder reply) {
    reply.startArray("capped");
    int position = 0;
    for (Collection collection : collections) {
      if (collection.definition().isCapped()) {
        reply.appendString(Integer.toString(position++), collection.namespace().collection());
      }
    }
    reply.end();
  }

  private String hash(Collection collection, OperationContext operation) {
    MessageDigest digest = md5();
    boolean capped = collection.definition().isCapped();
    var request =
        new FindRequest(
            collection.namespace(),
            RawDocument.EMPTY,
            RawDocument.EMPTY,
            capped ? RawDocument.EMPTY : BY_ID,
            null,
            0,
            0,
            null,
            null,
            false,
            false,
            Tailing.NONE);
    try (ResultCursor documents = database.find(operation, request)) {
      while (documents.peek() != null) {
        operation.checkInterrupt();
        RawDocument document = documents.peek();
        digest.update(document.bytes(), document.offset(), document.length());
        documents.take();
      }
    }
    return hex(digest);
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  private static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
