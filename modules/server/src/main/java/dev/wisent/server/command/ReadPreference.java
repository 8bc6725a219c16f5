package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;

/**
 * Which members may answer a read. Drivers choose the member; it is up to the member to refuse when
 * it is not the primary and the client did not allow that. Tags and staleness are the driver's
 * business, so they are only checked here.
 */
public enum ReadPreference {
  PRIMARY("primary"),
  PRIMARY_PREFERRED("primaryPreferred"),
  SECONDARY("secondary"),
  SECONDARY_PREFERRED("secondaryPreferred"),
  NEAREST("nearest");

  private static final String NAME = "$readPreference";
  private static final long STALENESS_SECONDS_MIN = 90;

  private final String mode;

  ReadPreference(String mode) {
    this.mode = mode;
  }

  public boolean allowsSecondary() {
    return this != PRIMARY;
  }

  /** Reads and checks a {@code $readPreference}. */
  public static ReadPreference parse(RawDocument given) {
    ReadPreference preference = null;
    boolean tagged = false;
    boolean hedged = false;
    long stalenessSeconds = 0;
    ArgumentReader fields = ArgumentReader.of(NAME, given);
    while (fields.next()) {
      switch (fields.name()) {
        case "mode" -> preference = ofMode(fields.path(), fields.string());
        case "tags" -> tagged = hasTags(fields);
        case "maxStalenessSeconds" -> stalenessSeconds = staleness(fields.wholeNumber());
        case "hedge" -> hedged = isHedged(fields.path(), fields.document());
        case "$_isPretargeted" -> fields.strictBool();
        default -> fields.unknown();
      }
    }
    if (preference == null) {
      throw ArgumentTypes.missing(NAME + ".mode");
    }
    if (preference == PRIMARY) {
      checkPrimary(tagged, hedged, stalenessSeconds);
    }
    return preference;
  }

  private static void checkPrimary(boolean tagged, boolean hedged, long stalenessSeconds) {
    if (hedged) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "cannot enable hedging for $readPreference mode \"primaryOnly\"");
    }
    if (tagged) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Only empty tags are allowed with primary read preference");
    }
    if (stalenessSeconds > 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "maxStalenessSeconds can not be set for the primary mode");
    }
  }

  private static ReadPreference ofMode(String path, String mode) {
    for (ReadPreference preference : values()) {
      if (preference.mode.equals(mode)) {
        return preference;
      }
    }
    throw ArgumentTypes.notInEnumeration(path, mode);
  }

  /** Whether a list of tag sets asks for anything; {@code [{}]} does not. */
  private static boolean hasTags(ArgumentReader fields) {
    var sets = fields.documents();
    return !sets.isEmpty() && !(sets.size() == 1 && sets.getFirst().isEmpty());
  }

  private static long staleness(long seconds) {
    if (seconds < 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "maxStalenessSeconds must be a non-negative integer");
    }
    if (seconds > 0 && seconds < STALENESS_SECONDS_MIN) {
      throw new CommandException(
          ErrorCode.MAX_STALENESS_OUT_OF_RANGE,
          "maxStalenessSeconds value can not be less than " + STALENESS_SECONDS_MIN);
    }
    return seconds;
  }

  private static boolean isHedged(String path, RawDocument hedge) {
    boolean enabled = true;
    ElementCursor fields = hedge.elements();
    while (fields.next()) {
      if (!fields.name().equals("enabled")) {
        throw ArgumentTypes.unknown(path + "." + fields.name());
      }
      enabled = ArgumentTypes.strictBool(path + ".enabled", fields.value());
    }
    return enabled;
  }
}
