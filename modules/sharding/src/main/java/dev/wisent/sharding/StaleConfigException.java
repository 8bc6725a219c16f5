package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;

/** A request came with another version of a collection's placement than the shard has. */
public final class StaleConfigException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final transient Namespace namespace;
  private final transient ChunkVersion received;
  private final transient ChunkVersion wanted;
  private final String shard;

  /**
   * @param wanted what the shard has; null where it knows nothing of the collection
   * @param shard its name
   */
  public StaleConfigException(
      String message,
      Namespace namespace,
      ChunkVersion received,
      ChunkVersion wanted,
      String shard) {
    super(ErrorCode.STALE_CONFIG, message);
    this.namespace = namespace;
    this.received = received;
    this.wanted = wanted;
    this.shard = shard;
  }

  /** From an error reply of a shard, or an entry of its {@code writeErrors}. */
  public static StaleConfigException of(RawDocument error) {
    RawValue wanted = error.get("vWanted");
    return new StaleConfigException(
        error.get("errmsg").asString(),
        Namespace.parse(error.get("ns").asString()),
        ChunkVersion.of(error.get("vReceived").asDocument()),
        wanted == null ? null : ChunkVersion.of(wanted.asDocument()),
        error.get("shardId").asString());
  }

  @Override
  public CommandException during(String context) {
    return new StaleConfigException(
        super.during(context).getMessage(), namespace, received, wanted, shard);
  }

  public Namespace namespace() {
    return namespace;
  }

  public ChunkVersion received() {
    return received;
  }

  /** Null where the shard knows nothing of the collection. */
  public ChunkVersion wanted() {
    return wanted;
  }

  public String shard() {
    return shard;
  }

  /** The fields that the error has besides code and message. */
  public void append(BsonBuilder out) {
    out.appendString("ns", namespace.full());
    out.appendDocument("vReceived", received.toDocument());
    if (wanted != null) {
      out.appendDocument("vWanted", wanted.toDocument());
    }
    out.appendString("shardId", shard);
  }
}
