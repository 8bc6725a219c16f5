package dev.wisent.server.authorization;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.privilege.Action;

/** What the stages need that write. */
final class OutputStages {
  private OutputStages() {}

  /** A collection that stands in the place of another one. */
  static boolean out(StageUse use) {
    return on(use, use.argument(), Action.INSERT, Action.REMOVE);
  }

  static boolean merge(StageUse use) {
    if (use.argument().isString()) {
      return on(use, use.argument(), Action.INSERT, Action.UPDATE);
    }
    RawDocument options = use.options();
    RawValue into = Arguments.field(options, "into");
    boolean inserts = mode(options, "whenNotMatched", "insert").equals("insert");
    boolean updates = !mode(options, "whenMatched", "merge").equals("fail");
    if (inserts && updates) {
      return on(use, into, Action.INSERT, Action.UPDATE);
    }
    return on(use, into, inserts ? Action.INSERT : Action.UPDATE);
  }

  /** What is to be done; a pipeline, and what there is not, count as an update or insert. */
  private static String mode(RawDocument options, String name, String otherwise) {
    RawValue given = Arguments.field(options, name);
    return given == null || !given.isString() ? otherwise : given.asString();
  }

  /**
   * @param target a collection's name, or a document with that and a database's
   */
  private static boolean on(StageUse use, RawValue target, Action... actions) {
    String database = use.database();
    String collection = Arguments.text(target);
    if (target != null && target.isDocument()) {
      String named = Arguments.text(target.asDocument(), "db");
      database = named == null ? database : named;
      collection = Arguments.text(target.asDocument(), "coll");
    }
    if (collection == null) {
      // The stage is refused when it is parsed.
      collection = use.collection();
    }
    for (Action action : actions) {
      if (!use.principal().onCollection(database, collection, action)) {
        return false;
      }
    }
    return !use.bypassValidation()
        || use.principal().onCollection(database, collection, Action.BYPASS_DOCUMENT_VALIDATION);
  }
}
