package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Looks for what stands against a migration before it begins. */
final class MigrationCheck {
  /** Of MongoDB 6.0, whose change streams tell of collections and indexes. */
  private static final int WIRE_VERSION_OF_DEFINITIONS = 17;

  private static final int VERSION_MAX = 8;

  private final Deployment source;
  private final Deployment target;
  private final MigrateSettings settings;
  private final Messages messages;
  private final List<Finding> findings = new ArrayList<>();

  MigrationCheck(
      Deployment source, Deployment target, MigrateSettings settings, Messages messages) {
    this.source = source;
    this.target = target;
    this.settings = settings;
    this.messages = messages;
  }

  /** Says what is found, and fails if something cannot be moved. */
  void run() throws ToolException {
    List<CollectionInfo> all = CollectionInfo.list(source, (database, name) -> true);
    version();
    following();
    try (var trial = new TrialDatabase(target)) {
      all.stream()
          .filter(info -> settings.wants(info.database(), info.name()))
          .forEach(info -> collection(info, trial));
      var profile = new ProfileCheck(source, target, trial);
      all.stream()
          .filter(info -> info.name().equals("system.profile"))
          .forEach(info -> findings.addAll(profile.of(info.database())));
    }
    all.stream()
        .filter(info -> info.name().equals("system.js"))
        .forEach(info -> warn(info.namespace(), "stored functions are not moved"));
    ofAdmin();
    if (source.kind() == Kind.ROUTER && target.kind() == Kind.ROUTER) {
      sharded();
    }
    if (settings.users()) {
      users();
    }
    long refused = findings.stream().filter(Finding::isRefused).count();
    findings.stream().filter(Finding::isRefused).forEach(each -> messages.warn(each.toString()));
    findings.stream()
        .filter(each -> !each.isRefused())
        .forEach(each -> messages.warn(each.toString()));
    if (refused > 0) {
      throw ToolException.failed(
          "%d finding(s) stand against it, %d warning(s); collections can be left out by --nsExclude"
              .formatted(refused, findings.size() - refused));
    }
    messages.say(
        "nothing stands against it (%d collection(s) and view(s), %d warning(s))"
            .formatted(
                all.stream().filter(i -> settings.wants(i.database(), i.name())).count(),
                findings.size()));
  }

  private void warn(String subject, String text) {
    findings.add(Finding.warning(subject, text));
  }

  private void version() {
    String version = source.serverVersion();
    String compatible = version;
    try {
      BsonValue parameter =
          source
              .admin(BsonDocument.parse("{getParameter: 1, featureCompatibilityVersion: 1}"))
              .get("featureCompatibilityVersion");
      if (parameter != null && parameter.isDocument()) {
        compatible =
            parameter.asDocument().getString("version", new BsonString(version)).getValue();
      }
    } catch (MongoException e) {
      warn("source", "its featureCompatibilityVersion cannot be read: " + e.getMessage());
    }
    messages.say("the source is version %s, compatible with %s".formatted(version, compatible));
    String major = compatible.replaceAll("\\..*", "");
    if (major.matches("\\d{1,4}") && Integer.parseInt(major) > VERSION_MAX) {
      warn("source", "version " + compatible + " is newer than what the target is compatible with");
    }
  }

  private void following() {
    if (!settings.follow()) {
      return;
    }
    if (source.kind() == Kind.NODE) {
      findings.add(
          Finding.refused(
              "source",
              "a single server without --replSet has no change streams: stop its writers and copy"
                  + " with --noFollow, or make it a replica set of one member"));
    } else if (source.hello().getNumber("maxWireVersion").intValue()
        < WIRE_VERSION_OF_DEFINITIONS) {
      findings.add(
          Finding.refused(
              "source",
              "change streams before MongoDB 6.0 do not tell of new collections and indexes: stop"
                  + " its writers and copy with --noFollow"));
    }
  }

  private void collection(CollectionInfo info, TrialDatabase trial) {
    if (info.isTimeseries()) {
      findings.add(Finding.refused(info.namespace(), "time-series collections are not supported"));
      return;
    }
    BsonDocument options = info.creation();
    trial
        .creation(options)
        .ifPresent(
            error ->
                findings.add(
                    Finding.refused(
                        info.namespace(),
                        "the %s %s cannot be created: %s"
                            .formatted(
                                info.isView() ? "view" : "collection with the options",
                                options.toJson(),
                                error))));
    if (info.isView()) {
      return;
    }
    for (BsonDocument index : IndexSync.indexes(source, info).values()) {
      trial
          .index(options, index)
          .ifPresent(
              error ->
                  findings.add(
                      Finding.refused(
                          info.namespace(),
                          "the index %s cannot be created: %s".formatted(index.toJson(), error))));
    }
  }

  private void ofAdmin() {
    try {
      var names = new TreeSet<String>();
      for (String name : source.database("admin").listCollectionNames()) {
        if (!name.startsWith("system.")) {
          names.add(name);
        }
      }
      if (!names.isEmpty()) {
        warn("admin", "collections of this database are not moved: " + String.join(", ", names));
      }
    } catch (MongoException e) {
      warn("admin", "cannot be read: " + e.getMessage());
    }
  }

  private void sharded() {
    try {
      for (BsonDocument each :
          source.database("config").getCollection("collections", BsonDocument.class).find()) {
        String namespace = each.getString("_id").getValue();
        int dot = namespace.indexOf('.');
        if (each.containsKey("key")
            && dot > 0
            && settings.wants(namespace.substring(0, dot), namespace.substring(dot + 1))) {
          warn(
              namespace,
              "is sharded by %s; the copy is not, unless it is sharded while it is empty"
                  .formatted(each.getDocument("key").toJson()));
        }
      }
    } catch (MongoException e) {
      warn("source", "how collections are sharded cannot be read: " + e.getMessage());
    }
  }

  private void users() {
    try {
      BsonDocument reply =
          source.admin(new BsonDocument("usersInfo", BsonDocument.parse("{forAllDBs: true}")));
      String external =
          reply.getArray("users").stream()
              .map(BsonValue::asDocument)
              .filter(user -> user.getString("db").getValue().equals("$external"))
              .map(user -> user.getString("user").getValue())
              .sorted()
              .collect(Collectors.joining(", "));
      if (!external.isEmpty()) {
        warn("$external", "users log in by certificate only, not by LDAP or Kerberos: " + external);
      }
      boolean merges =
          target
              .admin(new BsonDocument("listCommands", new BsonInt32(1)))
              .getDocument("commands")
              .containsKey("_mergeAuthzCollections");
      if (!merges && !reply.getArray("users").isEmpty()) {
        findings.add(
            Finding.refused(
                "target", "it has no _mergeAuthzCollections for users and roles; see --noUsers"));
      }
    } catch (MongoException e) {
      warn("source", "users and roles cannot be read: " + e.getMessage());
    }
  }
}
