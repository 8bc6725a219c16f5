package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.match.MatchExpression;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The {@code arrayFilters} of an update: conditions by the identifier that each is about. */
final class ArrayFilters {
  private static final Pattern IDENTIFIER = Pattern.compile("[a-z][a-zA-Z0-9]*");

  private ArrayFilters() {}

  static Map<String, ElementCondition> parse(List<RawDocument> filters, UpdateContext context) {
    if (filters.isEmpty()) {
      return Map.of();
    }
    var conditions = new TreeMap<String, ElementCondition>();
    for (RawDocument filter : filters) {
      MatchExpression expression;
      String identifier;
      try {
        expression = ElementConditions.parseFilter(filter, context);
        identifier = identifier(expression);
      } catch (CommandException e) {
        throw new CommandException(
            e.code(), "Error parsing array filter :: caused by :: " + e.getMessage(), e.labels());
      }
      if (identifier == null) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE,
            "Cannot use an expression without a top-level field name in arrayFilters");
      }
      if (conditions.putIfAbsent(identifier, expression::matchesElement) != null) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE,
            "Found multiple array filters with the same top-level field name " + identifier);
      }
    }
    return conditions;
  }

  /** The first part of all paths, or null where there is no path. */
  private static String identifier(MatchExpression expression) {
    var found = new String[1];
    expression.forEachPath(
        path -> {
          String name = firstPart(path.toString());
          if (found[0] != null && !found[0].equals(name)) {
            throw new CommandException(
                ErrorCode.FAILED_TO_PARSE,
                "Expected a single top-level field name, found '"
                    + found[0]
                    + "' and '"
                    + name
                    + "'");
          }
          found[0] = name;
        });
    if (found[0] != null && !IDENTIFIER.matcher(found[0]).matches()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The top-level field name must be an alphanumeric string beginning with a lowercase"
              + " letter, found '"
              + found[0]
              + "'");
    }
    return found[0];
  }

  private static String firstPart(String path) {
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }
}
