package dev.wisent.server.command.concern;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.replication.concern.WriteMode;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How far a write must have got before it is acknowledged.
 *
 * @param mode who must have it; null if that was not said
 * @param timeoutMillis how long to wait for others; 0 for as long as it takes
 * @param provenance null if that is not known yet
 */
record WriteConcern(WriteMode mode, Sync sync, long timeoutMillis, Provenance provenance) {
  /** What a write on a standalone gets that asks for nothing. */
  static final WriteConcern STANDALONE =
      new WriteConcern(WriteMode.PRIMARY, Sync.UNSET, 0, Provenance.IMPLICIT_DEFAULT);

  private static final int MEMBERS_MAX = 50;

  /** Whether the write has to be on disk. */
  enum Sync {
    UNSET,
    NONE,
    FSYNC,
    JOURNAL
  }

  /** Reads a write concern; whether it can be met is another question. */
  static WriteConcern parse(RawDocument given) {
    return parse("writeConcern", given);
  }

  static WriteConcern parse(String path, RawDocument given) {
    WriteMode mode = null;
    Boolean journal = null;
    boolean fsync = false;
    long timeoutMillis = 0;
    Provenance provenance = null;
    ArgumentReader fields = ArgumentReader.of(path, given);
    while (fields.next()) {
      switch (fields.name()) {
        case "w" -> mode = mode(fields.value());
        case "j" -> journal = fields.bool();
        case "wtimeout" -> timeoutMillis = Math.max(0, fields.wholeNumber());
        case "fsync" -> fsync = fields.bool();
        case "provenance" -> provenance = provenance(fields);
        // From the time of getLastError, or between servers: without meaning for a client.
        case "wElectionId", "wOpTime", "getLastError" -> {}
        default -> fields.unknown();
      }
    }
    return new WriteConcern(mode, sync(journal, fsync), timeoutMillis, provenance);
  }

  private static Sync sync(Boolean journal, boolean fsync) {
    if (fsync) {
      if (journal != null && journal) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE, "fsync and j options cannot be used together");
      }
      return Sync.FSYNC;
    }
    if (journal == null) {
      return Sync.UNSET;
    }
    return journal ? Sync.JOURNAL : Sync.NONE;
  }

  private static Provenance provenance(ArgumentReader fields) {
    Provenance provenance = Provenance.of(fields.string());
    if (provenance == null) {
      throw ArgumentTypes.notInEnumeration(fields.path(), fields.string());
    }
    return provenance;
  }

  private static WriteMode mode(RawValue w) {
    if (w.isString()) {
      String name = w.asString();
      return name.equals("majority") ? WriteMode.MAJORITY : new WriteMode.Named(name);
    }
    if (w.isDocument()) {
      return tags(w.asDocument());
    }
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
    return new WriteMode.Members((int) count);
  }

  private static WriteMode tags(RawDocument given) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    ElementCursor tags = given.elements();
    while (tags.next()) {
      if (!tags.value().isNumber()) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE,
            "tags must be a single level document with only number values; found: "
                + tags.name()
                + ": "
                + ValueText.of(tags.value()));
      }
      counts.put(tags.name(), (int) tags.value().toLong());
    }
    if (counts.isEmpty()) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "tagged write concern requires tags");
    }
    return new WriteMode.Tags(counts);
  }

  /** Refuses what needs other members. */
  void checkStandalone(RawDocument given) {
    switch (mode) {
      case WriteMode.Members members -> {
        if (members.count() > 1) {
          throw new CommandException(
              ErrorCode.BAD_VALUE, "cannot use 'w' > 1 when a host is not replicated");
        }
      }
      case WriteMode.Majority majority -> {}
      case WriteMode.Named named -> throw standaloneMode(named.name());
      case WriteMode.Tags tags -> throw standaloneMode(ValueText.of(given.get("w")));
    }
  }

  private static CommandException standaloneMode(String mode) {
    return new CommandException(
        ErrorCode.BAD_VALUE,
        "cannot use non-majority 'w' mode "
            + mode
            + " when a host is not a member of a replica set");
  }

  boolean needsJournal() {
    // With w: 0 a journaled write is journaled all the same; only the answer is not waited for.
    return sync == Sync.JOURNAL || sync == Sync.FSYNC || mode instanceof WriteMode.Majority;
  }

  /** Takes from a default what was not said. */
  WriteConcern withDefault(WriteConcern standard) {
    if (mode != null) {
      return this;
    }
    return new WriteConcern(
        standard.mode,
        sync == Sync.UNSET ? standard.sync : sync,
        timeoutMillis,
        provenance == null ? standard.provenance : provenance);
  }

  WriteConcern from(Provenance source) {
    return provenance == null ? new WriteConcern(mode, sync, timeoutMillis, source) : this;
  }

  /** Its fields, as errors and getDefaultRWConcern show them. */
  void append(BsonBuilder out) {
    switch (mode) {
      case WriteMode.Members members -> out.appendInt32("w", members.count());
      case WriteMode.Majority majority -> out.appendString("w", "majority");
      case WriteMode.Named named -> out.appendString("w", named.name());
      case WriteMode.Tags tags -> {
        out.startDocument("w");
        tags.counts().forEach(out::appendInt32);
        out.end();
      }
    }
    switch (sync) {
      case UNSET -> {}
      case NONE -> out.appendBoolean("j", false);
      case FSYNC -> out.appendBoolean("fsync", true);
      case JOURNAL -> out.appendBoolean("j", true);
    }
    out.appendInt32("wtimeout", (int) Math.min(timeoutMillis, Integer.MAX_VALUE));
  }
}
