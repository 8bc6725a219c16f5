package dev.wisent.server.failpoint;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import java.util.List;

/** An error that a fail point asked for, with whatever number it was given. */
public final class ForcedErrorException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final int number;
  private final transient RawDocument extraInfo;
  private final transient List<String> givenLabels;

  public ForcedErrorException(FailCommand settings) {
    super(ErrorCode.UNKNOWN_ERROR, "Failing command via 'failCommand' failpoint");
    this.givenLabels = settings.errorLabels();
    this.number = settings.errorCode();
    this.extraInfo = settings.errorExtraInfo();
  }

  public int number() {
    return number;
  }

  /** The labels that the reply is to have; null if they follow from the number. */
  public List<String> givenLabels() {
    return givenLabels;
  }

  /** Fields to add to the reply, or null. */
  public RawDocument extraInfo() {
    return extraInfo;
  }

  /** MongoDB calls a number that has no name after itself. */
  public String codeName() {
    ErrorCode known = ErrorCode.ofNumber(number);
    return known.code() == number ? known.codeName() : "Location" + number;
  }
}
