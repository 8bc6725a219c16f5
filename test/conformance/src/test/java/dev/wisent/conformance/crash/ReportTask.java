package dev.wisent.conformance.crash;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** A collection that {@code $out} replaces as a whole, time and again. */
final class ReportTask implements Task {

  static final int SIZE = 300;

  // Each makes a collection, and clients do not do that as fast as a loop can.
  private static final long PAUSE_NANOS = 20_000_000;

  private long acknowledged;
  private long sent;

  @Override
  public void step(Namespaces namespaces) {
    LockSupport.parkNanos(PAUSE_NANOS);
    sent++;
    namespaces
        .reportLines()
        .aggregate(
            List.of(
                new BsonDocument("$set", new BsonDocument("version", new BsonInt64(sent))),
                new BsonDocument("$out", new BsonString("report"))))
        .toCollection();
    acknowledged = sent;
  }

  /** Compares with the report that the server has: all of it is of one version. */
  void reconcile(List<Long> versions) {
    long version = versions.isEmpty() ? 0 : versions.getFirst();
    boolean complete =
        versions.stream().allMatch(each -> each == version)
            && versions.size() == (version == 0 ? 0 : SIZE);
    if (!complete || (version != acknowledged && version != sent)) {
      throw new AssertionError(
          "report: acknowledged %d, sent %d, found %s".formatted(acknowledged, sent, versions));
    }
    acknowledged = version;
    sent = version;
  }
}
