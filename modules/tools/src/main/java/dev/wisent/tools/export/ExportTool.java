package dev.wisent.tools.export;

import com.mongodb.MongoException;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import dev.wisent.tools.command.FileOutput;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.export.ExportSettings.Type;
import dev.wisent.tools.text.RowText;
import dev.wisent.tools.text.TextException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** {@code wisent export}. */
public final class ExportTool {
  private final ExportSettings settings;
  private final Surroundings surroundings;
  private final JsonWriterSettings json;

  private ExportTool(ExportSettings settings, Surroundings surroundings) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.json =
        JsonWriterSettings.builder()
            .outputMode(settings.canonical() ? JsonMode.EXTENDED : JsonMode.RELAXED)
            .indent(settings.pretty())
            .build();
  }

  public static FlagTable flags() {
    return ExportSettings.flags();
  }

  public static void run(Flags flags, Surroundings surroundings) throws ToolException {
    ExportSettings settings = ExportSettings.parse(flags);
    Messages messages = Messages.of(flags, surroundings.err());
    try (Deployment deployment = Deployment.connect(flags, settings.uri(), surroundings)) {
      new ExportTool(settings, surroundings).run(deployment, messages);
    } catch (MongoException e) {
      throw Deployment.failure("the export has failed", e);
    } catch (TextException e) {
      throw ToolException.failed(e.getMessage(), e);
    } catch (IOException e) {
      throw ToolException.failed("cannot write: " + e, e);
    }
  }

  private void run(Deployment deployment, Messages messages)
      throws IOException, ToolException, TextException {
    if (settings.assertExists() && !exists(deployment)) {
      throw ToolException.failed(
          "there is no collection %s.%s".formatted(settings.database(), settings.collection()));
    }
    long count;
    if (settings.out().equals("-")) {
      count = write(surroundings.data(), deployment, messages);
    } else {
      try (FileOutput file = FileOutput.open(Path.of(settings.out()))) {
        count = write(file.stream(), deployment, messages);
        file.complete();
      }
    }
    messages.say("exported %d record%s".formatted(count, count == 1 ? "" : "s"));
  }

  private long write(OutputStream out, Deployment deployment, Messages messages)
      throws IOException, ToolException, TextException {
    long count = 0;
    try (Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        MongoCursor<RawBsonDocument> cursor = find(deployment).cursor();
        Progress progress = Progress.ofDocuments(surroundings, messages, "export", -1)) {
      begin(writer);
      while (cursor.hasNext()) {
        surroundings.interruption().check();
        write(cursor.next(), count, writer);
        count++;
        progress.add(1);
      }
      end(writer, count);
    }
    return count;
  }

  private boolean exists(Deployment deployment) {
    return deployment
        .database(settings.database())
        .listCollectionNames()
        .into(new ArrayList<>())
        .contains(settings.collection());
  }

  private FindIterable<RawBsonDocument> find(Deployment deployment) {
    MongoCollection<RawBsonDocument> collection =
        deployment
            .database(settings.database())
            .getCollection(settings.collection(), RawBsonDocument.class)
            .withReadPreference(deployment.reading(settings.readPreference()));
    FindIterable<RawBsonDocument> found =
        collection
            .find(settings.filter())
            .sort(settings.sort())
            .skip(settings.skip())
            .limit(settings.limit());
    if (settings.diskUse()) {
      found = found.allowDiskUse(true);
    }
    return settings.fields().isEmpty() ? found : found.projection(projection());
  }

  /** Of paths through arrays only the part before the number: a projection knows no places. */
  private BsonDocument projection() {
    var projection = new BsonDocument();
    for (String field : settings.fields()) {
      String path = field.replaceFirst("\\.\\d+(\\..*)?$", "");
      boolean covered =
          projection.keySet().stream().anyMatch(other -> path.startsWith(other + "."));
      if (!covered) {
        projection.keySet().removeIf(other -> other.startsWith(path + "."));
        projection.append(path, new BsonInt32(1));
      }
    }
    boolean hasId =
        projection.keySet().stream()
            .anyMatch(path -> path.equals("_id") || path.startsWith("_id."));
    if (settings.type() != Type.JSON && !hasId) {
      projection.append("_id", new BsonInt32(0));
    }
    return projection;
  }

  private void begin(Writer writer) throws IOException, TextException {
    if (settings.type() == Type.JSON) {
      writer.write(settings.array() ? "[" : "");
    } else if (settings.header()) {
      writer.write(row(settings.fields()) + "\n");
    }
  }

  private void write(RawBsonDocument document, long before, Writer writer)
      throws IOException, TextException {
    if (settings.type() == Type.JSON) {
      writer.write(before > 0 && settings.array() ? "," : "");
      writer.write(before > 0 && settings.array() && settings.pretty() ? "\n" : "");
      writer.write(document.toJson(json));
      writer.write(settings.array() ? "" : "\n");
      return;
    }
    BsonDocument decoded = document.decode(new BsonDocumentCodec());
    List<String> values = new ArrayList<>();
    for (String field : settings.fields()) {
      values.add(RowText.of(RowText.at(decoded, field)));
    }
    writer.write(row(values) + "\n");
  }

  private void end(Writer writer, long count) throws IOException {
    if (settings.type() == Type.JSON && settings.array()) {
      writer.write(count > 0 && settings.pretty() ? "\n]\n" : "]\n");
    }
  }

  private String row(List<String> values) throws TextException {
    return settings.type() == Type.CSV ? RowText.csv(values) : RowText.tsv(values);
  }
}
