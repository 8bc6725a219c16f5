package dev.wisent.server.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** Looks into replies. */
public final class Replies {
  private Replies() {}

  public static void assertError(BsonDocument reply, int code, String message) {
    assertThat(reply.getNumber("ok").doubleValue()).as("%s", reply).isZero();
    assertThat(reply.getNumber("code").intValue()).as("%s", reply).isEqualTo(code);
    assertThat(reply.getString("errmsg").getValue()).isEqualTo(message);
    assertThat(reply.getString("codeName").getValue()).isNotEmpty();
  }

  public static void assertCode(BsonDocument reply, int code) {
    assertThat(reply.getNumber("ok").doubleValue()).as("%s", reply).isZero();
    assertThat(reply.getNumber("code").intValue()).as("%s", reply).isEqualTo(code);
  }

  public static void assertOk(BsonDocument reply) {
    assertThat(reply.getNumber("ok").doubleValue()).as("%s", reply).isEqualTo(1);
  }

  /** A document as JSON that keeps the types of numbers. */
  public static String json(BsonDocument document) {
    return document.toJson(JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build());
  }

  /** The first batch or the next one, whichever the reply has. */
  public static List<BsonValue> batch(BsonDocument reply) {
    BsonDocument cursor = reply.getDocument("cursor");
    return cursor
        .getArray(cursor.containsKey("firstBatch") ? "firstBatch" : "nextBatch")
        .getValues();
  }

  public static long cursorId(BsonDocument reply) {
    return reply.getDocument("cursor").getInt64("id").getValue();
  }

  /** A number at a dotted path. */
  public static long number(BsonDocument reply, String path) {
    BsonValue value = reply;
    for (String name : path.split("\\.")) {
      value = value.asDocument().get(name);
      assertThat(value).as("%s in %s", path, reply).isNotNull();
    }
    return value.asNumber().longValue();
  }
}
