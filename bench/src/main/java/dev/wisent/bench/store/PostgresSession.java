package dev.wisent.bench.store;

import dev.wisent.bench.data.BenchDocument;
import dev.wisent.bench.data.JsonSink;
import dev.wisent.bench.data.Places;
import dev.wisent.bench.store.Filter.AtLeast;
import dev.wisent.bench.store.Filter.Between;
import dev.wisent.bench.store.Filter.Condition;
import dev.wisent.bench.store.Filter.Equal;
import dev.wisent.bench.store.Filter.Matching;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A client with a connection of its own; each statement is prepared once and autocommits. */
final class PostgresSession implements Session {
  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  private final Consumer<PostgresSession> pool;

  /** Set by a failure, after which the connection is not used again. */
  private boolean broken;

  PostgresSession(Connection connection, Consumer<PostgresSession> pool) {
    this.connection = connection;
    this.pool = pool;
  }

  /** Whether commits from now on wait for the disk. */
  void synchronousCommit(boolean wait) {
    update("set synchronous_commit = " + (wait ? "on" : "off"), s -> {});
  }

  /** Gives a statement its parameters. */
  private interface Parameters {
    void bind(PreparedStatement statement) throws SQLException;
  }

  @Override
  public void insert(String collection, BenchDocument document) {
    update(insertSql(collection), statement -> bind(statement, document));
  }

  @Override
  public void insertMany(String collection, List<BenchDocument> documents) {
    String sql = insertSql(collection);
    try {
      // One transaction and multi-row inserts (the driver rewrites the batch) are the fastest way
      // that still reports a duplicate as an insert does.
      connection.setAutoCommit(false);
      try {
        PreparedStatement statement = statement(sql);
        for (BenchDocument document : documents) {
          bind(statement, document);
          statement.addBatch();
        }
        statement.executeBatch();
        connection.commit();
      } finally {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  private static String insertSql(String collection) {
    return "insert into " + collection + " (id, doc) values (?, ?)";
  }

  private static void bind(PreparedStatement statement, BenchDocument document)
      throws SQLException {
    statement.setString(1, document.id());
    statement.setString(2, document.json());
  }

  @Override
  public boolean read(String collection, String id) {
    return rows("select doc from " + collection + " where id = ?", s -> s.setString(1, id)) == 1;
  }

  @Override
  public boolean increment(String collection, String id, String field) {
    String sql =
        "update "
            + collection
            + " set doc = jsonb_set(doc, '{"
            + field
            + "}', to_jsonb((doc->>'"
            + field
            + "')::int + 1)) where id = ?";
    return update(sql, s -> s.setString(1, id)) == 1;
  }

  @Override
  public boolean setField(String collection, String id, String field, String value) {
    String sql =
        "update " + collection + " set doc = jsonb_set(doc, '{" + field + "}', ?) where id = ?";
    return update(
            sql,
            s -> {
              s.setString(1, JsonSink.quote(value));
              s.setString(2, id);
            })
        == 1;
  }

  @Override
  public int readAll(String collection, List<String> ids) {
    return rows(
        "select doc from " + collection + " where id = any(?)",
        s -> s.setArray(1, connection.createArrayOf("text", ids.toArray())));
  }

  @Override
  public int find(String collection, Filter filter) {
    return rows(select("doc", collection, filter), s -> bind(s, filter));
  }

  @Override
  public int findField(String collection, Filter filter, Field field) {
    String expression = PostgresStore.expression(field);
    return rows(select(expression, collection, filter), s -> bind(s, filter));
  }

  @Override
  public int findSorted(String collection, Filter filter, Field order, int limit) {
    String sql =
        select("doc", collection, filter)
            + " order by "
            + PostgresStore.expression(order)
            + " limit ?";
    return rows(sql, s -> s.setInt(bind(s, filter), limit));
  }

  private static String select(String what, String collection, Filter filter) {
    var sql = new StringBuilder("select " + what + " from " + collection);
    String word = " where ";
    for (Condition condition : filter.conditions()) {
      String expression = PostgresStore.expression(condition.field());
      sql.append(word).append(expression);
      switch (condition) {
        case Equal _ -> sql.append(" = ?");
        case AtLeast _ -> sql.append(" >= ?");
        case Matching _ -> sql.append(" ~ ?");
        case Between _ -> sql.append(" >= ? and ").append(expression).append(" < ?");
      }
      word = " and ";
    }
    return sql.toString();
  }

  /** Gives a statement the values of a filter; returns the number of the next parameter. */
  private static int bind(PreparedStatement statement, Filter filter) throws SQLException {
    int next = 1;
    for (Condition condition : filter.conditions()) {
      switch (condition) {
        case Equal equal -> statement.setObject(next++, equal.value());
        case AtLeast atLeast -> statement.setObject(next++, atLeast.from());
        case Matching matching -> statement.setString(next++, matching.pattern());
        case Between between -> {
          statement.setObject(next++, between.from());
          statement.setObject(next++, between.to());
        }
      }
    }
    return next;
  }

  @Override
  public int scanFrom(String collection, String fromId, int limit) {
    return rows(
        "select id, doc from " + collection + " where id >= ? order by id limit ?",
        s -> {
          s.setString(1, fromId);
          s.setInt(2, limit);
        });
  }

  @Override
  public int search(String collection, Field field, List<String> words, int limit) {
    String column = PostgresStore.words(field);
    String sql =
        "select doc from "
            + collection
            + ", websearch_to_tsquery('english', ?) wanted where "
            + column
            + " @@ wanted order by ts_rank("
            + column
            + ", wanted) desc limit ?";
    return rows(
        sql,
        s -> {
          s.setString(1, String.join(" or ", words));
          s.setInt(2, limit);
        });
  }

  /** On the plane of longitudes and latitudes, which is less work than on the sphere. */
  @Override
  public int near(String collection, Field field, Places.Point point, int limit) {
    String sql =
        "select doc from "
            + collection
            + " order by "
            + PostgresStore.expression(field)
            + " <-> point(?, ?) limit ?";
    return rows(
        sql,
        s -> {
          s.setDouble(1, point.longitude());
          s.setDouble(2, point.latitude());
          s.setInt(3, limit);
        });
  }

  @Override
  public long count(String collection, Filter filter) {
    String sql = select("count(*)", collection, filter);
    try {
      PreparedStatement statement = statement(sql);
      bind(statement, filter);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  @Override
  public int analyse(Analysis analysis) {
    return rows(analysis.sql(), s -> {});
  }

  @Override
  public int fruitlessScan(String collection) {
    return rows("select doc from " + collection + " where doc->>'absent' = 'nowhere'", s -> {});
  }

  private StoreException failed(String sql, SQLException cause) {
    broken = true;
    return new StoreException(sql, cause);
  }

  @Override
  public void close() {
    if (broken) {
      disconnect();
    } else {
      pool.accept(this);
    }
  }

  void disconnect() {
    try {
      connection.close();
    } catch (SQLException serverGone) {
      // Closing a connection that is already broken needs nothing from us.
    }
  }

  private int update(String sql, Parameters parameters) {
    try {
      PreparedStatement statement = statement(sql);
      parameters.bind(statement);
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  private int rows(String sql, Parameters parameters) {
    try {
      PreparedStatement statement = statement(sql);
      parameters.bind(statement);
      try (ResultSet rows = statement.executeQuery()) {
        // The driver has received all rows by now; like the raw documents of the other binding,
        // they stay undecoded.
        int count = 0;
        while (rows.next()) {
          count++;
        }
        return count;
      }
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  private PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }
}
