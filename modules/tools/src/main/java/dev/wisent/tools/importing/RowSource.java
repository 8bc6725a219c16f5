package dev.wisent.tools.importing;

import dev.wisent.tools.importing.ImportSettings.Grace;
import dev.wisent.tools.text.Column;
import dev.wisent.tools.text.ColumnType;
import dev.wisent.tools.text.Rows;
import dev.wisent.tools.text.TextException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Documents of rows: names with dots are documents in documents. */
final class RowSource implements DocumentSource {
  private final Rows rows;
  private final ImportSettings settings;
  private final Consumer<String> messages;
  private final List<Column> columns = new ArrayList<>();
  private long skipped;

  RowSource(Rows rows, ImportSettings settings, Consumer<String> messages)
      throws IOException, TextException {
    this.rows = rows;
    this.settings = settings;
    this.messages = messages;
    List<String> names = settings.header() ? rows.next() : settings.fields();
    if (names != null) {
      columns.addAll(Column.of(names.stream().map(String::strip).toList(), settings.typed()));
    }
    check();
  }

  /** No name twice, and none that is a value and a document. */
  private void check() throws TextException {
    Set<String> names = new HashSet<>();
    for (Column column : columns) {
      if (!names.add(column.name())) {
        throw new TextException("the column " + column.name() + " is there twice");
      }
    }
    for (Column column : columns) {
      for (int i = 1; i < column.path().size(); i++) {
        String outer = String.join(".", column.path().subList(0, i));
        if (names.contains(outer)) {
          throw new TextException(
              "the columns " + outer + " and " + column.name() + " contradict each other");
        }
      }
    }
  }

  @Override
  public long skipped() {
    return skipped;
  }

  @Override
  public BsonDocument next() throws IOException, TextException {
    while (true) {
      List<String> row = rows.next();
      if (row == null) {
        return null;
      }
      BsonDocument document = document(row);
      if (document != null) {
        return document;
      }
      skipped++;
    }
  }

  /** Null for a row that is left out. */
  private BsonDocument document(List<String> row) throws TextException {
    var document = new BsonDocument();
    for (int i = 0; i < row.size(); i++) {
      String text = row.get(i);
      if (text.isEmpty() && settings.ignoreBlanks()) {
        continue;
      }
      Column column = i < columns.size() ? columns.get(i) : Column.auto("field" + i);
      BsonValue value;
      try {
        value = column.type().parse(text);
      } catch (TextException e) {
        String why =
            "row before line %d, column %s: %s"
                .formatted(rows.line(), column.name(), e.getMessage());
        if (settings.grace() == Grace.STOP) {
          throw new TextException(why);
        }
        messages.accept(why);
        if (settings.grace() == Grace.SKIPROW) {
          return null;
        }
        if (settings.grace() == Grace.SKIPFIELD) {
          continue;
        }
        value = ColumnType.AUTO.parse(text);
      }
      put(document, column, 0, value);
    }
    return document;
  }

  private void put(BsonDocument document, Column column, int at, BsonValue value)
      throws TextException {
    String name = column.path().get(at);
    if (at == column.path().size() - 1) {
      document.put(name, value);
      return;
    }
    BsonValue inner = document.get(name);
    if (isIndex(column, at + 1)) {
      BsonArray array = inner == null ? new BsonArray() : array(inner, column);
      document.put(name, array);
      put(array, column, at + 1, value);
    } else {
      if (inner == null) {
        inner = new BsonDocument();
        document.put(name, inner);
      }
      put(document(inner, column), column, at + 1, value);
    }
  }

  private void put(BsonArray array, Column column, int at, BsonValue value) throws TextException {
    int index = Integer.parseInt(column.path().get(at));
    if (index > array.size()) {
      // Blank values before it were left out.
      while (array.size() < index) {
        array.add(BsonNull.VALUE);
      }
    }
    boolean last = at == column.path().size() - 1;
    BsonValue inner = index < array.size() ? array.get(index) : null;
    if (last) {
      set(array, index, value);
    } else if (isIndex(column, at + 1)) {
      BsonArray nested = inner == null ? new BsonArray() : array(inner, column);
      set(array, index, nested);
      put(nested, column, at + 1, value);
    } else {
      BsonDocument nested = inner == null ? new BsonDocument() : document(inner, column);
      set(array, index, nested);
      put(nested, column, at + 1, value);
    }
  }

  private static void set(BsonArray array, int index, BsonValue value) {
    if (index == array.size()) {
      array.add(value);
    } else {
      array.set(index, value);
    }
  }

  private boolean isIndex(Column column, int at) {
    return settings.arrayFields() && column.path().get(at).matches("0|[1-9]\\d{0,4}");
  }

  private static BsonArray array(BsonValue value, Column column) throws TextException {
    if (value.isArray()) {
      return value.asArray();
    }
    throw new TextException("the column " + column.name() + " contradicts another one");
  }

  private static BsonDocument document(BsonValue value, Column column) throws TextException {
    if (value.isDocument()) {
      return value.asDocument();
    }
    throw new TextException("the column " + column.name() + " contradicts another one");
  }
}
