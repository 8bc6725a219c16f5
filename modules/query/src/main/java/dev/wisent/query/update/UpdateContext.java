package dev.wisent.query.update;

import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.bson.types.ObjectId;

/**
 * What updates and inserts need to know of the world; everything else about them is a function of
 * documents.
 *
 * @param query for the conditions inside updates, and the wall clock of {@code $currentDate}
 * @param nextTimestamp cluster timestamps, each handed out once: seconds in the high half,
 *     increment in the low half
 * @param newObjectId the {@code _id} of documents that have none
 * @param pipelines parses updates that are pipelines
 * @param keepsEmptyTimestamps whether empty timestamps at the top level of documents stay
 */
public record UpdateContext(
    QueryContext query,
    LongSupplier nextTimestamp,
    Supplier<ObjectId> newObjectId,
    UpdatePipeline.Parser pipelines,
    boolean keepsEmptyTimestamps) {
  /** Of a client that did not ask to keep empty timestamps. */
  public UpdateContext(
      QueryContext query,
      LongSupplier nextTimestamp,
      Supplier<ObjectId> newObjectId,
      UpdatePipeline.Parser pipelines) {
    this(query, nextTimestamp, newObjectId, pipelines, false);
  }

  long nowMillis() {
    return query.nowMillis().getAsLong();
  }

  /** The same with other variables, another time and another collation. */
  public UpdateContext withQuery(QueryContext other) {
    return new UpdateContext(other, nextTimestamp, newObjectId, pipelines, keepsEmptyTimestamps);
  }

  /** The same for a command that says whether empty timestamps stay. */
  public UpdateContext keepingEmptyTimestamps(boolean keeps) {
    return keeps == keepsEmptyTimestamps
        ? this
        : new UpdateContext(query, nextTimestamp, newObjectId, pipelines, keeps);
  }

  /** What is put into empty timestamps at the top level; null if they stay. */
  public LongSupplier emptyTimestamps() {
    return keepsEmptyTimestamps ? null : nextTimestamp;
  }

  /** How strings compare; null for the simple collation. */
  Collation collation() {
    return query.collation();
  }

  /** The same with another collation; null for the simple one. */
  public UpdateContext withCollation(Collation other) {
    return other == query.collation() ? this : withQuery(query.withCollation(other));
  }
}
