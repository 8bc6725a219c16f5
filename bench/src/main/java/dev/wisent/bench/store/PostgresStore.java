package dev.wisent.bench.store;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** PostgreSQL with JSONB documents. */
public final class PostgresStore implements Store {
  private static final int READ_TIMEOUT_SECONDS = 120;

  private final String url;
  private final String user;
  private final Connection administration;

  /** Clients between two runs, kept as the other driver's pool keeps its connections. */
  private final Queue<PostgresSession> idle = new ConcurrentLinkedQueue<>();

  public PostgresStore(String url, String user) {
    this.url = url;
    this.user = user;
    this.administration = connect();
  }

  @Override
  public String version() {
    try (Statement statement = administration.createStatement();
        ResultSet row = statement.executeQuery("show server_version")) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new StoreException("show server_version", e);
    }
  }

  @Override
  public void create(CollectionSpec spec) {
    drop(spec.name());
    execute("create table " + spec.name() + " (id text primary key, doc jsonb not null)");
    for (List<Field> index : spec.indexes()) {
      if (index.getFirst().type() == Field.Type.PROSE) {
        createTextIndex(spec.name(), index.getFirst());
        continue;
      }
      if (index.getFirst().type() == Field.Type.PLACE) {
        String point = expression(index.getFirst());
        execute("create index on " + spec.name() + " using gist (" + point + ")");
        continue;
      }
      String keys = index.stream().map(PostgresStore::expression).collect(joining(", "));
      execute("create index on " + spec.name() + " (" + keys + ")");
    }
  }

  /** With the words in a column of their own, which ranking would have to take apart again. */
  private void createTextIndex(String table, Field field) {
    execute(
        "alter table %s add column %s tsvector generated always as (to_tsvector('english', %s)) stored"
            .formatted(table, words(field), expression(field)));
    execute("create index on " + table + " using gin (" + words(field) + ")");
  }

  /** The column with the words of a field. */
  static String words(Field field) {
    return field.name() + "_words";
  }

  /** The expression that an index is on; queries must use the same one. */
  static String expression(Field field) {
    String text = "(doc->>'" + field.name() + "')";
    return switch (field.type()) {
      case INTEGER, DATE -> "(" + text + "::bigint)";
      case TEXT, PROSE -> text;
      case PLACE ->
          "point((doc->'%1$s'->>0)::float8, (doc->'%1$s'->>1)::float8)".formatted(field.name());
    };
  }

  @Override
  public void drop(String collection) {
    execute("drop table if exists " + collection);
  }

  @Override
  public void afterLoad(String collection) {
    execute("vacuum analyze " + collection);
  }

  @Override
  public Session session(Durability durability) {
    PostgresSession pooled = idle.poll();
    PostgresSession session = pooled != null ? pooled : new PostgresSession(connect(), idle::add);
    session.synchronousCommit(
        durability == Durability.JOURNALED || durability == Durability.MAJORITY);
    return session;
  }

  private Connection connect() {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    // Named server-side statements from the first execution.
    properties.setProperty("prepareThreshold", "1");
    // Lets the server take our strings as jsonb directly, without a cast from varchar.
    properties.setProperty("stringtype", "unspecified");
    properties.setProperty("reWriteBatchedInserts", "true");
    properties.setProperty("socketTimeout", Integer.toString(READ_TIMEOUT_SECONDS));
    try {
      return DriverManager.getConnection(url, properties);
    } catch (SQLException e) {
      throw new StoreException("connect to " + url, e);
    }
  }

  private void execute(String sql) {
    try (Statement statement = administration.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new StoreException(sql, e);
    }
  }

  @Override
  public void close() {
    idle.forEach(PostgresSession::disconnect);
    try {
      administration.close();
    } catch (SQLException serverGone) {
      // The server is stopped next; there is nothing to tidy.
    }
  }
}
