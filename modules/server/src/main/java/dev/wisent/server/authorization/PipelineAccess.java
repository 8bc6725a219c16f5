package dev.wisent.server.authorization;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.privilege.Principal;

/**
 * Whether a pipeline may run, by the namespaces of its stages, those of nested pipelines too. A
 * view counts by its own name, not by what it is made of.
 */
final class PipelineAccess {
  /** Stands for the collection in a pipeline over a database. */
  static final String WHOLE_DATABASE = "$cmd.aggregate";

  private PipelineAccess() {}

  static boolean allows(
      Principal principal,
      String database,
      String collection,
      boolean bypassValidation,
      RawValue pipeline) {
    return allows(
        pipeline, new StageUse(principal, database, collection, bypassValidation, RawValue.NULL));
  }

  /** Whether a pipeline may run on the collection of a use; what is no pipeline fails later. */
  static boolean allows(RawValue pipeline, StageUse on) {
    if (pipeline == null || !pipeline.isArray()) {
      return on.mayOnOwn(Action.FIND);
    }
    boolean first = true;
    ElementCursor stages = pipeline.elements();
    while (stages.next()) {
      RawValue stage = stages.value();
      ElementCursor fields = stage.isDocument() ? stage.elements() : null;
      boolean named = fields != null && fields.next();
      StageRule rule = named ? StageRules.of(fields.name()) : StageRule.PLAIN;
      if (first && !rule.source() && !on.mayOnOwn(Action.FIND)) {
        return false;
      }
      first = false;
      if (named && !rule.allows().test(on.with(fields.value()))) {
        return false;
      }
    }
    return !first || on.mayOnOwn(Action.FIND);
  }

  /** Whether a pipeline begins with a stage that makes documents itself. */
  static boolean beginsWithSource(RawValue pipeline) {
    if (pipeline == null || !pipeline.isArray()) {
      return false;
    }
    ElementCursor stages = pipeline.elements();
    if (!stages.next() || !stages.value().isDocument()) {
      return false;
    }
    ElementCursor fields = stages.value().elements();
    return fields.next() && StageRules.of(fields.name()).source();
  }
}
