package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;

/** A document breaks the rules of its collection. */
public final class DocumentValidationException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final transient RawDocument information;

  public DocumentValidationException(RawDocument information) {
    super(ErrorCode.DOCUMENT_VALIDATION_FAILURE, "Document failed validation");
    this.information = information;
  }

  /** What is reported as {@code errInfo}. */
  public RawDocument information() {
    return information;
  }
}
