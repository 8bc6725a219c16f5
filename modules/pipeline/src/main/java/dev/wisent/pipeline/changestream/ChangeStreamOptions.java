package dev.wisent.pipeline.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/** Reads the options of {@code $changeStream}, with MongoDB's complaints. */
final class ChangeStreamOptions {
  private ResumeToken resumeAfter;
  private ResumeToken startAfter;
  private Long startAtOperationTime;
  private FullDocument fullDocument = FullDocument.DEFAULT;
  private FullDocumentBeforeChange before = FullDocumentBeforeChange.OFF;
  private boolean allChangesForCluster;
  private boolean showExpandedEvents;
  private boolean showSystemEvents;
  private boolean showMigrationEvents;
  private boolean showRawUpdateDescription;
  private boolean merged;
  private final boolean ofRouter;

  private ChangeStreamOptions(boolean ofRouter) {
    this.ofRouter = ofRouter;
  }

  /**
   * @param ofRouter whether a router has written them for a shard
   */
  static ChangeStreamStage parse(RawValue argument, boolean ofRouter) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_NOT_OBJECT, "$changeStream stage expects a document as argument");
    }
    var options = new ChangeStreamOptions(ofRouter);
    Set<String> seen = new HashSet<>();
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      if (!seen.add(fields.name())) {
        throw new CommandException(
            ErrorCode.IDL_DUPLICATE_FIELD,
            "BSON field '" + path(fields.name()) + "' is a duplicate field");
      }
      options.read(fields.name(), fields.value());
    }
    options.checkStart();
    return options.toStage(argument.asDocument().detached());
  }

  private void read(String name, RawValue value) {
    switch (name) {
      case "resumeAfter" -> resumeAfter = token(name, value);
      case "startAfter" -> startAfter = token(name, value);
      case "startAtOperationTime" -> {
        require(name, value, ElementType.TIMESTAMP, "timestamp");
        startAtOperationTime = value.asInt64();
      }
      case "fullDocument" ->
          fullDocument = choice(name, value, FullDocument.values(), FullDocument::text);
      case "fullDocumentBeforeChange" ->
          before =
              choice(
                  name, value, FullDocumentBeforeChange.values(), FullDocumentBeforeChange::text);
      case "allChangesForCluster" -> allChangesForCluster = bool(name, value);
      case "showExpandedEvents" -> showExpandedEvents = bool(name, value);
      case "showSystemEvents" -> showSystemEvents = bool(name, value);
      case "showMigrationEvents" -> showMigrationEvents = bool(name, value);
      case "showRawUpdateDescription" -> showRawUpdateDescription = bool(name, value);
      default -> readOfRouter(name, value);
    }
  }

  private void readOfRouter(String name, RawValue value) {
    if (!ofRouter || !name.equals("merged")) {
      throw new CommandException(
          ErrorCode.IDL_UNKNOWN_FIELD, "BSON field '" + path(name) + "' is an unknown field.");
    }
    merged = bool(name, value);
  }

  private void checkStart() {
    if (resumeAfter != null && startAfter != null) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_TWO_TOKENS,
          "Do not specify both 'resumeAfter' and 'startAfter' in a $changeStream stage");
    }
    if (startAtOperationTime != null && (resumeAfter != null || startAfter != null)) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_TWO_STARTS,
          "Only one type of resume option is allowed, but multiple were found");
    }
    if (resumeAfter != null && resumeAfter.isFromInvalidate()) {
      throw new CommandException(
          ErrorCode.INVALID_RESUME_TOKEN,
          "Attempting to resume a change stream using 'resumeAfter' is not allowed from an"
              + " invalidate notification");
    }
  }

  private ChangeStreamStage toStage(RawDocument source) {
    return new ChangeStreamStage(
        source,
        resumeAfter,
        startAfter,
        startAtOperationTime,
        fullDocument,
        before,
        allChangesForCluster,
        showExpandedEvents,
        showSystemEvents,
        showMigrationEvents,
        showRawUpdateDescription,
        merged);
  }

  private static ResumeToken token(String name, RawValue value) {
    require(name, value, ElementType.DOCUMENT, "object");
    return ResumeToken.parse(value.asDocument());
  }

  private static boolean bool(String name, RawValue value) {
    require(name, value, ElementType.BOOLEAN, "bool");
    return value.asBoolean();
  }

  private static <T> T choice(String name, RawValue value, T[] all, Function<T, String> text) {
    require(name, value, ElementType.STRING, "string");
    for (T each : all) {
      if (text.apply(each).equals(value.asString())) {
        return each;
      }
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE,
        "Enumeration value '%s' for field '%s' is not a valid value."
            .formatted(value.asString(), path(name)));
  }

  private static void require(String name, RawValue value, byte type, String typeName) {
    if (value.type() != type) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '%s' is the wrong type '%s', expected type '%s'"
              .formatted(path(name), ElementType.alias(value.type()), typeName));
    }
  }

  private static String path(String name) {
    return ChangeStreamStage.NAME + "." + name;
  }
}
