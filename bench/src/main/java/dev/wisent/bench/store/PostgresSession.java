package dev.wisent.bench.store;

import dev.wisent.bench.data.BenchDocument;
import dev.wisent.bench.data.JsonSink;
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
  public int range(String collection, String field, long from, long to) {
    String expression = PostgresStore.integerField(field);
    return rows(
        "select doc from "
            + collection
            + " where "
            + expression
            + " >= ? and "
            + expression
            + " < ?",
        s -> {
          s.setLong(1, from);
          s.setLong(2, to);
        });
  }

  @Override
  public int sortedRange(String collection, String field, long from, int limit) {
    String expression = PostgresStore.integerField(field);
    return rows(
        "select doc from "
            + collection
            + " where "
            + expression
            + " >= ? order by "
            + expression
            + " limit ?",
        s -> {
          s.setLong(1, from);
          s.setInt(2, limit);
        });
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
  public long count(String collection, String field, long value) {
    String sql =
        "select count(*) from "
            + collection
            + " where "
            + PostgresStore.integerField(field)
            + " = ?";
    try {
      PreparedStatement statement = statement(sql);
      statement.setLong(1, value);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    } catch (SQLException e) {
      throw failed(sql, e);
    }
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
