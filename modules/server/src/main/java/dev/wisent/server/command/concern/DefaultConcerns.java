package dev.wisent.server.command.concern;

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
  private volatile Known known = new Known(new Object(), null);

  /**
   * The default that writes have, as it was read last.
   *
   * @param version of the collection, taken before that
   * @param concern null where none was set
   */
  private record Known(Object version, WriteConcern concern) {}

  DefaultConcerns(Operations operations, CurrentQuorum quorum) {
    this.operations = operations;
    this.quorum = quorum;
  }

  /** What an administrator has set; null if nothing. Reading it is no part of the operation. */
  RawDocument stored(OperationContext operation) {
    OperationContext own = OperationContext.internal(operation.clock());
    try (ResultCursor found = operations.find(own, FindRequest.of(NAMESPACE, FILTER))) {
      RawDocument document = found.peek();
      return document == null ? null : document.detached();
    }
  }

  /** Reads what is stored only where that has changed: every write without a concern asks. */
  WriteConcern writeConcern(OperationContext operation) {
    Object version = operations.version(NAMESPACE);
    Known current = known;
    if (current.version != version) {
      current = new Known(version, chosen(stored(operation)));
      known = current;
    }
    return current.concern == null ? implied() : current.concern;
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
