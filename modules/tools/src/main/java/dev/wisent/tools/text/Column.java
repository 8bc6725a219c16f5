package dev.wisent.tools.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column of rows that are read.
 *
 * @param path of the field, by its parts
 */
public record Column(List<String> path, ColumnType type, String typeName) {
  private static final Pattern TYPED = Pattern.compile("(?s)(.*)\\.(\\w+)\\((.*)\\)");

  public Column {
    path = List.copyOf(path);
  }

  public String name() {
    return String.join(".", path);
  }

  /**
   * @param typed whether the names end with types, as in {@code size.int32()}
   */
  public static List<Column> of(List<String> names, boolean typed) throws TextException {
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(typed ? typed(name) : auto(name));
    }
    return columns;
  }

  /** Of a value that no name is given for. */
  public static Column auto(String name) throws TextException {
    return new Column(parts(name), ColumnType.AUTO, "auto");
  }

  private static Column typed(String text) throws TextException {
    Matcher found = TYPED.matcher(text);
    if (!found.matches()) {
      throw new TextException("'" + text + "' is no NAME.TYPE(ARGUMENT)");
    }
    String argument = found.group(3).replaceAll("\\\\([\\\\()])", "$1");
    return new Column(
        parts(found.group(1)), ColumnType.of(found.group(2), argument), found.group(2));
  }

  private static List<String> parts(String name) throws TextException {
    List<String> parts = List.of(name.split("\\.", -1));
    if (parts.contains("") || parts.getFirst().startsWith("$")) {
      throw new TextException("'" + name + "' is no name of a field");
    }
    return parts;
  }
}
