package dev.wisent.tools.live;

import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Which columns a table has, by {@code -o} and {@code -O}: those of all tables, and values of
 * {@code serverStatus} by their paths, such as {@code metrics.document.inserted.rate()=ins}.
 */
final class StatColumns {
  private static final String HOST = "host";
  private static final String DIFF = ".diff()";
  private static final String RATE = ".rate()";

  /**
   * A column.
   *
   * @param source a name of {@link StatRow}, or a path
   */
  private record Column(String source, String name, boolean diff, boolean rate) {}

  private final List<Column> columns;

  /** Of several columns of one name the first one stays. */
  private StatColumns(List<Column> columns) {
    Map<String, Column> byName = new LinkedHashMap<>();
    columns.forEach(column -> byName.putIfAbsent(column.name(), column));
    this.columns = List.copyOf(byName.values());
  }

  /** Those of all tables. */
  static StatColumns standard(boolean withHosts) {
    List<Column> columns = new ArrayList<>();
    if (withHosts) {
      columns.add(new Column(HOST, HOST, false, false));
    }
    StatRow.names().forEach(name -> columns.add(new Column(name, name, false, false)));
    return new StatColumns(columns);
  }

  /** Those of a list that commas separate. */
  static StatColumns of(String flag, String list) throws ToolException {
    List<Column> columns = new ArrayList<>();
    for (String each : list.split(",")) {
      int equals = each.indexOf('=');
      String source = (equals < 0 ? each : each.substring(0, equals)).strip();
      String name = equals < 0 ? source : each.substring(equals + 1).strip();
      boolean diff = source.endsWith(DIFF);
      boolean rate = source.endsWith(RATE);
      String path = diff || rate ? source.substring(0, source.lastIndexOf('.')) : source;
      if (path.isEmpty() || name.isEmpty() || path.contains("(")) {
        throw ToolException.badOption(
            flag + " takes NAME,... or PATH[.diff()|.rate()][=NAME],..., not '" + each + "'");
      }
      columns.add(new Column(path, name, diff, rate));
    }
    return new StatColumns(columns);
  }

  /** These, and then others. */
  StatColumns and(StatColumns more) {
    List<Column> all = new ArrayList<>(columns);
    all.addAll(more.columns);
    return new StatColumns(all);
  }

  List<String> names() {
    return columns.stream().map(Column::name).toList();
  }

  /**
   * The values of a row, by the names of the columns.
   *
   * @param row all values of a {@link StatRow}
   * @param seconds between the two answers
   */
  Map<String, String> values(
      String host, Map<String, String> row, BsonDocument before, BsonDocument now, double seconds) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Column column : columns) {
      String value =
          column.source().equals(HOST)
              ? host
              : row.containsKey(column.source())
                  ? row.get(column.source())
                  : ofStatus(column, before, now, seconds);
      values.put(column.name(), value);
    }
    return values;
  }

  private static String ofStatus(
      Column column, BsonDocument before, BsonDocument now, double seconds) {
    BsonValue value = at(now, column.source());
    if (!column.diff() && !column.rate()) {
      return value == null ? "" : text(value);
    }
    BsonValue old = at(before, column.source());
    if (value == null || old == null || !value.isNumber() || !old.isNumber()) {
      return "";
    }
    long difference = value.asNumber().longValue() - old.asNumber().longValue();
    return String.valueOf(column.diff() ? difference : Math.round(difference / seconds));
  }

  /** Names of fields may have dots in them, as those of Wisent's storage have. */
  private static BsonValue at(BsonDocument document, String path) {
    BsonValue whole = document.get(path);
    if (whole != null) {
      return whole;
    }
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      if (document.get(path.substring(0, dot)) instanceof BsonDocument inner) {
        return at(inner, path.substring(dot + 1));
      }
    }
    return null;
  }

  private static String text(BsonValue value) {
    if (value.isString()) {
      return value.asString().getValue();
    }
    if (value.isBoolean()) {
      return String.valueOf(value.asBoolean().getValue());
    }
    if (value.isDouble()) {
      return String.valueOf(value.asDouble().getValue());
    }
    if (value.isNumber()) {
      return String.valueOf(value.asNumber().longValue());
    }
    String json = new BsonDocument("v", value).toJson();
    return json.substring(json.indexOf(':') + 1, json.length() - 1).strip();
  }
}
