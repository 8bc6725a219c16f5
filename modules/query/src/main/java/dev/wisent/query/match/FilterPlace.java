package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.Set;

/** Where a filter stands. Some operators are for queries only. */
public enum FilterPlace {
  /** The filter of a find, an update or a delete: everything is allowed. */
  QUERY(Set.of()),
  /** The {@code $match} of a pipeline. */
  PIPELINE(Set.of("$where", "$near", "$nearSphere", "$geoNear")),
  /** The validator of a collection. */
  VALIDATOR(Set.of("$where", "$text", "$near", "$nearSphere", "$geoNear")),
  /** Conditions that must be decided on the bytes alone: of indexes, and inside updates. */
  PLAIN(Set.of("$where", "$text", "$near", "$nearSphere", "$geoNear", "$expr", "$jsonSchema"));

  private final Set<String> refused;

  FilterPlace(Set<String> refused) {
    this.refused = refused;
  }

  void check(String operator) {
    if (!refused.contains(operator)) {
      return;
    }
    throw switch (operator) {
      case "$near", "$nearSphere", "$geoNear" ->
          notAllowed(ErrorCode.NEAR_NOT_ALLOWED, "$geoNear, $near, and $nearSphere are");
      case "$expr", "$jsonSchema" ->
          notAllowed(ErrorCode.QUERY_FEATURE_NOT_ALLOWED, operator + " is");
      default -> notAllowed(ErrorCode.BAD_VALUE, operator + " is");
    };
  }

  private static CommandException notAllowed(ErrorCode code, String subject) {
    return new CommandException(code, subject + " not allowed in this context");
  }
}
