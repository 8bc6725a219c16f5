package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;

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
  public static WriteConcern parse(RawDocument given) {
    if (given == null) {
      return DEFAULT;
    }
    int members = 1;
    boolean majority = false;
    boolean journal = false;
    boolean fsync = false;
    long timeoutMillis = 0;
    ArgumentReader fields = ArgumentReader.of("writeConcern", given);
    while (fields.next()) {
      switch (fields.name()) {
        case "w" -> {
          majority = isMajority(fields.value());
          members = majority ? 1 : memberCount(fields.value());
        }
        case "j" -> journal = fields.bool();
        case "wtimeout" -> timeoutMillis = Math.max(0, fields.wholeNumber());
        case "fsync" -> fsync = fields.bool();
        // From the time of getLastError, or between servers: without meaning for a client.
        case "wElectionId", "wOpTime", "getLastError", "provenance" -> {}
        default -> fields.unknown();
      }
    }
    if (journal && fsync) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "fsync and j options cannot be used together");
    }
    // With w: 0 a journaled write is journaled all the same; only nobody waits for the answer.
    return new WriteConcern(members, majority, journal || fsync, timeoutMillis);
  }

  public boolean needsJournal() {
    return journal || majority;
  }

  private static boolean isMajority(RawValue w) {
    if (!w.isString() && w.type() != ElementType.DOCUMENT) {
      return false;
    }
    if (w.isString() && w.asString().equals("majority")) {
      return true;
    }
    String mode = w.isString() ? w.asString() : ValueText.of(w);
    throw new CommandException(
        ErrorCode.BAD_VALUE,
        "cannot use non-majority 'w' mode "
            + mode
            + " when a host is not a member of a replica set");
  }

  private static int memberCount(RawValue w) {
    if (!w.isNumber()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "w has to be a number, string, or object; found: " + ElementType.alias(w.type()));
    }
    long count = w.toLong();
    if (count < 0 || count > MEMBERS_MAX) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "w has to be a non-negative number and not greater than "
              + MEMBERS_MAX
              + "; found: "
              + count);
    }
    if (count > 1) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "cannot use 'w' > 1 when a host is not replicated");
    }
    return (int) count;
  }
}
