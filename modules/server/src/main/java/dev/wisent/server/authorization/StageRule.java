package dev.wisent.server.authorization;

import java.util.function.Predicate;

/**
 * What a stage needs.
 *
 * @param source whether it makes documents itself, so that a pipeline that begins with it does not
 *     read its collection
 */
record StageRule(boolean source, Predicate<StageUse> allows) {
  /** One that needs nothing beside the documents it gets. */
  static final StageRule PLAIN = new StageRule(false, use -> true);

  static StageRule source(Predicate<StageUse> allows) {
    return new StageRule(true, allows);
  }

  static StageRule of(Predicate<StageUse> allows) {
    return new StageRule(false, allows);
  }
}
