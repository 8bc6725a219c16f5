package dev.wisent.server.command;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Filters with thousands of conditions on one document with long arrays: {@code killOp} and {@code
 * maxTimeMS} end them in the middle of the document.
 */
@Execution(ExecutionMode.CONCURRENT)
class LongFiltersTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final EndlessCommands ENDLESS = new EndlessCommands(SERVER);

  private static final int ELEMENTS = 100_000;
  private static final int CONDITIONS = 10_000;

  private static final Map<String, String> FILTERS = filters();

  /**
   * Filters that look at every element for every condition, by the name of what makes them long.
   */
  private static Map<String, String> filters() {
    var filters = new LinkedHashMap<String, String>();
    filters.put("or", "{$or: [" + conditions("{a: {$lt: -%d}}") + "]}");
    filters.put("nor", "{$nor: [{$nor: [" + conditions("{a: {$lt: -%d}}") + "]}]}");
    filters.put("and", "{$and: [" + conditions("{a: {$not: {$lt: -%d}}}") + ", {a: -1}]}");
    filters.put("paths", "{$or: [" + conditions("{'d.x': {$lt: -%d}}") + "]}");
    filters.put("size", "{$or: [" + conditions("{a: {$size: 9%05d}}") + "]}");
    filters.put("mod", "{$or: [" + conditions("{a: {$mod: [-1, 9%d]}}") + "]}");
    filters.put("type", "{$or: [" + conditions("{a: {$type: 'date'}, b: %d}") + "]}");
    filters.put("bits", "{$or: [" + conditions("{a: {$bitsAllSet: 8%06d}}") + "]}");
    filters.put("all", "{a: {$all: [" + conditions("9%d") + ", -1]}}");
    filters.put("in", "{s: {$in: [" + conditions("/^(a|b)*c%d/") + "]}}");
    filters.put("regex", "{$or: [" + conditions("{s: /(a|b)c%d/}") + "]}");
    filters.put("elements", "{e: {$elemMatch: {$all: [" + conditions("1") + "], $lt: 0}}}");
    filters.put("notElements", "{e: {$elemMatch: {$not: {$all: [" + conditions("1") + "]}}}}");
    filters.put("documents", "{d: {$elemMatch: {$or: [" + conditions("{x: {$lt: -%d}}") + "]}}}");
    filters.put("properties", schema("o", "properties: {" + conditions("g%d: {}") + "}"));
    filters.put("required", schema("o", "required: [" + conditions("'f9%d'") + "]"));
    filters.put("dependencies", schema("o", "dependencies: {" + conditions("g%d: ['h']") + "}"));
    filters.put("items", schema("a", "items: {anyOf: [" + conditions("{maximum: -%d}") + "]}"));
    filters.put("positions", "{'p" + ".0".repeat(120) + "': 7}");
    return filters;
  }

  private static String schema(String property, String rule) {
    return "{$jsonSchema: {properties: {" + property + ": {" + rule + "}}}}";
  }

  /** Commands with a filter on documents. */
  private static final List<String> COMMANDS =
      List.of(
          "aggregate: 'long', pipeline: [{$match: %s}], cursor: {}",
          "aggregate: 'long', pipeline: [{$limit: 5}, {$match: %s}], cursor: {}",
          "count: 'long', query: %s",
          "distinct: 'long', key: 'b', query: %s",
          "delete: 'long', deletes: [{q: %s, limit: 1}]",
          "update: 'long', updates: [{q: %s, u: {$set: {b: 1}}}]",
          "findAndModify: 'long', query: %s, update: {$set: {b: 1}}",
          "find: 'indexed', filter: {$and: [{b: 1}, %s]}");

  /** Commands with a filter on the documents in an array. */
  private static final List<String> ELEMENT_COMMANDS =
      List.of(
          "update: 'long', updates: [{q: {}, u: {$pull: {d: %s}}}]",
          "find: 'long', projection: {d: {$elemMatch: %s}}");

  /** The filters that are validators of collections too: one for each way to loop. */
  private static final List<String> VALIDATORS =
      List.of("or", "in", "notElements", "documents", "properties");

  private static final String DOCUMENT = document();

  private static String document() {
    String positions = "1";
    for (int i = 0; i < 60; i++) {
      positions = "[{'0': " + positions + "}]";
    }
    return "{a: [%s], e: [%s], d: [%s], s: '%s', o: {%s}, p: %s, b: 1}"
        .formatted(
            repeated(ELEMENTS, "%d"),
            repeated(ELEMENTS, "1"),
            repeated(ELEMENTS, "{x: %d}"),
            "ab".repeat(ELEMENTS),
            repeated(ELEMENTS, "f%d: 1"),
            positions);
  }

  private static String conditions(String condition) {
    return repeated(CONDITIONS, condition);
  }

  private static String repeated(int times, String item) {
    return IntStream.range(0, times).mapToObj(item::formatted).collect(Collectors.joining(", "));
  }

  @BeforeAll
  static void fill() {
    SERVER.run("{createIndexes: 'indexed', indexes: [{key: {b: 1}, name: 'b'}]}");
    SERVER.run("{insert: 'long', documents: [" + DOCUMENT + "]}");
    SERVER.run("{insert: 'indexed', documents: [" + DOCUMENT + "]}");
    SERVER.run("{insert: 'built', documents: [" + DOCUMENT + "]}");
    for (String name : VALIDATORS) {
      SERVER.run(
          "{create: 'checked.%s', validator: {$nor: [%s]}}".formatted(name, FILTERS.get(name)));
    }
    SERVER.run(
        "{createIndexes: 'partial', indexes: [{key: {x: 1}, name: 'x', partialFilterExpression: %s}]}"
            .formatted(FILTERS.get("or")));
  }

  static Stream<Arguments> commands() {
    var commands = new LinkedHashMap<String, String>();
    COMMANDS.forEach(command -> commands.put(command, command.formatted(FILTERS.get("or"))));
    String ofElements = FILTERS.get("or").replace("{a:", "{x:");
    ELEMENT_COMMANDS.forEach(command -> commands.put(command, command.formatted(ofElements)));
    commands.put(
        "arrayFilters",
        "update: 'long', updates: [{q: {}, u: {$set: {'d.$[i].y': 1}}, arrayFilters: [%s]}]"
            .formatted(ofElements.replace("{x:", "{'i.x':")));
    commands.put("partial index", "insert: 'partial', documents: [" + DOCUMENT + "]");
    commands.put(
        "build of a partial index",
        "createIndexes: 'built', indexes: [{key: {x: 1}, name: 'x', partialFilterExpression: %s}]"
            .formatted(FILTERS.get("or")));
    return arguments(commands);
  }

  static Stream<Arguments> filtersAndValidators() {
    var commands = new LinkedHashMap<String, String>();
    FILTERS.forEach((name, filter) -> commands.put(name, "find: 'long', filter: " + filter));
    for (String name : VALIDATORS) {
      commands.put(
          "validator of " + name,
          "insert: 'checked.%s', documents: [%s]".formatted(name, DOCUMENT));
    }
    return arguments(commands);
  }

  private static Stream<Arguments> arguments(Map<String, String> commands) {
    return commands.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"commands", "filtersAndValidators"})
  void killOpEnds(String name, String command) {
    ENDLESS.assertKillOpEnds(command);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("commands")
  void maxTimeEnds(String name, String command) {
    ENDLESS.assertMaxTimeEnds(command);
  }
}
