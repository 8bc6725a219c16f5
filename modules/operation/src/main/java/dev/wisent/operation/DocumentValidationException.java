package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;

/** A document breaks the rules of its collection. */
public final class DocumentValidationException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final transient RawDocument information;

  public DocumentValidationException(RawDocument information) {
    this("Document failed validation", information);
  }

  private DocumentValidationException(String message, RawDocument information) {
    super(ErrorCode.DOCUMENT_VALIDATION_FAILURE, message);
    this.information = information;
  }

  @Override
  public CommandException during(String context) {
    return new DocumentValidationException(super.during(context).getMessage(), information);
  }

  /** What is reported as {@code errInfo}. */
  public RawDocument information() {
    return information;
  }
}
