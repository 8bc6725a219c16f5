package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import java.util.ArrayList;
import java.util.List;

/** A request came with another version of a collection's placement than the shard has. */
public final class StaleConfigException extends CommandException {
  private static final long serialVersionUID = 1L;
  private static final String MOVES = "moves";

  private final transient Namespace namespace;
  private final transient ChunkVersion received;
  private final transient ChunkVersion wanted;
  private final String shard;
  private final transient List<RangeMove> moves;

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
    this(message, namespace, received, wanted, shard, List.of());
  }

  /**
   * @param moves ranges that have moved from or to the shard, and that the config servers may not
   *     know of yet
   */
  public StaleConfigException(
      String message,
      Namespace namespace,
      ChunkVersion received,
      ChunkVersion wanted,
      String shard,
      List<RangeMove> moves) {
    super(ErrorCode.STALE_CONFIG, message);
    this.moves = List.copyOf(moves);
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
        error.get("shardId").asString(),
        movesOf(error));
  }

  /** The moves that such a reply or entry tells of. */
  public static List<RangeMove> movesOf(RawDocument error) {
    var moves = new ArrayList<RangeMove>(0);
    RawValue given = error.get(MOVES);
    if (given != null && given.isArray()) {
      for (ElementCursor each = given.elements(); each.next(); ) {
        moves.add(RangeMove.of(each.value().asDocument()));
      }
    }
    return moves;
  }

  @Override
  public CommandException during(String context) {
    return new StaleConfigException(
        super.during(context).getMessage(), namespace, received, wanted, shard, moves);
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
    if (!moves.isEmpty()) {
      out.startArray(MOVES);
      for (int i = 0; i < moves.size(); i++) {
        out.appendDocument(i, moves.get(i).toDocument());
      }
      out.end();
    }
  }
}
