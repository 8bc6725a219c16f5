package dev.wisent.cluster.call;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.DocumentSequence;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostSelector;
import java.util.List;
import java.util.UUID;

/**
 * A command for a shard.
 *
 * @param shard its name, or {@link ShardCalls#CONFIG}
 * @param command its own fields, {@code shardVersion} and {@code databaseVersion} included; what
 *     the purpose adds is described at {@link ShardCalls}
 * @param hosts which members may answer; null for what the purpose and the client say
 * @param host the member that has to answer; null for any
 */
public record ShardRequest(
    String shard,
    String database,
    RawDocument command,
    List<DocumentSequence> sequences,
    Purpose purpose,
    HostSelector hosts,
    HostAndPort host) {
  /** What a command is for: which parts of the client's request it carries, and its retries. */
  public enum Purpose {
    READ,
    WRITE,
    /** On with a cursor, or its end. */
    CURSOR,
    /** Of the router's own: it carries nothing of the client but the time that is left. */
    CONTROL,
    /**
     * The same, for a change of metadata. Sent again it is answered with what came of the first.
     */
    CHANGE;

    boolean isOfRouter() {
      return this == CONTROL || this == CHANGE;
    }
  }

  public ShardRequest {
    sequences = List.copyOf(sequences);
  }

  public static ShardRequest read(String shard, String database, RawDocument command) {
    return of(shard, database, command, List.of(), Purpose.READ);
  }

  public static ShardRequest write(
      String shard, String database, RawDocument command, List<DocumentSequence> sequences) {
    return of(shard, database, command, sequences, Purpose.WRITE);
  }

  public static ShardRequest control(String shard, String database, RawDocument command) {
    return of(shard, database, command, List.of(), Purpose.CONTROL);
  }

  /** A change of the cluster's metadata, which a majority of the config servers has to have. */
  public static ShardRequest configChange(BsonBuilder command) {
    command.startDocument("writeConcern").appendString("w", "majority").end();
    return of(ShardCalls.CONFIG, "admin", command.toDocument(), List.of(), Purpose.CHANGE);
  }

  /** On with a cursor that a member of the shard has open. */
  public static ShardRequest cursor(
      String shard, HostAndPort host, String database, RawDocument command) {
    return of(shard, database, command, List.of(), Purpose.CURSOR).at(host);
  }

  private static ShardRequest of(
      String shard,
      String database,
      RawDocument command,
      List<DocumentSequence> sequences,
      Purpose purpose) {
    return new ShardRequest(shard, database, command, sequences, purpose, null, null);
  }

  /** With a key by which the config servers know it again. */
  ShardRequest keyed(UUID key) {
    RawDocument with =
        new BsonBuilder(command.length() + 48)
            .appendAll(command)
            .appendUuid("clientOperationKey", key)
            .toDocument();
    return new ShardRequest(shard, database, with, sequences, purpose, hosts, host);
  }

  public ShardRequest from(HostSelector selector) {
    return new ShardRequest(shard, database, command, sequences, purpose, selector, host);
  }

  public ShardRequest at(HostAndPort member) {
    return new ShardRequest(shard, database, command, sequences, purpose, hosts, member);
  }
}
