package dev.wisent.tools.export;

import com.mongodb.ReadPreference;
import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.connection.Queries;
import dev.wisent.tools.text.FieldNames;
import java.util.List;
import java.util.Locale;
import org.bson.BsonDocument;

/**
 * The flags of {@code wisent export}, after checking.
 *
 * @param uri a connection string that is not in a flag, or null
 * @param readPreference null for that of the connection string
 */
record ExportSettings(
    String uri,
    String database,
    String collection,
    Type type,
    List<String> fields,
    BsonDocument filter,
    BsonDocument sort,
    int skip,
    int limit,
    boolean canonical,
    boolean array,
    boolean pretty,
    boolean header,
    boolean assertExists,
    boolean diskUse,
    String out,
    ReadPreference readPreference) {
  /** What is written. */
  enum Type {
    JSON,
    CSV,
    TSV
  }

  static FlagTable flags() {
    var table =
        new FlagTable(
            "export",
            """
            Usage: wisent export --db DATABASE --collection COLLECTION [FLAGS] [URI]

            Writes a collection or view as JSON, one document in a line, or as CSV or TSV. For backups
            use wisent dump: it has options and indexes too.
            """);
    ConnectionFlags.add(table);
    ConnectionFlags.namespace(table, "What is exported");
    return table
        .group(
            "What is exported",
            List.of(
                FlagSpec.value("query", "JSON", "only these documents").letter('q'),
                FlagSpec.value("queryFile", "FILE", "the same from a file"),
                FlagSpec.value("fields", "NAME,...", "only these fields; needed for CSV and TSV")
                    .letter('f'),
                FlagSpec.value("fieldFile", "FILE", "the same from a file, one in a line"),
                FlagSpec.value("sort", "JSON", "in this order"),
                FlagSpec.value("skip", "N", "not the first N"),
                FlagSpec.value("limit", "N", "at most N"),
                FlagSpec.value(
                    "readPreference", "MODE|JSON", "such as secondary (default: primary)"),
                FlagSpec.on("assertExists", "fail if there is no such collection"),
                FlagSpec.on("allowDiskUse", "let the server sort with temporary files"),
                FlagSpec.on("forceTableScan", "")))
        .group(
            "How",
            List.of(
                FlagSpec.value("type", "json|csv|tsv", "(default: json)"),
                FlagSpec.value(
                    "jsonFormat",
                    "relaxed|canonical",
                    "canonical keeps all types (default: relaxed)"),
                FlagSpec.on("jsonArray", "one array instead of lines"),
                FlagSpec.on("pretty", "JSON in several lines"),
                FlagSpec.on("noHeaderLine", "no names in the first line of CSV or TSV"),
                FlagSpec.value("out", "FILE", "(default: the output)").letter('o'),
                FlagSpec.on("csv", "")))
        .refuse("slaveOk", "it was renamed: use --readPreference nearest")
        .refuse("-k", "it was renamed: use --readPreference nearest")
        .refuse("dbpath", "tools read from servers, not from files");
  }

  static ExportSettings parse(Flags flags) throws ToolException {
    String uri = null;
    for (String each : flags.positional()) {
      if (uri != null || !each.startsWith("mongodb")) {
        throw ToolException.badOption("'" + each + "' is no flag and no connection string");
      }
      uri = each;
    }
    if (!flags.has("db") || !flags.has("collection")) {
      throw ToolException.badOption("--db and --collection are needed");
    }
    flags.exclude("csv", "type");
    Type type = flags.on("csv") ? Type.CSV : type(flags.text("type").orElse("json"));
    List<String> fields = FieldNames.of(flags);
    if (type != Type.JSON && fields.isEmpty()) {
      throw ToolException.badOption(
          "--type " + flags.text("type").orElse("csv") + " needs --fields");
    }
    if (type != Type.JSON && (flags.on("jsonArray") || flags.on("pretty"))) {
      throw ToolException.badOption("--jsonArray and --pretty are for JSON");
    }
    if (type != Type.JSON && flags.has("jsonFormat")) {
      throw ToolException.badOption("--jsonFormat is for JSON");
    }
    if (type == Type.JSON && flags.on("noHeaderLine")) {
      throw ToolException.badOption("--noHeaderLine is for CSV and TSV");
    }
    String format = flags.text("jsonFormat").orElse("relaxed");
    if (!format.equals("relaxed") && !format.equals("canonical")) {
      throw ToolException.badOption("--jsonFormat is relaxed or canonical, not '" + format + "'");
    }
    return new ExportSettings(
        uri,
        flags.text("db").get(),
        flags.text("collection").get(),
        type,
        fields,
        Queries.filter(flags).orElseGet(BsonDocument::new),
        flags.has("sort") ? Queries.parse("--sort", flags.text("sort").get()) : null,
        flags.number("skip", 0, 0, Integer.MAX_VALUE),
        flags.number("limit", 0, 0, Integer.MAX_VALUE),
        format.equals("canonical"),
        flags.on("jsonArray"),
        flags.on("pretty"),
        !flags.on("noHeaderLine"),
        flags.on("assertExists"),
        flags.on("allowDiskUse"),
        flags.text("out").orElse("-"),
        Queries.readPreference(flags));
  }

  private static Type type(String name) throws ToolException {
    for (Type each : Type.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
        return each;
      }
    }
    throw ToolException.badOption("--type is json, csv or tsv, not '" + name + "'");
  }
}
