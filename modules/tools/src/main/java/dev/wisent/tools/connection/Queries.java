package dev.wisent.tools.connection;

import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.BSONException;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;

/** Flags that say what is read, and where. */
public final class Queries {
  private Queries() {}

  /** Of {@code --query} or {@code --queryFile}. */
  public static Optional<BsonDocument> filter(Flags flags) throws ToolException {
    flags.exclude("query", "queryFile");
    if (flags.has("queryFile")) {
      try {
        return Optional.of(
            parse("--queryFile", Files.readString(Path.of(flags.text("queryFile").get()))));
      } catch (IOException e) {
        throw ToolException.badOption("cannot read the query: " + e);
      }
    }
    return flags.has("query")
        ? Optional.of(parse("--query", flags.text("query").get()))
        : Optional.empty();
  }

  /** A document of Extended JSON. */
  public static BsonDocument parse(String flag, String json) throws ToolException {
    try {
      return BsonDocument.parse(json);
    } catch (JsonParseException | BSONException e) {
      throw ToolException.badOption(flag + " is no JSON document: " + e.getMessage());
    }
  }

  /** Of {@code --readPreference}; null for that of the connection string. */
  public static ReadPreference readPreference(Flags flags) throws ToolException {
    return flags.has("readPreference") ? readPreference(flags.text("readPreference").get()) : null;
  }

  /** A mode, or a document with {@code mode}, {@code tagSets} and {@code maxStalenessSeconds}. */
  static ReadPreference readPreference(String text) throws ToolException {
    try {
      if (!text.startsWith("{")) {
        return ReadPreference.valueOf(text);
      }
      BsonDocument document = BsonDocument.parse(text);
      String mode = document.getString("mode").getValue();
      List<TagSet> sets = new ArrayList<>();
      for (BsonValue set : document.getArray("tagSets", new BsonArray())) {
        List<Tag> tags = new ArrayList<>();
        set.asDocument()
            .forEach((name, value) -> tags.add(new Tag(name, value.asString().getValue())));
        sets.add(new TagSet(tags));
      }
      if (document.containsKey("maxStalenessSeconds")) {
        return ReadPreference.valueOf(
            mode, sets, document.getNumber("maxStalenessSeconds").longValue(), TimeUnit.SECONDS);
      }
      return sets.isEmpty() ? ReadPreference.valueOf(mode) : ReadPreference.valueOf(mode, sets);
    } catch (IllegalArgumentException | JsonParseException | BSONException e) {
      throw ToolException.badOption("--readPreference " + text + ": " + e.getMessage());
    }
  }
}
