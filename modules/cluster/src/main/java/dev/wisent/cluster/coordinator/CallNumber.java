package dev.wisent.cluster.coordinator;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import java.util.Comparator;

/**
 * Which call of a coordinator, or of the donor of a migration, it is. Calls to a shard are made one
 * after the other.
 *
 * @param attempt a primary that takes the work up, or begins it anew, has a greater one
 */
public record CallNumber(long attempt, long call) implements Comparable<CallNumber> {
  /** As an argument. */
  public static final String NAME = "number";

  private static final Comparator<CallNumber> ORDER =
      Comparator.comparingLong(CallNumber::attempt).thenComparingLong(CallNumber::call);

  /** That of a request. */
  public static CallNumber of(CommandRequest request) {
    RawValue number = request.body().get(NAME);
    if (number == null || !number.isDocument()) {
      throw ArgumentTypes.missing(request.name() + "." + NAME);
    }
    return of(number.asDocument());
  }

  /** As it is stored. */
  public static CallNumber of(RawDocument stored) {
    return new CallNumber(
        DocumentFields.number(stored, "attempt"), DocumentFields.number(stored, "call"));
  }

  public void append(BsonBuilder out) {
    appendFields(out.startDocument(NAME)).end();
  }

  /** The fields of a document that {@link #of} reads. */
  public BsonBuilder appendFields(BsonBuilder out) {
    return out.appendInt64("attempt", attempt).appendInt64("call", call);
  }

  @Override
  public int compareTo(CallNumber other) {
    return ORDER.compare(this, other);
  }
}
