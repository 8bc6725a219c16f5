package dev.wisent.database.changestream;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.pipeline.changestream.ResumeToken;
import java.util.UUID;

/** What a change means to clients. Documents that an event does not have are null. */
final class ChangeEvent {

  private final OplogChange change;
  private final String operationType;
  private final Namespace namespace;
  private RawDocument documentKey;
  private RawDocument description;
  private RawDocument fullDocument;
  private RawDocument update;
  private RawDocument stateBeforeChange;
  private Namespace renamedTo;
  private String namespaceType;
  private boolean view;
  private ResumeToken token;

  /**
   * @param namespace without a collection for a change of a database
   */
  ChangeEvent(OplogChange change, String operationType, Namespace namespace) {
    this.change = change;
    this.operationType = operationType;
    this.namespace = namespace;
  }

  ChangeEvent of(RawDocument key) {
    documentKey = key;
    return this;
  }

  ChangeEvent describedBy(RawDocument document) {
    description = document;
    return this;
  }

  ChangeEvent with(RawDocument document) {
    fullDocument = document;
    return this;
  }

  /** Says what has changed, as the entry has it: {@code {$v: 2, diff: …}}. */
  ChangeEvent changedBy(RawDocument entry) {
    update = entry;
    return this;
  }

  ChangeEvent after(RawDocument state) {
    stateBeforeChange = state;
    return this;
  }

  ChangeEvent renamedTo(Namespace name) {
    renamedTo = name;
    return this;
  }

  ChangeEvent ofView() {
    view = true;
    return this;
  }

  ChangeEvent ofType(String type) {
    namespaceType = type;
    return this;
  }

  boolean isOfView() {
    return view;
  }

  OplogChange change() {
    return change;
  }

  String operationType() {
    return operationType;
  }

  Namespace namespace() {
    return namespace;
  }

  RawDocument documentKey() {
    return documentKey;
  }

  RawDocument description() {
    return description;
  }

  /** Of an insert or a replacement. */
  RawDocument fullDocument() {
    return fullDocument;
  }

  RawDocument update() {
    return update;
  }

  RawDocument stateBeforeChange() {
    return stateBeforeChange;
  }

  Namespace renamedTo() {
    return renamedTo;
  }

  String namespaceType() {
    return namespaceType;
  }

  /** The uuid of the collection as the entry has it. */
  RawValue uuidValue() {
    return change.operation().get("ui");
  }

  UUID uuid() {
    RawValue value = uuidValue();
    return value != null && value.isUuid() ? value.asUuid() : null;
  }

  ResumeToken token() {
    if (token == null) {
      boolean ofDocument = documentKey != null;
      token =
          ResumeToken.ofEvent(
              change.position(),
              Math.max(0, change.transactionIndex()),
              uuid(),
              operationType,
              ofDocument ? "documentKey" : "operationDescription",
              ofDocument ? documentKey : description);
    }
    return token;
  }
}
