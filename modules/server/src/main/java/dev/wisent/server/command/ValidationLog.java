package dev.wisent.server.command;

import dev.wisent.base.log.Log;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.Namespace;

/** A log line for each document that breaks a rule of its collection which only warns. */
public final class ValidationLog {
  private static final int WOULD_FAIL_LOG_ID = 20294;

  private final Log log;

  public ValidationLog(Log log) {
    this.log = log;
  }

  /** Tells of a document; {@code information} is what the error would carry as errInfo. */
  public void wouldFail(Namespace namespace, RawDocument information) {
    log.warn(
        WOULD_FAIL_LOG_ID,
        "Document would fail validation",
        "namespace",
        namespace.full(),
        "errInfo",
        ValueText.of(information));
  }
}
