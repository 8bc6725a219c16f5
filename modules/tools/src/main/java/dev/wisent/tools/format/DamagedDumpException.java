package dev.wisent.tools.format;

import java.io.IOException;

/** The bytes of a dump are not what its format says, at a place that the message names. */
public final class DamagedDumpException extends IOException {
  private static final long serialVersionUID = 1L;

  public DamagedDumpException(String message) {
    super(message);
  }
}
