package dev.wisent.server.authorization;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.privilege.Principal;

/**
 * A stage in a pipeline that is to run.
 *
 * @param collection of the pipeline; {@link PipelineAccess#WHOLE_DATABASE} where it has none
 * @param bypassValidation whether what the pipeline writes is to be stored unchecked
 */
record StageUse(
    Principal principal,
    String database,
    String collection,
    boolean bypassValidation,
    RawValue argument) {

  boolean isOnDatabase() {
    return collection.equals(PipelineAccess.WHOLE_DATABASE);
  }

  boolean mayOnOwn(Action action) {
    return principal.onCollection(database, collection, action);
  }

  /** The argument, where it is a document. */
  RawDocument options() {
    return argument.isDocument() ? argument.asDocument() : RawDocument.EMPTY;
  }

  /** Whether a pipeline inside of this stage may run. */
  boolean allows(RawValue pipeline, String onDatabase, String onCollection) {
    return PipelineAccess.allows(pipeline, in(onDatabase, onCollection));
  }

  private StageUse in(String otherDatabase, String otherCollection) {
    return new StageUse(principal, otherDatabase, otherCollection, bypassValidation, argument);
  }

  StageUse with(RawValue other) {
    return new StageUse(principal, database, collection, bypassValidation, other);
  }
}
