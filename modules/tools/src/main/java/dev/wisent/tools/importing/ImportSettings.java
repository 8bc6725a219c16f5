package dev.wisent.tools.importing;

import com.mongodb.WriteConcern;
import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.connection.WriteConcerns;
import dev.wisent.tools.text.FieldNames;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The flags of {@code wisent import}, after checking.
 *
 * @param uri a connection string that is not in a flag, or null
 * @param file {@code -} for standard input
 * @param writeConcern null for that of the connection string
 */
record ImportSettings(
    String uri,
    String database,
    String collection,
    Type type,
    String file,
    boolean array,
    List<String> fields,
    boolean header,
    boolean typed,
    boolean ignoreBlanks,
    boolean arrayFields,
    Grace grace,
    Mode mode,
    List<String> matched,
    boolean drop,
    boolean ordered,
    boolean stopOnError,
    boolean bypassValidation,
    int workers,
    WriteConcern writeConcern) {
  private static final int WORKERS_MAX = 256;

  /** What is read. */
  enum Type {
    JSON,
    CSV,
    TSV
  }

  /** What is done with a value that is not of its column's type. */
  enum Grace {
    AUTOCAST,
    SKIPFIELD,
    SKIPROW,
    STOP
  }

  /** What is done with a document. */
  enum Mode {
    INSERT,
    UPSERT,
    MERGE,
    DELETE
  }

  static FlagTable flags() {
    var table =
        new FlagTable(
            "import",
            """
            Usage: wisent import --db DATABASE [--collection COLLECTION] [FLAGS] [FILE] [URI]

            Brings documents of JSON, CSV or TSV into a collection, from a file or its input.
            """);
    ConnectionFlags.add(table);
    ConnectionFlags.namespace(table, "Where to (default collection: the name of the file)");
    return table
        .group(
            "What is read",
            List.of(
                FlagSpec.value("type", "json|csv|tsv", "(default: json)"),
                FlagSpec.value("file", "FILE", "(default: the input)"),
                FlagSpec.on("jsonArray", "the documents are elements of one array"),
                FlagSpec.value("fields", "NAME,...", "the columns of CSV and TSV").letter('f'),
                FlagSpec.value("fieldFile", "FILE", "the same from a file, one in a line"),
                FlagSpec.on("headerline", "the first line has the columns"),
                FlagSpec.on(
                    "columnsHaveTypes",
                    "columns are NAME.TYPE(ARGUMENT): auto, binary(base32|base64|hex), boolean,"
                        + " date(LAYOUT), date_go(..), date_ms(..), date_oracle(..), decimal,"
                        + " double, int32, int64, string"),
                FlagSpec.value(
                    "parseGrace",
                    "WAY",
                    "where a value is not of its type: stop, autoCast, skipField or skipRow"
                        + " (default: stop)"),
                FlagSpec.on("ignoreBlanks", "no fields for empty values"),
                FlagSpec.on("useArrayIndexFields", "a.0 and a.1 are an array"),
                FlagSpec.on("legacy", "")))
        .group(
            "How it is written",
            List.of(
                FlagSpec.value(
                    "mode", "MODE", "insert, upsert (replace), merge or delete (default: insert)"),
                FlagSpec.value(
                    "upsertFields",
                    "NAME,...",
                    "what existing documents are found by (default: _id)"),
                FlagSpec.on("upsert", ""),
                FlagSpec.on("drop", "drop the collection first"),
                FlagSpec.on(
                    "maintainInsertionOrder",
                    "in the order of the file, up to the first failure; so are all modes but"
                        + " insert"),
                FlagSpec.on("stopOnError", "end with the first document that fails"),
                FlagSpec.on("bypassDocumentValidation", "also what a validator would refuse"),
                FlagSpec.value(
                        "numInsertionWorkers",
                        "N",
                        "writes at a time (default: 1; one where there is an order)")
                    .letter('j'),
                FlagSpec.value(
                    "writeConcern", "CONCERN", "such as 1 or {w: 2} (default: majority)")))
        .refuse("numDecodingWorkers", "one thread reads")
        .refuse("batchSize", "it is chosen by size")
        .refuse("dbpath", "tools write to servers, not to files");
  }

  static ImportSettings parse(Flags flags) throws ToolException {
    String uri = null;
    String file = flags.text("file").orElse(null);
    for (String each : flags.positional()) {
      if (each.startsWith("mongodb://") || each.startsWith("mongodb+srv://")) {
        uri = each;
      } else if (file == null) {
        file = each;
      } else {
        throw ToolException.badOption("one file, and not also '" + each + "'");
      }
    }
    Type type = choice(flags, "type", Type.class, Type.JSON);
    Mode mode = choice(flags, "mode", Mode.class, flags.on("upsert") ? Mode.UPSERT : Mode.INSERT);
    if (flags.on("upsert") && mode != Mode.UPSERT) {
      throw ToolException.badOption(
          "--upsert is --mode upsert, and not --mode " + flags.text("mode").get());
    }
    flags.exclude("headerline", "fields", "fieldFile");
    if (type == Type.JSON) {
      for (String of :
          List.of(
              "headerline",
              "fields",
              "fieldFile",
              "columnsHaveTypes",
              "ignoreBlanks",
              "parseGrace",
              "useArrayIndexFields")) {
        if (flags.has(of)) {
          throw ToolException.badOption("--" + of + " is for CSV and TSV");
        }
      }
    } else {
      if (flags.on("jsonArray")) {
        throw ToolException.badOption("--jsonArray is for JSON");
      }
      if (!flags.on("headerline") && !flags.has("fields") && !flags.has("fieldFile")) {
        throw ToolException.badOption("CSV and TSV need --headerline, --fields or --fieldFile");
      }
    }
    if (flags.has("upsertFields") && mode == Mode.INSERT) {
      throw ToolException.badOption("--upsertFields needs --mode upsert, merge or delete");
    }
    flags.need("parseGrace", "columnsHaveTypes");
    String database = flags.text("db").orElse("test");
    // The last document of a key is to win, as with mongoimport.
    boolean ordered = flags.on("maintainInsertionOrder") || mode != Mode.INSERT;
    return new ImportSettings(
        uri,
        database,
        collection(flags, file),
        type,
        file == null ? "-" : file,
        flags.on("jsonArray"),
        FieldNames.of(flags),
        flags.on("headerline"),
        flags.on("columnsHaveTypes"),
        flags.on("ignoreBlanks"),
        flags.on("useArrayIndexFields"),
        choice(flags, "parseGrace", Grace.class, Grace.STOP),
        mode,
        List.of(flags.text("upsertFields").orElse("_id").split(",")),
        flags.on("drop"),
        ordered,
        flags.on("stopOnError") || ordered,
        flags.on("bypassDocumentValidation"),
        ordered ? 1 : flags.number("numInsertionWorkers", 1, 1, WORKERS_MAX),
        flags.has("writeConcern") ? WriteConcerns.parse(flags.text("writeConcern").get()) : null);
  }

  private static String collection(Flags flags, String file) throws ToolException {
    if (flags.has("collection")) {
      return flags.text("collection").get();
    }
    if (file == null) {
      throw ToolException.badOption("--collection is needed where there is no file");
    }
    String name = Path.of(file).getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(0, dot);
  }

  private static <E extends Enum<E>> E choice(Flags flags, String flag, Class<E> type, E otherwise)
      throws ToolException {
    if (!flags.has(flag)) {
      return otherwise;
    }
    String text = flags.text(flag).get();
    for (E each : type.getEnumConstants()) {
      if (each.name().equals(text.toUpperCase(Locale.ROOT))) {
        return each;
      }
    }
    throw ToolException.badOption("--" + flag + " does not know '" + text + "'; see --help");
  }
}
