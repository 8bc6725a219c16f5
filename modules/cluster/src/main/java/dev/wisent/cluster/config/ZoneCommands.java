package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.KeyRange;
import dev.wisent.operation.FindRequest;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.List;

/** The commands about zones: which shards each has, and which ranges of keys belong to it. */
final class ZoneCommands {
  private static final String SHARDS = "shards";
  private static final String TAGS = "tags";

  private final ClusterMetadata metadata;

  ZoneCommands(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  void addShard(CommandRequest request, CommandContext context, BsonBuilder reply) {
    changeTags(request, context, "addShardToZone", ZoneCommands::withZone);
  }

  void removeShard(CommandRequest request, CommandContext context, BsonBuilder reply) {
    changeTags(request, context, "removeShardFromZone", ZoneCommands::withoutZone);
  }

  /** The zones of a shard after a change. */
  private interface TagChange {
    List<String> of(CatalogChange change, RawDocument shard, String zone);
  }

  private void changeTags(
      CommandRequest request, CommandContext context, String what, TagChange tags) {
    String shard = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    String zone = zone(request);
    metadata
        .writer()
        .change(
            context.operation(),
            entry(what, "", new BsonBuilder().appendString("zone", zone).toDocument(), context),
            change -> {
              RawDocument seen = change.findOne(SHARDS, DocumentFields.byId(shard));
              if (seen == null) {
                throw new CommandException(
                    ErrorCode.SHARD_NOT_FOUND, "shard " + shard + " does not exist");
              }
              List<String> after = tags.of(change, seen, zone);
              change.replace(
                  SHARDS,
                  seen,
                  DocumentFields.with(seen, TAGS, DocumentFields.arrayOfTexts(after)));
            });
  }

  private static String zone(CommandRequest request) {
    String zone = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "zone" -> zone = reader.string();
        default -> reader.unknown();
      }
    }
    if (zone == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".zone");
    }
    if (zone.isEmpty()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "The value for 'zone' cannot be an empty string");
    }
    return zone;
  }

  private static CatalogWriter.Entry entry(
      String what, String namespace, RawDocument details, CommandContext context) {
    return new CatalogWriter.Entry(what, namespace, details, context.client().remoteAddress());
  }

  private static List<String> withZone(CatalogChange change, RawDocument shard, String zone) {
    var tags = new ArrayList<>(DocumentFields.texts(shard, TAGS));
    if (!tags.contains(zone)) {
      tags.add(zone);
    }
    return tags;
  }

  private static List<String> withoutZone(CatalogChange change, RawDocument shard, String zone) {
    var tags = new ArrayList<>(DocumentFields.texts(shard, TAGS));
    if (isRequired(change, shard, zone)) {
      throw new CommandException(
          ErrorCode.ZONE_STILL_IN_USE,
          "cannot remove a shard from zone if a chunk range is associated with it");
    }
    tags.remove(zone);
    return tags;
  }

  /** Whether a shard is the only one of a zone that has a range. */
  static boolean isRequired(CatalogChange change, RawDocument shard, String zone) {
    if (!DocumentFields.texts(shard, TAGS).contains(zone)) {
      return false;
    }
    List<RawDocument> members = change.find(SHARDS, of("tags", zone).limit(2));
    return members.size() == 1 && change.findOne(TAGS, filter("tag", zone)) != null;
  }

  private static FindRequest.Builder of(String field, String value) {
    return new FindRequest.Builder().filter(filter(field, value));
  }

  private static RawDocument filter(String field, String value) {
    return new BsonBuilder().appendString(field, value).toDocument();
  }

  void updateKeyRange(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String namespace = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    RawDocument min = null;
    RawDocument max = null;
    String zone = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "min" -> min = reader.document().detached();
        case "max" -> max = reader.document().detached();
        case "zone" -> zone = reader.string();
        default -> reader.unknown();
      }
    }
    if (min == null || max == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + (min == null ? ".min" : ".max"));
    }
    if (zone == null && request.body().get("zone") == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".zone");
    }
    KeyRange given = new KeyRange(min, max);
    String named = zone;
    metadata
        .writer()
        .change(
            context.operation(),
            entry("updateZoneKeyRange", namespace, given.toDocument(), context),
            change -> {
              KeyRange range = given.withFullKey(change, namespace);
              if (named == null) {
                change.deleteAll(TAGS, tagDocument(namespace, range, null));
              } else {
                assign(change, namespace, range, named);
              }
            });
  }

  private static void assign(CatalogChange change, String namespace, KeyRange range, String zone) {
    if (change.findOne(SHARDS, filter("tags", zone)) == null) {
      throw new CommandException(ErrorCode.ZONE_NOT_FOUND, "zone " + zone + " does not exist");
    }
    RawDocument same = null;
    for (RawDocument tag : change.find(TAGS, of("ns", namespace))) {
      KeyRange other = KeyRange.of(tag);
      if (other.equals(range)) {
        same = tag;
      } else if (other.overlaps(range)) {
        throw new CommandException(
            ErrorCode.RANGE_OVERLAP_CONFLICT,
            "Zone range: %s is overlapping with existing: %s"
                .formatted(text(range, zone), text(other, tag.get("tag").asString())));
      }
    }
    RawDocument document = tagDocument(namespace, range, zone);
    if (same != null) {
      change.replace(TAGS, same, withId(same.get("_id"), document));
    } else {
      change.insert(
          TAGS,
          withId(
              RawValue.ofDocument(
                  new BsonBuilder()
                      .appendString("ns", namespace)
                      .appendDocument("min", range.min())
                      .toDocument()),
              document));
    }
  }

  private static String text(KeyRange range, String zone) {
    return zone + ": " + ValueText.of(range.min()) + " -->> " + ValueText.of(range.max());
  }

  private static RawDocument withId(RawValue id, RawDocument document) {
    return new BsonBuilder().append("_id", id).appendAll(document).toDocument();
  }

  private static RawDocument tagDocument(String namespace, KeyRange range, String zone) {
    var out =
        new BsonBuilder()
            .appendString("ns", namespace)
            .appendDocument("min", range.min())
            .appendDocument("max", range.max());
    return (zone == null ? out : out.appendString("tag", zone)).toDocument();
  }
}
