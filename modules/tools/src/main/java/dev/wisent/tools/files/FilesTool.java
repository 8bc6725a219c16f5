package dev.wisent.tools.files;

import com.mongodb.MongoException;
import com.mongodb.MongoGridFSException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import com.mongodb.client.gridfs.model.GridFSFile;
import com.mongodb.client.gridfs.model.GridFSUploadOptions;
import dev.wisent.tools.command.FileOutput;
import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Queries;
import dev.wisent.tools.connection.WriteConcerns;
import dev.wisent.tools.files.FilesCheck.Findings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;

/** {@code wisent files}. */
public final class FilesTool {
  private static final int GRACE_SECONDS = 3_600;
  private static final int GRACE_MAX = 30 * 86_400;
  private static final long MILLIS = 1_000;

  /** The flags that are not for all commands. */
  private static final Map<String, List<String>> OF_COMMANDS =
      Map.of(
          "local", List.of("put", "put_id", "get", "get_id", "get_regex"),
          "type", List.of("put", "put_id"),
          "replace", List.of("put", "put_id"),
          "regexOptions", List.of("get_regex"),
          "grace", List.of("check"));

  private final Flags flags;
  private final Surroundings surroundings;
  private final Messages messages;
  private final MongoDatabase database;
  private final String prefix;
  private final GridFSBucket bucket;
  private final Transfer transfer;

  private FilesTool(Flags flags, Surroundings surroundings, MongoDatabase database) {
    this.flags = flags;
    this.surroundings = surroundings;
    this.messages = Messages.of(flags, surroundings.err());
    this.database = database;
    this.prefix = flags.text("prefix").orElse("fs");
    this.bucket = GridFSBuckets.create(database, prefix);
    this.transfer = new Transfer(surroundings.interruption());
  }

  public static FlagTable flags() {
    var table =
        new FlagTable(
            "files",
            """
            Usage: wisent files [FLAGS] COMMAND [NAME...] [URI]

            Keeps files in GridFS, as mongofiles does.

            Commands:
              list [PREFIX]        files whose names begin so, with their sizes
              search TEXT          files whose names have this in them
              put NAME...          store files of these names
              put_id NAME ID       store a file under an id, given as Extended JSON
              get NAME...          fetch the newest files of these names
              get_regex PATTERN    fetch files whose names match
              get_id ID            fetch the file of an id
              delete NAME          delete all files of a name
              delete_id ID         delete the file of an id
              check                find chunks without files, and files without all of their chunks
            """);
    ConnectionFlags.add(table);
    return table
        .group(
            "Files",
            List.of(
                FlagSpec.value("db", "DATABASE", "(default: test)").letter('d'),
                FlagSpec.value("prefix", "NAME", "of the two collections (default: fs)"),
                FlagSpec.value("local", "FILE", "the file on this machine, - for input or output")
                    .letter('l'),
                FlagSpec.value("type", "TYPE", "the content type of a file that is put")
                    .letter('t'),
                FlagSpec.on("replace", "delete other files of the name after put").letter('r'),
                FlagSpec.value("regexOptions", "LETTERS", "of get_regex, such as i"),
                FlagSpec.value(
                    "grace",
                    "SECONDS",
                    "of check: younger chunks may be uploads in progress (default: 3600)"),
                FlagSpec.value(
                    "readPreference", "MODE|JSON", "such as secondary (default: primary)"),
                FlagSpec.value(
                    "writeConcern", "CONCERN", "such as 1 or {w: 2} (default: majority)")))
        .refuse("collection", "see --prefix")
        .refuse("dbpath", "tools read from servers, not from files");
  }

  public static void run(Flags flags, Surroundings surroundings) throws ToolException {
    List<String> words = new ArrayList<>(flags.positional());
    String uri = null;
    if (!words.isEmpty() && words.getLast().matches("mongodb(\\+srv)?://.*")) {
      uri = words.removeLast();
    }
    if (words.isEmpty()) {
      throw ToolException.badOption("a command is needed, such as list or put");
    }
    refuseOthers(flags, words.getFirst());
    try (Deployment deployment = Deployment.connect(flags, uri, surroundings)) {
      MongoDatabase database = deployment.database(flags.text("db").orElse("test"));
      if (flags.has("readPreference")) {
        database = database.withReadPreference(deployment.reading(Queries.readPreference(flags)));
      }
      if (flags.has("writeConcern")) {
        database = database.withWriteConcern(WriteConcerns.parse(flags.text("writeConcern").get()));
      }
      new FilesTool(flags, surroundings, database)
          .run(words.getFirst(), words.subList(1, words.size()));
    } catch (MongoException e) {
      throw Deployment.failure(words.getFirst() + " has failed", e);
    } catch (IOException e) {
      throw ToolException.failed(words.getFirst() + " has failed: " + e, e);
    }
  }

  /** Flags that the command would not look at. */
  private static void refuseOthers(Flags flags, String command) throws ToolException {
    for (String name : flags.names()) {
      List<String> known = OF_COMMANDS.get(name);
      if (known != null && !known.contains(command)) {
        throw ToolException.badOption("--" + name + " is not for " + command);
      }
    }
  }

  private void run(String command, List<String> names) throws ToolException, IOException {
    switch (command) {
      case "list" -> list(names.isEmpty() ? "" : "^" + Pattern.quote(one(command, names)));
      case "search" -> list(Pattern.quote(one(command, names)));
      case "put" -> {
        for (String name : some(command, names)) {
          put(name, null);
        }
      }
      case "put_id" -> {
        if (names.size() != 2) {
          throw ToolException.badOption("put_id takes a name and an id");
        }
        put(names.getFirst(), id(names.getLast()));
      }
      case "get" -> {
        for (String name : some(command, names)) {
          get(newest(name));
        }
      }
      case "get_regex" -> getMatching(one(command, names));
      case "get_id" -> get(byId(id(one(command, names))));
      case "delete" -> {
        String name = one(command, names);
        bucket.find(new Document("filename", name)).forEach(file -> bucket.delete(file.getId()));
        messages.say("deleted all files named '" + name + "'");
      }
      case "delete_id" -> {
        GridFSFile file = byId(id(one(command, names)));
        bucket.delete(file.getId());
        messages.say("deleted " + file.getFilename());
      }
      case "check" -> check();
      default -> throw ToolException.badOption("there is no command '" + command + "'; see --help");
    }
  }

  private static String one(String command, List<String> names) throws ToolException {
    if (names.size() != 1) {
      throw ToolException.badOption(command + " takes one name");
    }
    return names.getFirst();
  }

  private List<String> some(String command, List<String> names) throws ToolException {
    if (names.isEmpty() || (names.size() > 1 && flags.has("local"))) {
      throw ToolException.badOption(
          command + (names.isEmpty() ? " needs a name" : " takes one name with --local"));
    }
    return names;
  }

  private static BsonValue id(String json) throws ToolException {
    return Queries.parse("the id " + json, "{v: " + json + "}").get("v");
  }

  private void list(String pattern) {
    var filter =
        pattern.isEmpty()
            ? new BsonDocument()
            : new BsonDocument("filename", new BsonRegularExpression(pattern));
    for (GridFSFile file : bucket.find(filter)) {
      surroundings.out().println(file.getFilename() + "\t" + file.getLength());
    }
    surroundings.out().flush();
  }

  /**
   * @param id null for a new one
   */
  private void put(String name, BsonValue id) throws IOException {
    String local = flags.text("local").orElse(name);
    var options = new GridFSUploadOptions();
    BsonValue stored = id;
    flags.text("type").ifPresent(type -> options.metadata(new Document("contentType", type)));
    try (InputStream in =
        transfer.from(
            local.equals("-") ? surroundings.in() : Files.newInputStream(Path.of(local)))) {
      if (id == null) {
        stored = new BsonObjectId(bucket.uploadFromStream(name, in, options));
      } else {
        bucket.uploadFromStream(id, name, in, options);
      }
    } catch (MongoGridFSException e) {
      // What was stored of it is removed again.
      if (e.getCause() instanceof IOException reading) {
        throw reading;
      }
      throw e;
    }
    messages.say("added " + name);
    if (flags.on("replace")) {
      for (GridFSFile other : bucket.find(new Document("filename", name))) {
        if (!other.getId().equals(stored)) {
          bucket.delete(other.getId());
          messages.say("deleted another file named '" + name + "'");
        }
      }
    }
  }

  private GridFSFile newest(String name) throws ToolException {
    GridFSFile file =
        bucket
            .find(new BsonDocument("filename", new BsonString(name)))
            .sort(new Document("uploadDate", -1))
            .first();
    if (file == null) {
      throw ToolException.failed("there is no file named '" + name + "'");
    }
    return file;
  }

  private GridFSFile byId(BsonValue id) throws ToolException {
    GridFSFile file = bucket.find(new BsonDocument("_id", id)).first();
    if (file == null) {
      throw ToolException.failed("there is no file with this id");
    }
    return file;
  }

  private void getMatching(String pattern) throws ToolException, IOException {
    var expression = new BsonRegularExpression(pattern, flags.text("regexOptions").orElse(""));
    List<GridFSFile> found =
        bucket.find(new BsonDocument("filename", expression)).into(new ArrayList<>());
    if (found.isEmpty()) {
      throw ToolException.failed("no file matches '" + pattern + "'");
    }
    for (GridFSFile file : found) {
      Path path = Path.of(file.getFilename()).normalize();
      // These names come from the server, and not from the command line.
      if (!flags.has("local") && (path.isAbsolute() || path.startsWith(".."))) {
        throw ToolException.failed(
            file.getFilename() + " is not below this directory; fetch it with get and --local");
      }
      get(file);
    }
  }

  private void get(GridFSFile file) throws ToolException, IOException {
    String local = flags.text("local").orElse(file.getFilename());
    try {
      if (local.equals("-")) {
        bucket.downloadToStream(file.getId(), transfer.to(surroundings.data()));
        return;
      }
      Path path = Path.of(local);
      if (path.getParent() != null) {
        Files.createDirectories(path.getParent());
      }
      try (FileOutput out = FileOutput.open(path)) {
        bucket.downloadToStream(file.getId(), transfer.to(out.stream()));
        out.complete();
      }
      messages.say("finished writing to " + local);
    } catch (MongoGridFSException e) {
      if (e.getCause() instanceof IOException writing) {
        throw writing;
      }
      throw ToolException.failed(
          file.getFilename() + ": " + e.getMessage() + " (see wisent files check)", e);
    }
  }

  private void check() throws ToolException {
    long grace = flags.number("grace", GRACE_SECONDS, 0, GRACE_MAX) * MILLIS;
    long since = surroundings.clock().wallMillis() - grace;
    Findings found = new FilesCheck(database, prefix, since, surroundings.out()::println).run();
    surroundings
        .out()
        .println(
            "%d file(s), %d of them not complete; chunks of %d file(s) that are not there: %d"
                .formatted(
                    found.files(), found.broken(), found.orphaned(), found.orphanedChunks()));
    if (found.inProgress() > 0) {
      surroundings
          .out()
          .println(found.inProgress() + " upload(s) in progress, or given up since a short time");
    }
    surroundings.out().flush();
    if (!found.isClean()) {
      throw ToolException.failed("the files of " + prefix + " are not as they should be");
    }
  }
}
