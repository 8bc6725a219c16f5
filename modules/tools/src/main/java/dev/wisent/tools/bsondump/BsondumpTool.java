package dev.wisent.tools.bsondump;

import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.format.DamagedDumpException;
import dev.wisent.tools.format.DocumentStream;
import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** {@code wisent bsondump}. */
public final class BsondumpTool {
  private BsondumpTool() {}

  public static FlagTable flags() {
    var table =
        new FlagTable(
            "bsondump",
            """
            Usage: wisent bsondump [FLAGS] [FILE]

            Shows the documents of a .bson file (or .bson.gz) as canonical Extended JSON, one in a line.
            Without a file it reads its input. No server is needed.
            """);
    ConnectionFlags.general(table);
    return table.group(
        "Text",
        List.of(
            FlagSpec.value("type", "json|debug", "JSON, or sizes and types (default: json)"),
            FlagSpec.on("pretty", "JSON in several lines"),
            FlagSpec.on("objcheck", "look into each document before it is shown"),
            FlagSpec.value("bsonFile", "FILE", "another way to name the file"),
            FlagSpec.value("outFile", "FILE", "write there (default: the output)")));
  }

  public static void run(Flags flags, Surroundings surroundings) throws ToolException {
    String type = flags.text("type").orElse("json");
    if (!type.equals("json") && !type.equals("debug")) {
      throw ToolException.badOption("--type is json or debug, not '" + type + "'");
    }
    String file = flags.text("bsonFile").orElse("-");
    for (String each : flags.positional()) {
      if (!file.equals("-")) {
        throw ToolException.badOption("one file, and not also '" + each + "'");
      }
      file = each;
    }
    Messages messages = Messages.of(flags, surroundings.err());
    String out = flags.text("outFile").orElse("-");
    try (InputStream in = file.equals("-") ? surroundings.in() : open(file);
        Writer writer =
            new BufferedWriter(
                new OutputStreamWriter(
                    out.equals("-") ? surroundings.data() : Files.newOutputStream(Path.of(out)),
                    StandardCharsets.UTF_8))) {
      var stream =
          new DocumentStream(
              new BufferedInputStream(in, 1 << 16), file.equals("-") ? "standard input" : file);
      long count =
          new BsondumpTool.Run(stream, writer, surroundings)
              .all(type.equals("debug"), flags.on("pretty"), flags.on("objcheck"), messages);
      messages.say(count + " objects found");
    } catch (DamagedDumpException e) {
      throw ToolException.failed(e.getMessage(), e);
    } catch (IOException e) {
      throw ToolException.failed("cannot show " + file + ": " + e.getMessage(), e);
    }
  }

  private static InputStream open(String file) throws IOException {
    InputStream in = Files.newInputStream(Path.of(file));
    return file.endsWith(".gz") ? new GZIPInputStream(in) : in;
  }

  private record Run(DocumentStream stream, Writer writer, Surroundings surroundings) {
    long all(boolean debug, boolean pretty, boolean check, Messages messages)
        throws IOException, ToolException {
      JsonWriterSettings json =
          JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).indent(pretty).build();
      long count = 0;
      for (RawBsonDocument next = stream.next(); next != null; next = stream.next()) {
        surroundings.interruption().check();
        String text;
        try {
          if (check) {
            BsonDocument decoded = next.decode(new BsonDocumentCodec());
            messages.say(3, "checked " + decoded.size() + " fields");
          }
          text = debug ? DebugText.of(next) : next.toJson(json);
        } catch (RuntimeException e) {
          // Whatever the reader of the library meets in bytes that are no document.
          writer.flush();
          throw ToolException.failed(
              "document %d, which ends at byte %d, is damaged: %s"
                  .formatted(count + 1, stream.position(), e.getMessage()),
              e);
        }
        writer.write(text);
        writer.write('\n');
        count++;
      }
      return count;
    }
  }
}
