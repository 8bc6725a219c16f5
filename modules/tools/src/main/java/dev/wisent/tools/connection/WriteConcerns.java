package dev.wisent.tools.connection;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.WriteConcern;
import dev.wisent.tools.command.ToolException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;

/** The values of {@code --writeConcern}, and what becomes of them. */
public final class WriteConcerns {
  private WriteConcerns() {}

  /**
   * What is wrong with the write concern of a batch; empty if only documents were refused. A batch
   * may have both, and then what was written may be lost.
   */
  public static Optional<MongoBulkWriteException> failure(MongoBulkWriteException e) {
    return e.getWriteConcernError() == null
        ? Optional.empty()
        : Optional.of(
            new MongoBulkWriteException(
                e.getWriteResult(),
                List.of(),
                e.getWriteConcernError(),
                e.getServerAddress(),
                e.getErrorLabels()));
  }

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
