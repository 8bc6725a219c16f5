package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Commands that the source's profiler has seen. One of each shape is planned by the target, which
 * knows the stages and operators that it supports.
 */
final class ProfileCheck {
  private static final int ENTRIES_MAX = 20_000;
  private static final int SHAPES_MAX = 500;

  /** What of a command says how it reads; a hint would need the index. */
  private static final Map<String, List<String>> PLANNED =
      Map.of(
          "find",
          List.of("filter", "projection", "sort", "collation", "let"),
          "aggregate",
          List.of("pipeline", "collation", "let"),
          "count",
          List.of("query", "collation"),
          "distinct",
          List.of("key", "query", "collation"),
          "findAndModify",
          List.of("query", "update", "remove", "fields", "arrayFilters", "collation", "let"));

  /** Entries of the profiler that are no commands. */
  private static final Set<String> STATEMENTS = Set.of("update", "remove");

  private final Deployment source;
  private final TrialDatabase trial;
  private final Set<String> commands;

  ProfileCheck(Deployment source, Deployment target, TrialDatabase trial) {
    this.source = source;
    this.trial = trial;
    this.commands =
        new HashSet<>(
            target
                .admin(new BsonDocument("listCommands", new BsonInt32(1)))
                .getDocument("commands")
                .keySet());
  }

  private static final class Shape {
    private final BsonDocument command;
    private int count;

    private Shape(BsonDocument command) {
      this.command = command;
    }
  }

  List<Finding> of(String database) {
    Map<String, Shape> shapes = new TreeMap<>();
    try {
      for (BsonDocument entry :
          source
              .database(database)
              .getCollection("system.profile", BsonDocument.class)
              .find()
              .sort(new BsonDocument("$natural", new BsonInt32(-1)))
              .limit(ENTRIES_MAX)) {
        add(entry, shapes);
      }
    } catch (MongoException e) {
      return List.of(Finding.warning(database, "the profile cannot be read: " + e.getMessage()));
    }
    List<Finding> found = new ArrayList<>();
    for (Map.Entry<String, Shape> each : shapes.entrySet()) {
      Shape shape = each.getValue();
      String name = shape.command.getFirstKey();
      Optional<String> error =
          commands.contains(name)
              ? PLANNED.containsKey(name) || STATEMENTS.contains(name) || name.equals("delete")
                  ? trial.plan(shape.command)
                  : Optional.empty()
              : Optional.of("the target does not have this command");
      error.ifPresent(
          text ->
              found.add(
                  Finding.warning(
                      database,
                      "%s, %d time(s) in the profile: %s"
                          .formatted(each.getKey(), shape.count, text))));
    }
    return found;
  }

  private static void add(BsonDocument entry, Map<String, Shape> shapes) {
    BsonDocument command = entry.getDocument("command", new BsonDocument());
    String kind = entry.getString("op", new BsonString("")).getValue();
    if (command.isEmpty() || command.containsKey("$truncated") || kind.equals("getmore")) {
      return;
    }
    BsonDocument planned = STATEMENTS.contains(kind) ? statement(kind, command) : plain(command);
    var names = new TreeSet<String>();
    operators(planned, names);
    String key =
        planned.getFirstKey() + (names.isEmpty() ? "" : " with " + String.join(" ", names));
    if (shapes.containsKey(key) || shapes.size() < SHAPES_MAX) {
      shapes.computeIfAbsent(key, ignored -> new Shape(planned)).count++;
    }
  }

  private static BsonDocument plain(BsonDocument command) {
    String name =
        command.getFirstKey().equals("findandmodify") ? "findAndModify" : command.getFirstKey();
    BsonValue of = command.get(command.getFirstKey());
    var planned =
        new BsonDocument(name, of.isString() || PLANNED.containsKey(name) ? collection(of) : of);
    for (String field : PLANNED.getOrDefault(name, List.of())) {
      if (command.containsKey(field)) {
        planned.append(field, command.get(field));
      }
    }
    if (name.equals("aggregate")) {
      planned.append("cursor", new BsonDocument());
    }
    return planned;
  }

  /** A pipeline without a collection is one of the database. */
  private static BsonValue collection(BsonValue of) {
    return of.isString() ? TrialDatabase.collection() : of;
  }

  private static BsonDocument statement(String kind, BsonDocument statement) {
    var plain = new BsonDocument("q", statement.get("q", new BsonDocument()));
    for (String field : List.of("u", "c", "upsert", "arrayFilters", "collation")) {
      if (kind.equals("update") && statement.containsKey(field)) {
        plain.append(field, statement.get(field));
      }
    }
    if (kind.equals("update")) {
      plain.append("multi", statement.get("multi", BsonBoolean.FALSE));
    } else {
      plain.append("limit", new BsonInt32(1));
    }
    return new BsonDocument(kind.equals("update") ? "update" : "delete", TrialDatabase.collection())
        .append(kind.equals("update") ? "updates" : "deletes", new BsonArray(List.of(plain)));
  }

  private static void operators(BsonValue value, Set<String> names) {
    if (value.isDocument()) {
      value
          .asDocument()
          .forEach(
              (name, nested) -> {
                if (name.startsWith("$")) {
                  names.add(name);
                }
                operators(nested, names);
              });
    } else if (value.isArray()) {
      value.asArray().forEach(each -> operators(each, names));
    }
  }
}
