package dev.wisent.query.update;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.update.element.FieldName;
import dev.wisent.query.update.element.StorageRules;

/** An update made of operators. */
public final class ModifierUpdate implements Update {
  private final Branch root;
  private final TouchedPaths touched;
  private final boolean positional;
  private final boolean dollarNames;

  /** Null where the short way is not open. */
  private final TopLevelPatch patch;

  ModifierUpdate(Branch root, TouchedPaths touched, boolean positional) {
    this.root = root;
    this.touched = touched;
    this.positional = positional;
    this.dollarNames = hasDollarNames(root);
    this.patch = TopLevelPatch.of(root);
  }

  private static boolean hasDollarNames(Branch root) {
    for (Branch.Child child : root.children()) {
      if (child.name().text().startsWith("$")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public UpdateOutcome apply(RawDocument original, MatchDetails details, boolean isInsert) {
    if (patch != null && !isInsert) {
      RawDocument patched = patch.apply(original);
      if (patched != null) {
        return patched == original
            ? UpdateOutcome.unchanged(original)
            : new UpdateOutcome(true, patched, touched);
      }
    }
    var walk =
        new UpdateWalk(
            original, details == null ? UpdateWalk.NO_POSITION : details.arrayIndex(), isInsert);
    walk.apply(root);
    if (!walk.changed()) {
      return UpdateOutcome.unchanged(original);
    }
    RawDocument result = walk.document().encode();
    if (!isInsert) {
      Update.checkSize(result);
      if (dollarNames) {
        StorageRules.checkTopLevelNames(result, name -> root.get(FieldName.of(name)) != null);
      }
    }
    return new UpdateOutcome(true, result, touched.and(walk.grownArrays()));
  }

  @Override
  public boolean needsMatchDetails() {
    return positional;
  }
}
