package dev.wisent.server.command.concern;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** What both commands about defaults answer. */
final class DefaultConcernsReply {
  private DefaultConcernsReply() {}

  /**
   * @param stored what an administrator has set; null if nothing
   */
  static void append(
      RawDocument stored, DefaultConcerns defaults, long nowMillis, BsonBuilder reply) {
    RawDocument read = DefaultConcerns.concern(stored, DefaultConcerns.READ);
    reply.startDocument(DefaultConcerns.READ);
    reply.appendString(
        "level",
        (read == null
                ? ReadConcern.Level.LOCAL
                : ReadConcern.parse(DefaultConcerns.READ, read).level())
            .text());
    reply.end();
    reply.startDocument(DefaultConcerns.WRITE);
    defaults.writeConcern(stored).append(reply);
    reply.end();
    boolean written = DefaultConcerns.concern(stored, DefaultConcerns.WRITE) != null;
    if (stored != null) {
      appendIfThere(stored, "updateOpTime", reply);
      appendIfThere(stored, "updateWallClockTime", reply);
    }
    reply.appendString("defaultWriteConcernSource", written ? "global" : "implicit");
    reply.appendString("defaultReadConcernSource", read != null ? "global" : "implicit");
    reply.appendDate("localUpdateWallClockTime", nowMillis);
  }

  private static void appendIfThere(RawDocument stored, String name, BsonBuilder reply) {
    RawValue value = stored.get(name);
    if (value != null) {
      reply.append(name, value);
    }
  }
}
