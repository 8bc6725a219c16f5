package dev.wisent.tools.importing;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.importing.ImportSettings.Mode;
import dev.wisent.tools.importing.ImportSettings.Type;
import dev.wisent.tools.text.JsonDocuments;
import dev.wisent.tools.text.Rows;
import dev.wisent.tools.text.TextException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** {@code wisent import}. */
public final class ImportTool {
  private static final int BATCH = 1_000;
  private static final int BATCH_BYTES = 4 << 20;

  private final ImportSettings settings;
  private final Surroundings surroundings;
  private final Messages messages;

  private ImportTool(ImportSettings settings, Surroundings surroundings, Messages messages) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  public static FlagTable flags() {
    return ImportSettings.flags();
  }

  public static void run(Flags flags, Surroundings surroundings) throws ToolException {
    ImportSettings settings = ImportSettings.parse(flags);
    Messages messages = Messages.of(flags, surroundings.err());
    var tool = new ImportTool(settings, surroundings, messages);
    try (InputStream in =
            settings.file().equals("-")
                ? surroundings.in()
                : Files.newInputStream(Path.of(settings.file()));
        Deployment deployment = Deployment.connect(flags, settings.uri(), surroundings)) {
      tool.run(in, deployment);
    } catch (MongoException e) {
      throw Deployment.failure("the import has failed", e);
    } catch (IOException e) {
      throw ToolException.failed("cannot read " + settings.file() + ": " + e, e);
    }
  }

  private DocumentSource source(InputStream in) throws IOException, TextException {
    Reader reader =
        new BufferedReader(
            new InputStreamReader(
                in,
                StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)),
            1 << 16);
    if (settings.type() == Type.JSON) {
      return new JsonDocuments(reader, settings.array())::next;
    }
    Rows rows = settings.type() == Type.CSV ? Rows.csv(reader) : Rows.tsv(reader);
    return new RowSource(rows, settings, messages::warn);
  }

  private void run(InputStream in, Deployment deployment) throws IOException, ToolException {
    MongoCollection<BsonDocument> collection =
        deployment
            .database(settings.database())
            .getCollection(settings.collection(), BsonDocument.class);
    if (settings.writeConcern() != null) {
      collection = collection.withWriteConcern(settings.writeConcern());
    }
    if (settings.drop()) {
      messages.say("dropping " + collection.getNamespace());
      collection.drop();
    }
    var batches = new ImportBatches(collection, settings, messages::warn);
    long skipped = 0;
    try (Progress progress = Progress.ofDocuments(surroundings, messages, "import", -1)) {
      var input = new CountedInput(in);
      DocumentSource source = source(input);
      copy(source, input, batches, progress);
      skipped = source.skipped();
    } catch (TextException e) {
      throw ToolException.failed(settings.file() + ": " + e.getMessage(), e);
    } finally {
      summary(batches);
    }
    if (skipped > 0) {
      messages.warn(skipped + " row(s) left out");
    }
    if (batches.failed() > 0) {
      throw ToolException.failed("not all documents were imported");
    }
  }

  private void summary(ImportBatches batches) {
    messages.say(
        settings.mode() == Mode.DELETE
            ? "%d document(s) deleted successfully. %d document(s) failed to delete."
                .formatted(batches.done(), batches.failed())
            : "%d document(s) imported successfully. %d document(s) failed to import."
                .formatted(batches.done(), batches.failed()));
  }

  /** Reads as many batches as there are threads, and has all of them written. */
  private void copy(
      DocumentSource source, CountedInput input, ImportBatches batches, Progress progress)
      throws IOException, TextException, ToolException {
    boolean more = true;
    while (more) {
      List<Workers.Task> tasks = new ArrayList<>();
      TextException wrong = null;
      try {
        while (more && tasks.size() < settings.workers()) {
          List<BsonDocument> batch = new ArrayList<>();
          tasks.add(() -> write(batch, batches, progress));
          more = fill(batch, source, input);
        }
      } catch (TextException e) {
        wrong = e; // what came before it is imported
      }
      surroundings.interruption().check();
      Workers.run(surroundings.scheduler(), "import", settings.workers(), tasks);
      if (wrong != null) {
        throw wrong;
      }
    }
  }

  private static void write(List<BsonDocument> batch, ImportBatches batches, Progress progress)
      throws ToolException {
    batches.write(batch);
    progress.add(batch.size());
  }

  /** Returns whether there may be more. */
  private static boolean fill(List<BsonDocument> batch, DocumentSource source, CountedInput input)
      throws IOException, TextException {
    // Documents are about as large as their text.
    long begin = input.count();
    while (batch.size() < BATCH && input.count() - begin < BATCH_BYTES) {
      BsonDocument next = source.next();
      if (next == null) {
        return false;
      }
      batch.add(next);
    }
    return true;
  }
}
