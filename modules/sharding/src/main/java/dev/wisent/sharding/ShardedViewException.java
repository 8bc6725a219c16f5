package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;

/**
 * A router has asked a shard for a view that reads sharded collections, of which the shard has but
 * a part. The error says what the view comes down to, so that the router can read it.
 */
public final class ShardedViewException extends CommandException {
  private static final long serialVersionUID = 1L;

  private static final String FIELD = "resolvedView";

  private final transient RawDocument view;

  /**
   * @param view the collection at the bottom, the pipeline over it, and the collation
   */
  public ShardedViewException(RawDocument view) {
    super(
        ErrorCode.COMMAND_ON_SHARDED_VIEW_NOT_SUPPORTED_ON_MONGOD,
        "Resolved views on sharded collections must be executed by mongos");
    this.view = view;
  }

  /**
   * @param source a sharded collection that stages of a pipeline read besides its own
   */
  public ShardedViewException(Namespace source) {
    super(
        ErrorCode.COMMAND_ON_SHARDED_VIEW_NOT_SUPPORTED_ON_MONGOD,
        "A pipeline that reads the sharded collection "
            + source
            + " besides its own must be executed by mongos");
    this.view = null;
  }

  /** What an error reply of a shard says of a view; null if it is about something else. */
  public static RawDocument viewOf(RawDocument error) {
    RawValue view = error.get(FIELD);
    return view == null || !view.isDocument() ? null : view.asDocument();
  }

  /** The fields that the error has besides code and message. */
  public void append(BsonBuilder out) {
    if (view != null) {
      out.appendDocument(FIELD, view);
    }
  }
}
