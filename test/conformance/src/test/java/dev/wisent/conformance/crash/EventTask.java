package dev.wisent.conformance.crash;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;

/** A writer's own sequence of numbers in the capped collection. */
final class EventTask implements Task {

  private final int writer;
  private long lastAcknowledged;
  private long lastSent;

  EventTask(int writer) {
    this.writer = writer;
  }

  @Override
  public void step(Namespaces namespaces) {
    lastSent++;
    namespaces
        .events()
        .insertOne(
            new BsonDocument("writer", new BsonInt32(writer))
                .append("sequence", new BsonInt64(lastSent)));
    lastAcknowledged = lastSent;
  }

  /**
   * Compares with this writer's numbers in the order that the server has them. Old ones may have
   * been dropped, so there may be none; but they have no gap and end with the last one.
   *
   * @param full whether the collection has reached its limit, so that dropping is legitimate
   */
  void reconcile(List<Long> actual, boolean full) {
    for (int i = 1; i < actual.size(); i++) {
      if (actual.get(i) != actual.get(i - 1) + 1) {
        throw new AssertionError("events of writer " + writer + " out of order: " + actual);
      }
    }
    long last = actual.isEmpty() ? 0 : actual.getLast();
    boolean complete = full || actual.isEmpty() || actual.getFirst() == 1;
    boolean endsRight = last == lastAcknowledged || last == lastSent || (actual.isEmpty() && full);
    if (!complete || !endsRight) {
      throw new AssertionError(
          "events of writer %d: acknowledged %d, sent %d, found %s"
              .formatted(writer, lastAcknowledged, lastSent, actual));
    }
    // A number that was sent and is gone is used again: the sequence has no gap.
    lastSent = actual.isEmpty() ? lastAcknowledged : last;
    lastAcknowledged = lastSent;
  }
}
