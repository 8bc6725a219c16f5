package dev.wisent.pipeline.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.bson.ValueOrder;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.sort.MemoryScratch;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.ExpressionCases;
import dev.wisent.query.expression.Values;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Groups random documents by random keys, in memory and through files, and compares with lists of
 * the documents of each group, from which every accumulator is computed in the plainest way.
 */
class GroupModelTest {
  private static final int ROUNDS = 60;
  private static final Comparator<RawValue> ASCENDING = ValueOrder::compare;

  /** Accumulators, and what they make of the values of a field, missing ones being null. */
  private static final Map<String, Function<List<RawValue>, RawValue>> ACCUMULATORS =
      Map.ofEntries(
          Map.entry("{$sum: '$F'}", GroupModelTest::sum),
          Map.entry("{$avg: '$F'}", GroupModelTest::average),
          Map.entry("{$count: {}}", values -> RawValue.ofInt32(values.size())),
          Map.entry(
              "{$min: '$F'}",
              values -> present(values).stream().min(ASCENDING).orElse(RawValue.NULL)),
          Map.entry("{$max: '$F'}", values -> extremes(values, 1, -1, true)),
          Map.entry("{$first: '$F'}", values -> Values.nullIfMissing(values.getFirst())),
          Map.entry("{$last: '$F'}", values -> Values.nullIfMissing(values.getLast())),
          Map.entry(
              "{$push: '$F'}",
              values -> ArrayBuilder.of(values.stream().filter(Objects::nonNull).toList())),
          Map.entry("{$addToSet: '$F'}", GroupModelTest::set),
          Map.entry("{$firstN: {n: 2, input: '$F'}}", values -> part(values, 0, 2)),
          Map.entry(
              "{$lastN: {n: 3, input: '$F'}}",
              values -> part(values, Math.max(0, values.size() - 3), values.size())),
          Map.entry("{$minN: {n: 2, input: '$F'}}", values -> extremes(values, 2, 1, false)),
          Map.entry(
              "{$percentile: {input: '$F', p: [0.5], method: 'approximate'}}",
              GroupModelTest::median));

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void agreesWithListsOfDocuments() {
    for (int round = 0; round < ROUNDS; round++) {
      List<RawDocument> documents = documents(1 + random.nextInt(200));
      boolean compound = random.nextBoolean();
      Map<String, String> fields = fields();
      var group = new StringBuilder("{_id: ").append(compound ? "{x: '$k', y: '$f'}" : "'$k'");
      fields.forEach((name, spec) -> group.append(", ").append(name).append(": ").append(spec));
      Pipeline pipeline = StageFixture.parse("[{$group: " + group + "}}]", ExpressionCases.CONTEXT);
      List<RawDocument> expected = model(documents, compound, fields);
      String what = "seed " + seed + ", round " + round + ": " + group;
      assertThat(StageFixture.run(pipeline, documents, SortSpace.inMemory()))
          .as(what)
          .isEqualTo(expected);
      long bytesMax = 1L << random.nextInt(14);
      var files = new SortSpace(bytesMax, new MemoryScratch(), WorkMeter.unchecked());
      assertThat(StageFixture.run(pipeline, documents, files))
          .as("%s with %d bytes", what, bytesMax)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private List<RawDocument> documents(int count) {
    int keys = 1 + random.nextInt(40);
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < count; i++) {
      var out = new BsonBuilder();
      append("k", random.nextInt(keys), out);
      append("f", random.nextInt(6), out);
      append("a_rather_long_name", random.nextInt(30), out);
      append("g", random.nextInt(1000), out);
      documents.add(out.toDocument());
    }
    return documents;
  }

  /** A value that says which number it came from, in one of many types; or none. */
  private void append(String name, int number, BsonBuilder out) {
    switch (random.nextInt(9)) {
      case 0 -> out.appendInt32(name, number);
      case 1 -> out.appendInt64(name, number);
      case 2 -> out.appendDouble(name, number / 2.0);
      case 3 -> out.appendString(name, "text " + number);
      case 4 -> out.appendNull(name);
      case 5 -> out.startArray(name).append(0, RawValue.ofInt32(number)).end();
      case 6 -> out.appendDate(name, number);
      case 7 -> out.startDocument(name).appendInt32("x", number).end();
      default -> {}
    }
  }

  private Map<String, String> fields() {
    var fields = new LinkedHashMap<String, String>();
    List<String> specs = new ArrayList<>(ACCUMULATORS.keySet());
    String[] inputs = {"f", "g", "a_rather_long_name", "k"};
    for (int i = 0; i < 5; i++) {
      String spec = specs.get(random.nextInt(specs.size()));
      fields.put("v" + i, spec.replace("$F", "$" + inputs[random.nextInt(inputs.length)]));
    }
    return fields;
  }

  private static List<RawDocument> model(
      List<RawDocument> documents, boolean compound, Map<String, String> fields) {
    var groups = new LinkedHashMap<ValueKey, List<RawDocument>>();
    for (RawDocument document : documents) {
      groups
          .computeIfAbsent(new ValueKey(id(document, compound)), id -> new ArrayList<>())
          .add(document);
    }
    var results = new ArrayList<RawDocument>();
    groups.forEach(
        (id, members) -> {
          var out = new BsonBuilder().append("_id", id.value());
          fields.forEach((name, spec) -> out.append(name, value(spec, members)));
          results.add(out.toDocument());
        });
    return results;
  }

  private static RawValue id(RawDocument document, boolean compound) {
    if (!compound) {
      return Values.nullIfMissing(document.get("k"));
    }
    var out = new BsonBuilder();
    if (document.get("k") != null) {
      out.append("x", document.get("k"));
    }
    if (document.get("f") != null) {
      out.append("y", document.get("f"));
    }
    return RawValue.ofDocument(out.toDocument());
  }

  private static RawValue value(String spec, List<RawDocument> members) {
    int from = spec.indexOf("'$");
    if (from < 0) {
      return ACCUMULATORS.get(spec).apply(values("k", members));
    }
    String field = spec.substring(from + 2, spec.indexOf('\'', from + 1));
    return ACCUMULATORS.get(spec.replace("$" + field + "'", "$F'")).apply(values(field, members));
  }

  private static List<RawValue> values(String field, List<RawDocument> members) {
    var values = new ArrayList<RawValue>();
    members.forEach(member -> values.add(member.get(field)));
    return values;
  }

  private static List<RawValue> present(List<RawValue> values) {
    return values.stream().filter(value -> !Values.isNullish(value)).toList();
  }

  private static List<RawValue> numbers(List<RawValue> values) {
    return values.stream().filter(value -> value != null && value.isNumber()).toList();
  }

  /** All numbers are halves, so that any way to add them is exact. */
  private static RawValue sum(List<RawValue> values) {
    double sum = numbers(values).stream().mapToDouble(RawValue::toDouble).sum();
    if (numbers(values).stream().anyMatch(value -> value.type() == ElementType.DOUBLE)) {
      return RawValue.ofDouble(sum);
    }
    return numbers(values).stream().anyMatch(value -> value.type() == ElementType.INT64)
        ? RawValue.ofInt64((long) sum)
        : RawValue.ofInt32((int) sum);
  }

  private static RawValue average(List<RawValue> values) {
    List<RawValue> numbers = numbers(values);
    return numbers.isEmpty()
        ? RawValue.NULL
        : RawValue.ofDouble(sum(values).toDouble() / numbers.size());
  }

  private static RawValue median(List<RawValue> values) {
    double[] numbers = numbers(values).stream().mapToDouble(RawValue::toDouble).sorted().toArray();
    RawValue median =
        numbers.length == 0 ? RawValue.NULL : RawValue.ofDouble(numbers[(numbers.length - 1) / 2]);
    return ArrayBuilder.of(List.of(median));
  }

  private static RawValue set(List<RawValue> values) {
    var set = new LinkedHashMap<ValueKey, RawValue>();
    values.stream()
        .filter(Objects::nonNull)
        .forEach(value -> set.putIfAbsent(new ValueKey(value), value));
    return ArrayBuilder.of(set.values());
  }

  private static RawValue part(List<RawValue> values, int from, int to) {
    return ArrayBuilder.of(values.subList(from, Math.min(to, values.size())));
  }

  /** The sort is stable, so that of equal values the first ones are taken. */
  private static RawValue extremes(List<RawValue> values, int n, int sign, boolean single) {
    var sorted = new ArrayList<>(present(values));
    sorted.sort((a, b) -> sign * ValueOrder.compare(a, b));
    if (single) {
      return sorted.isEmpty() ? RawValue.NULL : sorted.getFirst();
    }
    return part(sorted, 0, n);
  }
}
