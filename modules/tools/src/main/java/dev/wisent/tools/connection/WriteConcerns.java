package dev.wisent.tools.connection;

import com.mongodb.WriteConcern;
import dev.wisent.tools.command.ToolException;
import java.util.concurrent.TimeUnit;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;

/** The values of {@code --writeConcern}. */
public final class WriteConcerns {
  private WriteConcerns() {}

  /** {@code majority}, a number, a tag, or a document with w, j and wtimeout. */
  public static WriteConcern parse(String text) throws ToolException {
    try {
      if (!text.startsWith("{")) {
        return text.matches("\\d+")
            ? new WriteConcern(Integer.parseInt(text))
            : new WriteConcern(text);
      }
      BsonDocument document = BsonDocument.parse(text);
      WriteConcern concern = WriteConcern.MAJORITY;
      for (String name : document.keySet()) {
        BsonValue value = document.get(name);
        concern =
            switch (name) {
              case "w" ->
                  value.isNumber()
                      ? concern.withW(value.asNumber().intValue())
                      : concern.withW(value.asString().getValue());
              case "j", "journal" -> concern.withJournal(value.asBoolean().getValue());
              case "wtimeout" ->
                  concern.withWTimeout(value.asNumber().longValue(), TimeUnit.MILLISECONDS);
              default -> throw new IllegalArgumentException("unknown field '" + name + "'");
            };
      }
      return concern;
    } catch (IllegalArgumentException | JsonParseException | BSONException e) {
      throw ToolException.badOption("--writeConcern " + text + ": " + e.getMessage());
    }
  }
}
