package dev.wisent.database.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.pipeline.changestream.FullDocument;
import dev.wisent.pipeline.changestream.FullDocumentBeforeChange;
import dev.wisent.query.diff.DiffApplier;
import java.util.Set;

/** Finds the documents that a stream asks for beside what the oplog says. */
final class EventImages {
  private static final Set<String> WITH_BEFORE = Set.of("update", "replace", "delete");

  private final FullDocument fullDocument;
  private final FullDocumentBeforeChange before;
  private final ChangeImages images;
  private final CurrentDocuments current;

  /**
   * @param lookups whether a stage looks at the newest versions
   */
  EventImages(
      ChangeStreamStage stage, ChangeImages images, CurrentDocuments current, boolean lookups) {
    boolean needless = stage.fullDocument() == FullDocument.UPDATE_LOOKUP && !lookups;
    this.fullDocument = needless ? FullDocument.DEFAULT : stage.fullDocument();
    this.before = stage.fullDocumentBeforeChange();
    this.images = images;
    this.current = current;
  }

  /** What an event needs, found once. */
  final class OfEvent {
    private final ChangeEvent event;
    private final OperationContext operation;
    private RawDocument image;
    private boolean looked;

    OfEvent(ChangeEvent event, OperationContext operation) {
      this.event = event;
      this.operation = operation;
    }

    /** The document before the change; null for an event without. */
    RawValue before() {
      if (before == FullDocumentBeforeChange.OFF || !WITH_BEFORE.contains(event.operationType())) {
        return null;
      }
      return orNull(
          image(),
          before == FullDocumentBeforeChange.REQUIRED,
          "a pre-image for all update, delete and replace events, but the pre-image");
    }

    /** The document after the change; null for an event without. */
    RawValue after() {
      if (event.update() == null) {
        return event.fullDocument() == null ? null : RawValue.ofDocument(event.fullDocument());
      }
      return switch (fullDocument) {
        case DEFAULT -> null;
        case UPDATE_LOOKUP ->
            orNull(
                current.find(event.namespace(), event.uuid(), event.documentKey(), operation),
                false,
                "");
        case WHEN_AVAILABLE, REQUIRED ->
            orNull(
                updated(),
                fullDocument == FullDocument.REQUIRED,
                "a post-image for all update events, but the post-image");
      };
    }

    private RawDocument updated() {
      RawDocument old = image();
      return old == null ? null : DiffApplier.apply(event.update().get("diff").asDocument(), old);
    }

    private RawDocument image() {
      if (!looked) {
        looked = true;
        OplogChange change = event.change();
        image = images.before(event.uuidValue(), change.imageTime(), change.imagePosition());
      }
      return image;
    }

    private RawValue orNull(RawDocument found, boolean required, String what) {
      if (found == null && required) {
        throw new CommandException(
            ErrorCode.NO_MATCHING_DOCUMENT,
            "Change stream was configured to require "
                + what
                + " was not found for event: "
                + EventDocument.head(event));
      }
      return found == null ? RawValue.NULL : RawValue.ofDocument(found);
    }
  }
}
