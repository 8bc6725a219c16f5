package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;

/**
 * How far a write must have got before it is acknowledged.
 *
 * @param members how many members must have it; 1 also stands for a majority of one
 * @param majority whether a majority was asked for, which implies a journaled write
 */
public record WriteConcern(int members, boolean majority, boolean journal, long timeoutMillis) {
  /** What a write without a write concern gets. */
  public static final WriteConcern DEFAULT = new WriteConcern(1, false, false, 0);

  private static final int MEMBERS_MAX = 50;

  /** Reads a write concern as a standalone node understands it; null gives the default. */
  public static WriteConcern parse(RawValue value) {
    if (value == null || value.isNullish()) {
      return DEFAULT;
    }
    int members = 1;
    boolean majority = false;
    boolean journal = false;
    long timeoutMillis = 0;
    ArgumentTypes.document("writeConcern", value);
    ArgumentReader fields = ArgumentReader.of("writeConcern", value.asDocument());
    while (fields.next()) {
      switch (fields.name()) {
        case "w" -> {
          if (fields.value().isString()) {
            majority = requireMajority(fields.string());
          } else {
            members = memberCount(fields.value());
          }
        }
        case "j" -> journal = fields.bool();
        case "wtimeout" -> timeoutMillis = Math.max(0, fields.wholeNumber());
        case "fsync" -> journal |= fields.bool();
        case "wElectionId", "wOpTime", "getLastError", "provenance" -> {}
        default -> fields.unknown();
      }
    }
    if (members == 0 && journal) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Cannot use j:true with w:0 in a write concern");
    }
    return new WriteConcern(members, majority, journal, timeoutMillis);
  }

  public boolean isAcknowledged() {
    return members > 0 || majority;
  }

  public boolean needsJournal() {
    return journal || majority;
  }

  private static boolean requireMajority(String mode) {
    if (!mode.equals("majority")) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "cannot use non-majority 'w' mode \"" + mode + "\" when a host is not replicated");
    }
    return true;
  }

  private static int memberCount(RawValue value) {
    if (!value.isNumber()) {
      if (value.type() == ElementType.DOCUMENT) {
        throw new CommandException(
            ErrorCode.BAD_VALUE,
            "cannot use non-majority 'w' mode with tags when a host is not replicated");
      }
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "w has to be a number, string, or object");
    }
    long count = value.toLong();
    if (count < 0 || count > MEMBERS_MAX) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "w has to be a non-negative number and not greater than " + MEMBERS_MAX
              + "; found: " + count);
    }
    if (count > 1) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "cannot use 'w' > 1 when a host is not replicated");
    }
    return (int) count;
  }
}
