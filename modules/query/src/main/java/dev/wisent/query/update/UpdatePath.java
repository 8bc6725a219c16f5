package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.query.update.element.FieldName;
import dev.wisent.query.update.element.StorageRules;
import java.util.ArrayList;
import java.util.List;

/** A path as an update names it, with {@code $}, {@code $[]} and {@code $[id]} in it. */
record UpdatePath(String dotted, List<FieldName> parts) {
  static final String POSITIONAL = "$";

  /** Splits a path and refuses what no update may use, also paths deeper than documents are. */
  static UpdatePath parse(String dotted) {
    if (dotted.isEmpty()) {
      throw new CommandException(ErrorCode.EMPTY_FIELD_NAME, "An empty update path is not valid.");
    }
    var path = new UpdatePath(dotted, split(dotted));
    path.checkNames();
    path.checkPositional();
    return path;
  }

  private static List<FieldName> split(String dotted) {
    int dot = dotted.indexOf('.');
    if (dot < 0) {
      return List.of(FieldName.of(dotted));
    }
    var parts = new ArrayList<FieldName>(4);
    int from = 0;
    for (; dot >= 0; dot = dotted.indexOf('.', from)) {
      parts.add(FieldName.of(dotted.substring(from, dot)));
      StorageRules.checkLevel(parts.size() + 1);
      from = dot + 1;
    }
    parts.add(FieldName.of(dotted.substring(from)));
    return List.copyOf(parts);
  }

  private void checkNames() {
    for (FieldName part : parts) {
      if (part.text().isEmpty()) {
        throw new CommandException(
            ErrorCode.EMPTY_FIELD_NAME,
            "The update path '" + dotted + "' contains an empty field name, which is not allowed.");
      }
    }
  }

  private void checkPositional() {
    int count = 0;
    for (FieldName part : parts) {
      count += isPositional(part) ? 1 : 0;
    }
    if (count > 1) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Too many positional (i.e. '$') elements found in path '" + dotted + "'");
    }
    if (isPositional(parts.getFirst())) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Cannot have positional (i.e. '$') element in the first position in path '"
              + dotted
              + "'");
    }
  }

  int size() {
    return parts.size();
  }

  FieldName part(int i) {
    return parts.get(i);
  }

  FieldName last() {
    return parts.getLast();
  }

  /** The first {@code count} components. */
  String prefix(int count) {
    var joined = new StringBuilder(parts.getFirst().text());
    for (int i = 1; i < count; i++) {
      joined.append('.').append(parts.get(i).text());
    }
    return joined.toString();
  }

  boolean isPrefixOf(UpdatePath other) {
    return size() <= other.size() && parts.equals(other.parts.subList(0, size()));
  }

  /**
   * Whether what it means depends on the document, through {@code $}, {@code $[]} or {@code $[id]}.
   */
  boolean isDynamic() {
    return parts.stream().anyMatch(part -> isPositional(part) || isArrayFilter(part));
  }

  boolean hasPositional() {
    for (FieldName part : parts) {
      if (isPositional(part)) {
        return true;
      }
    }
    return false;
  }

  static boolean isPositional(FieldName part) {
    return part.text().equals(POSITIONAL);
  }

  /** {@code $[]} or {@code $[id]}. */
  static boolean isArrayFilter(FieldName part) {
    return part.text().startsWith("$[") && part.text().endsWith("]");
  }

  /** The identifier of a {@code $[id]}, empty for {@code $[]}. */
  static String identifier(FieldName arrayFilter) {
    String text = arrayFilter.text();
    return text.substring(2, text.length() - 1);
  }
}
