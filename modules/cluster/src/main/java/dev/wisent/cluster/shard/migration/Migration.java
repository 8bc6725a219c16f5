package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.RangeMove;
import java.util.UUID;

/**
 * A migration, as both shards know it from its beginning on.
 *
 * @param id given by the config servers
 * @param uuid of the collection
 * @param from the shard that has the range
 * @param to the shard that gets it
 */
record Migration(
    UUID id, Namespace namespace, UUID uuid, ChunkRange range, String from, String to) {
  /** Takes the arguments of all commands; {@code more} gets those that it does not know. */
  static Migration of(CommandRequest request, MoreArguments more) {
    Namespace namespace =
        Namespace.parse(ArgumentTypes.string(request.pathOfArgument(), request.argument()));
    UUID id = null;
    UUID uuid = null;
    RawDocument min = null;
    RawDocument max = null;
    String from = null;
    String to = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> id = reader.uuid();
        case "uuid" -> uuid = reader.uuid();
        case "min" -> min = reader.document();
        case "max" -> max = reader.document();
        case "fromShard" -> from = reader.string();
        case "toShard" -> to = reader.string();
        case CallNumber.NAME -> {} // Of those calls that come in an order.
        default -> more.read(reader);
      }
    }
    if (id == null || uuid == null || min == null || max == null || from == null || to == null) {
      throw ArgumentTypes.missing(request.name() + ".id");
    }
    return new Migration(id, namespace, uuid, new ChunkRange(min, max), from, to);
  }

  /** Reads the arguments of one command. */
  @FunctionalInterface
  interface MoreArguments {
    void read(ArgumentReader reader);
  }

  /** As an argument of commands, without the name of the command. */
  void appendArguments(BsonBuilder out) {
    out.appendUuid("id", id).appendUuid("uuid", uuid);
    range.append(out);
    out.appendString("fromShard", from).appendString("toShard", to);
  }

  /** What is stored of it, with MongoDB's names. */
  BsonBuilder document(String state) {
    var out = new BsonBuilder(512).appendUuid("_id", id).appendString("nss", namespace.full());
    out.appendUuid("collectionUuid", uuid);
    out.appendString("donorShardId", from).appendString("recipientShardId", to);
    out.startDocument("range");
    range.append(out);
    return out.end().appendString("state", state);
  }

  static Migration of(RawDocument stored) {
    return new Migration(
        stored.get("_id").asUuid(),
        Namespace.parse(stored.get("nss").asString()),
        stored.get("collectionUuid").asUuid(),
        ChunkRange.of(stored.get("range").asDocument()),
        stored.get("donorShardId").asString(),
        stored.get("recipientShardId").asString());
  }

  RawDocument storedId() {
    return new BsonBuilder().appendUuid("_id", id).toDocument();
  }

  RangeMove move(ChunkVersion version, boolean decided) {
    return new RangeMove(id, range, from, to, version, decided);
  }
}
