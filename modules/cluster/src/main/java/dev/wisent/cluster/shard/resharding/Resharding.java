package dev.wisent.cluster.shard.resharding;

import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a donor has to do.
 *
 * @param id of the run of the coordinator
 * @param uuid of the collection
 * @param donor this shard
 * @param target where the documents go
 * @param table which shard gets which of the new keys
 * @param originatingCommand what a client has asked for
 */
record Resharding(
    UUID id,
    Namespace namespace,
    UUID uuid,
    String donor,
    Target target,
    RoutingTable table,
    RawDocument originatingCommand) {
  /**
   * The collection that documents are copied to.
   *
   * @param namespace the temporary one
   */
  record Target(Namespace namespace, UUID uuid) {}

  static Resharding of(CommandRequest request) {
    Namespace namespace =
        Namespace.parse(ArgumentTypes.string(request.pathOfArgument(), request.argument()));
    UUID id = null;
    UUID uuid = null;
    String donor = null;
    String temporary = null;
    UUID newUuid = null;
    RawDocument key = null;
    RawDocument version = null;
    List<RawDocument> chunks = null;
    RawDocument originating = RawDocument.EMPTY;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> id = reader.uuid();
        case "uuid" -> uuid = reader.uuid();
        case "donor" -> donor = reader.string();
        case "temporary" -> temporary = reader.string();
        case "newUuid" -> newUuid = reader.uuid();
        case "key" -> key = reader.document();
        case "version" -> version = reader.document();
        case "chunks" -> chunks = reader.documents();
        case "originatingCommand" -> originating = reader.document().detached();
        default -> reader.unknown();
      }
    }
    if (id == null || key == null || version == null || chunks == null || temporary == null) {
      throw ArgumentTypes.missing(request.name() + ".id");
    }
    return new Resharding(
        id,
        namespace,
        uuid,
        donor,
        new Target(Namespace.parse(temporary), newUuid),
        table(ShardKeyPattern.of(key.detached()), ChunkVersion.of(version), chunks),
        originating);
  }

  private static RoutingTable table(
      ShardKeyPattern key, ChunkVersion first, List<RawDocument> documents) {
    var chunks = new ArrayList<Chunk>();
    ChunkVersion version = first;
    for (RawDocument each : documents) {
      RawDocument chunk = each.detached();
      chunks.add(
          new Chunk(ChunkRange.of(chunk), DocumentFields.text(chunk, "shard"), version, false));
      version = version.nextMinor();
    }
    return RoutingTable.of(key, first, chunks);
  }

  /** The shard that gets a document; fails where it cannot have the new key. */
  String recipientOf(RawDocument document) {
    return table.shardOf(table.key().encodedKeyOf(document));
  }
}
