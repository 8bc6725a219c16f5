package dev.wisent.operation.index;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.key.WildcardPaths;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;

/** The {@code wildcardProjection} of an index. */
final class WildcardProjectionCheck {
  private static final String OPTION = "wildcardProjection";

  private WildcardProjectionCheck() {}

  static void check(RawDocument key, RawValue projection) {
    if (!IndexKeyCheck.kind(key).equals(IndexKeyCheck.WILDCARD)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "The field '" + OPTION + "' is only allowed in 'wildcard' indexes");
    }
    if (!projection.isDocument()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "The field '"
              + OPTION
              + "' must be a non-empty object, but got "
              + ElementType.alias(projection.type()));
    }
    if (key.get("$**") == null) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "The field '"
              + OPTION
              + "' is only allowed when 'key' is {\"$**\": ±1} or {\"$**\": \"columnstore\"}");
    }
    if (projection.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "The '" + OPTION + "' field can't be an empty object");
    }
    try {
      WildcardPaths.of(FieldPath.of("$**"), projection.asDocument());
    } catch (CommandException e) {
      throw new CommandException(
          e.code(), "Failed to parse projection: " + OPTION + " :: caused by :: " + e.getMessage());
    }
    if (key.fieldCount() > 1) {
      checkOverlap(key, projection.asDocument());
    }
  }

  /** A path is indexed either as itself or by the wildcard, not both. */
  private static void checkOverlap(RawDocument key, RawDocument projection) {
    List<FieldPath> included = new ArrayList<>();
    List<FieldPath> excluded = new ArrayList<>();
    ElementCursor fields = projection.elements();
    while (fields.next()) {
      (fields.value().isTruthy() ? included : excluded).add(FieldPath.of(fields.name()));
    }
    boolean onlyIdExcluded = excluded.size() == 1 && excluded.getFirst().dotted().equals("_id");
    ElementCursor keyFields = key.elements();
    while (keyFields.next()) {
      if (WildcardPaths.isWildcard(keyFields.name())) {
        continue;
      }
      FieldPath field = FieldPath.of(keyFields.name());
      for (FieldPath path : included) {
        if (isAtOrBelow(field, path)) {
          throw new CommandException(
              ErrorCode.WILDCARD_PROJECTION_OVERLAP,
              "Index Key and Wildcard Projection cannot contain overlapping fields, however '"
                  + field
                  + "' index field is ovverlapping with '"
                  + path
                  + "' wildcardProjection path.");
        }
      }
      if (!excluded.isEmpty()
          && !onlyIdExcluded
          && excluded.stream().noneMatch(path -> isAtOrBelow(field, path))) {
        throw new CommandException(
            ErrorCode.WILDCARD_PROJECTION_NOT_EXCLUDING,
            "wildcardProjection paths must exclude all regular index fields, however '"
                + field
                + "'is not excluded.");
      }
    }
  }

  private static boolean isAtOrBelow(FieldPath field, FieldPath path) {
    return path.equals(field) || path.isPrefixOf(field);
  }
}
