package dev.wisent.conformance.crash;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;

/** Writers race for the next number; the unique index lets one of them have it. */
final class ClaimTask implements Task {

  private final int writer;
  private final AtomicLong next;
  private final Set<Long> acknowledged = new HashSet<>();
  private OptionalLong underWay = OptionalLong.empty();

  /**
   * @param next the first number that no writer is known to have, shared by all writers
   */
  ClaimTask(int writer, AtomicLong next) {
    this.writer = writer;
    this.next = next;
  }

  @Override
  public void step(Namespaces namespaces) {
    long claim = next.get();
    underWay = OptionalLong.of(claim);
    try {
      namespaces
          .claims()
          .insertOne(
              new BsonDocument("claim", new BsonInt64(claim))
                  .append("writer", new BsonInt32(writer)));
      acknowledged.add(claim);
    } catch (MongoWriteException refused) {
      if (refused.getError().getCategory() != ErrorCategory.DUPLICATE_KEY) {
        throw refused;
      }
    }
    underWay = OptionalLong.empty();
    next.compareAndSet(claim, claim + 1);
  }

  /** Compares with the numbers that this writer has on the server, and goes on from there. */
  void reconcile(Set<Long> actual) {
    for (long claim : acknowledged) {
      if (!actual.contains(claim)) {
        throw new AssertionError("writer " + writer + " lost its claim " + claim);
      }
    }
    for (long claim : actual) {
      boolean known = acknowledged.contains(claim) || underWay.equals(OptionalLong.of(claim));
      if (!known) {
        throw new AssertionError("writer " + writer + " never got claim " + claim);
      }
    }
    acknowledged.addAll(actual);
    underWay = OptionalLong.empty();
  }
}
