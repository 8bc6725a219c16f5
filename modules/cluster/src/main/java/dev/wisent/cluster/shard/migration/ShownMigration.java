package dev.wisent.cluster.shard.migration;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A migration as currentOp shows it on one of its shards, and killOp ends it. Thread-safe. */
final class ShownMigration implements AutoCloseable {
  private final Migration migration;
  private final String role;
  private final MigrationSteps steps;
  private final OperationContext operation;
  private final AtomicLong documents = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final Runnable end;
  private volatile long documentsExpected;
  private volatile long bytesExpected;
  private volatile boolean decided;

  /** Shows operations. */
  @FunctionalInterface
  interface Shown {
    /** Returns what to call when the operation ends. */
    Runnable begin(String description, String namespace, OperationContext operation);
  }

  private ShownMigration(
      Migration migration, String role, List<String> steps, Shown shown, Clock clock) {
    this.migration = migration;
    this.role = role;
    this.steps = new MigrationSteps(steps, clock);
    this.operation = OperationContext.internal(clock);
    this.operation.progress(new OperationProgress("moveRange", 1).details(this::details));
    this.end = shown.begin("moveRange " + role, migration.namespace().full(), operation);
  }

  static ShownMigration ofDonor(Migration migration, Shown shown, Clock clock) {
    return new ShownMigration(migration, "donor", MigrationSteps.OF_DONOR, shown, clock);
  }

  static ShownMigration ofRecipient(Migration migration, Shown shown, Clock clock) {
    return new ShownMigration(migration, "recipient", MigrationSteps.OF_RECIPIENT, shown, clock);
  }

  MigrationSteps steps() {
    return steps;
  }

  /** Fails where killOp has ended it. */
  void check() {
    operation.checkNow();
  }

  void expect(long documentCount, long byteCount) {
    documentsExpected = documentCount;
    bytesExpected = byteCount;
  }

  void copied(long documentCount, long byteCount) {
    documents.addAndGet(documentCount);
    bytes.addAndGet(byteCount);
  }

  /** The range has gone, or come; the config servers may not know yet. */
  void decided() {
    decided = true;
  }

  private RawDocument details() {
    var out = new BsonBuilder();
    out.startDocument("migration").appendUuid("id", migration.id()).appendString("role", role);
    out.appendString("fromShard", migration.from()).appendString("toShard", migration.to());
    migration.range().append(out);
    String step = steps.current();
    out.appendString("phase", step == null ? (decided ? "decided" : "waiting") : step);
    out.appendInt64("documentsCopied", documents.get());
    out.appendInt64("bytesCopied", bytes.get());
    if (documentsExpected > 0) {
      out.appendInt64("documentsEstimated", documentsExpected);
      out.appendInt64("bytesEstimated", bytesExpected);
    }
    out.appendBoolean("decided", decided);
    out.appendBoolean("toBeSettled", decided);
    return out.appendDocument("stepMillis", steps.toDocument()).end().toDocument();
  }

  @Override
  public void close() {
    end.run();
  }
}
