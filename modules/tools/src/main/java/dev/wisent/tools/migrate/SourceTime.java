package dev.wisent.tools.migrate;

import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/** Cluster times of the source. */
final class SourceTime {
  /** What the bytes of a resume token begin with: a key of one timestamp. */
  private static final String TIMESTAMP = "82";

  private static final int DIGITS = 8;

  private SourceTime() {}

  /** A time that no write which is acknowledged by now is later than. */
  static BsonTimestamp now(Deployment source) {
    if (source.kind() == Kind.ROUTER) {
      // All shards answer, and the answers bring their times.
      source.admin(new BsonDocument("listDatabases", new BsonInt32(1)));
    }
    BsonDocument reply = source.admin(new BsonDocument("ping", new BsonInt32(1)));
    BsonTimestamp time = reply.getTimestamp("operationTime", new BsonTimestamp(0));
    if (source.kind() == Kind.ROUTER && reply.containsKey("$clusterTime")) {
      time = later(time, reply.getDocument("$clusterTime").getTimestamp("clusterTime"));
    }
    return time;
  }

  static BsonTimestamp later(BsonTimestamp one, BsonTimestamp other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /**
   * The cluster time of a place in a change stream, which is 0 where the token has another form.
   */
  static BsonTimestamp of(BsonDocument token) {
    BsonValue data = token.get("_data");
    if (data == null || !data.isString() || !data.asString().getValue().startsWith(TIMESTAMP)) {
      return new BsonTimestamp(0);
    }
    String hex = data.asString().getValue().substring(TIMESTAMP.length());
    if (hex.length() < 2 * DIGITS) {
      return new BsonTimestamp(0);
    }
    return new BsonTimestamp(
        Integer.parseUnsignedInt(hex.substring(0, DIGITS), 16),
        Integer.parseUnsignedInt(hex.substring(DIGITS, 2 * DIGITS), 16));
  }
}
