package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.diagnostic.CollectionDigest;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.server.HostNames;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
  private final Diagnostics diagnostics;
  private final IntSupplier port;

  public DbHashCommand(Diagnostics diagnostics, IntSupplier port) {
    this.diagnostics = diagnostics;
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
    List<CollectionDigest> collections = diagnostics.digests(operation, request.database(), asked);
    reply.appendString("host", HostNames.local() + ":" + port.getAsInt());
    MessageDigest all = md5();
    reply.startDocument("collections");
    for (CollectionDigest collection : collections) {
      all.update(collection.md5().getBytes(StandardCharsets.US_ASCII));
      reply.appendString(collection.name(), collection.md5());
    }
    reply.end();
    appendCapped(collections, reply);
    reply.startDocument("uuids");
    collections.forEach(collection -> reply.appendUuid(collection.name(), collection.uuid()));
    reply.end();
    reply.appendString("md5", HexFormat.of().formatHex(all.digest()));
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

  private static void appendCapped(List<CollectionDigest> collections, BsonBuilder reply) {
    reply.startArray("capped");
    int position = 0;
    for (CollectionDigest collection : collections) {
      if (collection.capped()) {
        reply.appendString(Integer.toString(position++), collection.name());
      }
    }
    reply.end();
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
