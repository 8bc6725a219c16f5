package dev.wisent.tools.restore;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.format.DocumentStream;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** One restore under way. */
final class RestoreRun implements DumpSource.Sink {
  private final Deployment deployment;
  private final RestoreSettings settings;
  private final Surroundings surroundings;
  private final Messages messages;
  private final RestorePlan plan;
  private final Progress progress;
  private final TargetDefinitions definitions;
  private final UsersAndRoles users;

  /** Entries wait in a file until all documents are there; null while there are none. */
  private OutputStream oplog;

  private Path oplogFile;

  RestoreRun(
      Deployment deployment,
      RestoreSettings settings,
      Surroundings surroundings,
      Messages messages,
      RestorePlan plan,
      Progress progress) {
    this.deployment = deployment;
    this.settings = settings;
    this.surroundings = surroundings;
    this.messages = messages;
    this.plan = plan;
    this.progress = progress;
    this.definitions = new TargetDefinitions(deployment, settings);
    this.users =
        new UsersAndRoles(
            deployment,
            settings.drop(),
            settings.usersAndRoles() ? settings.database() : Optional.empty());
  }

  void run(DumpSource source) throws ToolException, IOException {
    try {
      source.read(this);
      if (oplog != null) {
        oplog.close();
        replay();
      }
    } finally {
      plan.collections().forEach(CollectionRestore::stop);
      if (oplogFile != null) {
        Files.deleteIfExists(oplogFile);
      }
    }
    List<Workers.Task> tasks = new ArrayList<>();
    plan.collections().forEach(restore -> tasks.add(() -> index(restore)));
    Workers.run(surroundings.scheduler(), "index", settings.parallel(), tasks);
    for (CollectionRestore view : plan.views()) {
      view(view);
    }
    if (users.merge()) {
      messages.say("users and roles restored");
    }
    long wrong = plan.all().stream().filter(each -> each.missing().isPresent()).count();
    long failed = plan.all().stream().mapToLong(CollectionRestore::failed).sum();
    if (wrong + failed > 0) {
      throw ToolException.failed("not all of the dump was restored");
    }
  }

  @Override
  public boolean begin(DumpedCollection dumped) throws ToolException {
    surroundings.interruption().check();
    if (wantsUsers(dumped)) {
      return true;
    }
    CollectionRestore restore = plan.find(dumped).orElse(null);
    if (restore == null) {
      return false;
    }
    try {
      boolean created = definitions.create(restore, dumped.metadata().options());
      if (!created) {
        messages.say(restore + " exists: its documents and options stay");
      }
    } catch (MongoException e) {
      throw Deployment.failure("cannot create " + restore, e);
    }
    MongoCollection<RawBsonDocument> collection =
        deployment
            .database(restore.database())
            .getCollection(restore.name(), RawBsonDocument.class);
    restore.begin(
        new InsertPipeline(
            deployment,
            settings.writeConcern() == null
                ? collection
                : collection.withWriteConcern(settings.writeConcern()),
            settings,
            isCapped(dumped) ? 1 : settings.insertionWorkers(),
            surroundings,
            messages::warn,
            progress::add));
    progress.at(restore.toString());
    messages.say(
        surroundings.terminal() ? 1 : 0,
        "restoring " + restore + (renamed(restore) ? " from " + dumped.namespace() : ""));
    return true;
  }

  /** Then the order of the documents is a part of the collection. */
  private static boolean isCapped(DumpedCollection dumped) {
    BsonValue capped = dumped.metadata().options().get("capped");
    return capped != null && capped.isBoolean() && capped.asBoolean().getValue();
  }

  private static boolean renamed(CollectionRestore restore) {
    return !restore.toString().equals(restore.dumped().namespace());
  }

  private boolean wantsUsers(DumpedCollection dumped) {
    if (!RestorePlan.isOfUsers(dumped) || !settings.wants(dumped)) {
      return false;
    }
    return RestorePlan.isOfDatabase(dumped) ? settings.usersAndRoles() : !settings.usersAndRoles();
  }

  @Override
  public void documents(DumpedCollection dumped, List<RawBsonDocument> documents)
      throws ToolException {
    if (RestorePlan.isOfUsers(dumped)) {
      users.add(dumped.name().endsWith("system.users"), documents);
    } else {
      plan.find(dumped).orElseThrow().submit(documents);
    }
  }

  @Override
  public void end(DumpedCollection dumped) throws ToolException {
    if (RestorePlan.isOfUsers(dumped)) {
      return;
    }
    CollectionRestore restore = plan.find(dumped).orElseThrow();
    restore.finish();
    messages.say(
        surroundings.terminal() ? 1 : 0,
        "finished restoring %s (%d document%s, %d failure%s)"
            .formatted(
                restore,
                restore.inserted(),
                restore.inserted() == 1 ? "" : "s",
                restore.failed(),
                restore.failed() == 1 ? "" : "s"));
  }

  @Override
  public void oplog(List<RawBsonDocument> entries) throws IOException {
    if (!settings.oplogReplay()) {
      return;
    }
    if (oplog == null) {
      oplogFile = Files.createTempFile("wisent-oplog", ".bson");
      oplog = new BufferedOutputStream(Files.newOutputStream(oplogFile));
    }
    for (RawBsonDocument entry : entries) {
      ByteBuf bytes = entry.getByteBuffer();
      oplog.write(bytes.array(), bytes.position(), bytes.remaining());
    }
  }

  private void replay() throws ToolException, IOException {
    messages.say("replaying the oplog");
    var replay = new OplogReplay(deployment, settings, plan::byTarget);
    try (var stream =
        new DocumentStream(
            new BufferedInputStream(Files.newInputStream(oplogFile)), "the oplog of the dump")) {
      for (RawBsonDocument next = stream.next(); next != null; next = stream.next()) {
        surroundings.interruption().check();
        replay.entry(next.decode(new BsonDocumentCodec()), next.getByteBuffer().remaining());
      }
    }
    replay.flush();
    messages.say("applied %d oplog entries".formatted(replay.applied()));
  }

  private void index(CollectionRestore restore) throws ToolException {
    surroundings.interruption().check();
    if (!settings.indexes()) {
      restore.done();
      return;
    }
    try {
      int built = definitions.buildIndexes(restore);
      restore.done();
      if (built > 0) {
        messages.say(1, "built %d index(es) of %s".formatted(built, restore));
      }
    } catch (MongoException e) {
      String why = Deployment.failure("indexes", e).getMessage();
      restore.fail(why);
      messages.warn(restore + ": " + why);
    }
  }

  private void view(CollectionRestore view) throws ToolException {
    BsonDocument options = view.dumped().metadata().options().clone();
    BsonValue viewOn = options.get("viewOn");
    if (viewOn != null && viewOn.isString()) {
      settings
          .mapping()
          .inDatabase(view.dumped().database(), viewOn.asString().getValue(), view.database())
          .ifPresent(renamed -> options.put("viewOn", new BsonString(renamed)));
    }
    try {
      definitions.create(view, options);
      view.done();
    } catch (MongoException e) {
      String why = Deployment.failure("the view", e).getMessage();
      view.fail(why);
      messages.warn(view + ": " + why);
    }
  }

  /** What is there, and what is not. */
  void summary() {
    List<String> missing = new ArrayList<>();
    for (CollectionRestore restore : plan.all()) {
      restore.missing().ifPresent(what -> missing.add("  " + restore + ": " + what));
    }
    if (!missing.isEmpty()) {
      messages.warn("The restore is not complete. Missing:");
      missing.forEach(messages::warn);
      messages.warn(
          "It may be repeated: documents that are there already are recognized, unless they have"
              + " changed.");
    }
    long present = plan.all().stream().mapToLong(CollectionRestore::present).sum();
    messages.say(
        "%d document(s) restored successfully. %d document(s) failed to restore.%s"
            .formatted(
                plan.all().stream().mapToLong(CollectionRestore::inserted).sum(),
                plan.all().stream().mapToLong(CollectionRestore::failed).sum(),
                present == 0 ? "" : " %d document(s) were there already.".formatted(present)));
  }
}
