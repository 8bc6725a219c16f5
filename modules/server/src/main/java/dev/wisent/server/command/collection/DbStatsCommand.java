package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.diagnostic.DatabaseFigures;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code dbStats}. */
public final class DbStatsCommand implements Command {
  private final Diagnostics diagnostics;
  private final Path dbPath;

  public DbStatsCommand(Diagnostics diagnostics, Path dbPath) {
    this.diagnostics = diagnostics;
    this.dbPath = dbPath;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long scale = 1;
    boolean freeStorage = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "scale" -> scale = ScaleArgument.check(reader);
        case "freeStorage" -> freeStorage = reader.wholeNumber() != 0;
        default -> reader.unknown();
      }
    }
    DatabaseFigures totals = diagnostics.figures(request.database());
    reply.appendString("db", request.database());
    reply.appendInt64("collections", totals.collections());
    reply.appendInt64("views", totals.views());
    reply.appendInt64("objects", totals.documents());
    reply.appendDouble(
        "avgObjSize",
        totals.documents() == 0 ? 0 : (double) totals.dataBytes() / totals.documents());
    reply.appendDouble("dataSize", (double) totals.dataBytes() / scale);
    reply.appendDouble("storageSize", (double) totals.storageBytes() / scale);
    reply.appendInt64("indexes", totals.indexes());
    reply.appendDouble("indexSize", (double) totals.indexBytes() / scale);
    reply.appendDouble("totalSize", (double) (totals.storageBytes() + totals.indexBytes()) / scale);
    if (freeStorage) {
      // Space of deleted documents is given back by compaction, not kept for new ones.
      reply.appendDouble("freeStorageSize", 0);
      reply.appendDouble("indexFreeStorageSize", 0);
      reply.appendDouble("totalFreeStorageSize", 0);
    }
    reply.appendDouble("scaleFactor", scale);
    appendFileSystem(scale, reply);
  }

  private void appendFileSystem(long scale, BsonBuilder reply) {
    try {
      FileStore store = Files.getFileStore(dbPath);
      double used = store.getTotalSpace() - store.getUnallocatedSpace();
      reply.appendDouble("fsUsedSize", used / scale);
      reply.appendDouble("fsTotalSize", (double) store.getTotalSpace() / scale);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
