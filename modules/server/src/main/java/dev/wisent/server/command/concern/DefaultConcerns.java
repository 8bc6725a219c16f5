package dev.wisent.server.command.concern;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.replication.concern.WriteMode;
import dev.wisent.replication.concern.WriteQuorum;

/**
 * The concerns of commands that do not say any. An administrator's choice is a document like any
 * other, so that every member has it; without one the configuration of the set decides.
 */
final class DefaultConcerns {
  static final Namespace NAMESPACE = new Namespace("config", "settings");
  static final String ID = "ReadWriteConcernDefaults";

  static final String READ = "defaultReadConcern";
  static final String WRITE = "defaultWriteConcern";
  static final RawDocument FILTER = RawDocument.parse("{_id: '" + ID + "'}");
  private static final WriteConcern MAJORITY =
      new WriteConcern(WriteMode.MAJORITY, WriteConcern.Sync.UNSET, 0, Provenance.IMPLICIT_DEFAULT);
  private static final WriteConcern PRIMARY =
      new WriteConcern(WriteMode.PRIMARY, WriteConcern.Sync.UNSET, 0, Provenance.IMPLICIT_DEFAULT);

  private final Operations operations;
  private final CurrentQuorum quorum;
  private volatile Known known = new Known(new Object(), null, null);

  /**
   * The defaults as they were read last.
   *
   * @param version of the collection, taken before that
   * @param write null where none was set
   * @param read with where it is from; null where none was set
   */
  private record Known(Object version, WriteConcern write, RawDocument read) {}

  DefaultConcerns(Operations operations, CurrentQuorum quorum) {
    this.operations = operations;
    this.quorum = quorum;
  }

  /** What an administrator has set; null if nothing. Reading it is no part of the operation. */
  RawDocument stored(OperationContext operation) {
    return stored(operation.clock());
  }

  private RawDocument stored(Clock clock) {
    OperationContext own = OperationContext.internal(clock);
    try (ResultCursor found = operations.find(own, FindRequest.of(NAMESPACE, FILTER))) {
      RawDocument document = found.peek();
      return document == null ? null : document.detached();
    }
  }

  /** Reads what is stored only where that has changed: every write without a concern asks. */
  WriteConcern writeConcern(OperationContext operation) {
    WriteConcern write = known(operation.clock()).write;
    return write == null ? implied() : write;
  }

  /** The read concern of reads without one, with its provenance; null where none was set. */
  RawDocument readConcern(Clock clock) {
    return known(clock).read;
  }

  private Known known(Clock clock) {
    Object version = operations.version(NAMESPACE);
    Known current = known;
    if (current.version != version) {
      RawDocument stored = stored(clock);
      current = new Known(version, chosen(stored), chosenRead(stored));
      known = current;
    }
    return current;
  }

  private static RawDocument chosenRead(RawDocument stored) {
    RawDocument chosen = concern(stored, READ);
    return chosen == null
        ? null
        : new BsonBuilder()
            .appendAll(chosen)
            .appendString("provenance", Provenance.CUSTOM_DEFAULT.text())
            .toDocument();
  }

  /** The write concern of writes without one, given what {@link #stored} has found. */
  WriteConcern writeConcern(RawDocument stored) {
    WriteConcern chosen = chosen(stored);
    return chosen == null ? implied() : chosen;
  }

  private static WriteConcern chosen(RawDocument stored) {
    RawDocument chosen = concern(stored, WRITE);
    return chosen == null
        ? null
        : WriteConcern.parse(WRITE, chosen).withDefault(PRIMARY).from(Provenance.CUSTOM_DEFAULT);
  }

  /** A concern that was set; null if it was not. */
  static RawDocument concern(RawDocument stored, String name) {
    RawValue value = stored == null ? null : stored.get(name);
    return value == null || !value.isDocument() || value.asDocument().isEmpty()
        ? null
        : value.asDocument();
  }

  private WriteConcern implied() {
    WriteQuorum present = quorum.get();
    return present != null && present.isMajorityByDefault() ? MAJORITY : PRIMARY;
  }
}
