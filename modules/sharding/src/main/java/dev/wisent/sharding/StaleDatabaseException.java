package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** A request came with another version of a database than the shard has: StaleDbVersion. */
public final class StaleDatabaseException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final String database;
  private final transient DatabaseVersion received;
  private final transient DatabaseVersion wanted;

  /**
   * @param wanted what the shard has; null where it is not the primary shard of the database
   */
  public StaleDatabaseException(
      String message, String database, DatabaseVersion received, DatabaseVersion wanted) {
    super(ErrorCode.STALE_DB_VERSION, message);
    this.database = database;
    this.received = received;
    this.wanted = wanted;
  }

  /** From an error reply of a shard, or an entry of its {@code writeErrors}. */
  public static StaleDatabaseException of(RawDocument error) {
    RawValue wanted = error.get("vWanted");
    return new StaleDatabaseException(
        error.get("errmsg").asString(),
        error.get("db").asString(),
        DatabaseVersion.of(error.get("vReceived").asDocument()),
        wanted == null ? null : DatabaseVersion.of(wanted.asDocument()));
  }

  @Override
  public CommandException during(String context) {
    return new StaleDatabaseException(
        super.during(context).getMessage(), database, received, wanted);
  }

  public String database() {
    return database;
  }

  public DatabaseVersion received() {
    return received;
  }

  /** Null where the shard is not the primary shard of the database. */
  public DatabaseVersion wanted() {
    return wanted;
  }

  /** The fields that the error has besides code and message. */
  public void append(BsonBuilder out) {
    out.appendString("db", database);
    out.appendDocument("vReceived", received.toDocument());
    if (wanted != null) {
      out.appendDocument("vWanted", wanted.toDocument());
    }
  }
}
