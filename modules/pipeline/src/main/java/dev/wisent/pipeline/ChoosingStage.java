package dev.wisent.pipeline;

import dev.wisent.query.expression.Dependencies;

/** Gives some of the documents as they are, and looks at none of their fields to choose them. */
interface ChoosingStage extends Stage {
  @Override
  default Sight addDependencies(Dependencies dependencies) {
    return Sight.OF_INPUT;
  }

  @Override
  default ModifiedPaths modifiedPaths() {
    return ModifiedPaths.NONE;
  }
}
