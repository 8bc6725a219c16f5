package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.changestream.ShardKeyNotes;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** {@code _shardsvrSetCollection}: what this shard owns of a collection. */
final class SetCollectionCommand implements Command {
  private final Ownership ownership;
  private final TableWriter tables;

  SetCollectionCommand(Ownership ownership, TableWriter tables) {
    this.ownership = ownership;
    this.tables = tables;
  }

  /** The arguments, as they are read. */
  private static final class Arguments {
    private UUID uuid;
    private RawDocument key;
    private boolean unique;
    private boolean unsplittable;
    private RawDocument collation;
    private ChunkVersion version;
    private List<ChunkRange> ranges;
    private TableWriter.ShardingEvent event;

    void read(ArgumentReader reader) {
      switch (reader.name()) {
        case "uuid" -> uuid = reader.uuid();
        case "key" -> key = reader.document();
        case "unique" -> unique = reader.bool();
        case "unsplittable" -> unsplittable = reader.bool();
        case "defaultCollation" -> collation = reader.document();
        case "version" -> version = VersionArguments.collection(reader.document());
        case "ranges" -> ranges = ranges(reader.path(), reader.documents());
        case "event" -> event = event(reader.path(), reader.document());
        case "id" -> {}
        default -> reader.unknown();
      }
    }

    private static TableWriter.ShardingEvent event(String path, RawDocument document) {
      String type = null;
      RawDocument description = RawDocument.EMPTY;
      UUID uuid = null;
      ArgumentReader reader = ArgumentReader.of(path, document);
      while (reader.next()) {
        switch (reader.name()) {
          case "operationType" -> type = reader.string();
          case "operationDescription" -> description = reader.document();
          case "collectionUUID" -> uuid = reader.uuid();
          default -> reader.unknown();
        }
      }
      if (type == null || !ShardKeyNotes.isKnown(type)) {
        throw new CommandException(ErrorCode.BAD_VALUE, "there is no such event: " + type);
      }
      return new TableWriter.ShardingEvent(type, description, uuid);
    }

    private static List<ChunkRange> ranges(String path, List<RawDocument> documents) {
      var ranges = new ArrayList<ChunkRange>();
      for (RawDocument document : documents) {
        RawDocument min = null;
        RawDocument max = null;
        ArgumentReader reader = ArgumentReader.of(path, document);
        while (reader.next()) {
          switch (reader.name()) {
            case "min" -> min = reader.document();
            case "max" -> max = reader.document();
            default -> reader.unknown();
          }
        }
        if (min == null || max == null) {
          throw ArgumentTypes.missing(path + (min == null ? ".min" : ".max"));
        }
        ranges.add(new ChunkRange(min, max));
      }
      return ranges;
    }

    OwnedRanges owned(Namespace namespace) {
      String missing =
          uuid == null
              ? "uuid"
              : key == null
                  ? "key"
                  : version == null ? "version" : ranges == null ? "ranges" : null;
      if (missing != null) {
        throw ArgumentTypes.missing("_shardsvrSetCollection." + missing);
      }
      return new OwnedRanges(
          namespace, uuid, ShardKeyPattern.of(key), unique, version, ranges, unsplittable);
    }
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = ShardArguments.namespace(request);
    var arguments = new Arguments();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      arguments.read(reader);
    }
    OwnedRanges owned = arguments.owned(namespace);
    ShardArguments.requireShard(ownership);
    tables.collection(context.operation(), owned, arguments.collation, arguments.event);
  }
}
