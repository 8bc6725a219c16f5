package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/** Random updates on random documents. */
class RandomUpdateTest {
  private static final int ROUNDS = 40_000;

  /** Failures print it; the runs are the same every time. */
  private static final long SEED = 4_242;

  @Test
  void fourOperatorsAgreeWithTheNaiveWay() {
    int changed = 0;
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      var documents = new RandomDocuments(new Random(seed));
      BsonDocument original = documents.document();
      BsonDocument update = simpleUpdate(new Random(seed * 31), documents);
      RawDocument raw = UpdateCases.inTheMiddle(RawDocument.of(original));
      BsonDocument expected;
      try {
        expected = NaiveUpdate.apply(original, update);
      } catch (NaiveUpdate.Refused e) {
        expected = null;
        refused++;
      }
      UpdateOutcome outcome = applied(raw, update);
      String what = "seed " + seed + ": " + update.toJson() + " on " + original.toJson();
      if (expected == null) {
        assertThat(outcome).as(what).isNull();
        continue;
      }
      assertThat(outcome).as(what).isNotNull();
      assertThat(outcome.document()).as(what).isEqualTo(RawDocument.of(expected));
      changed += outcome.modified() ? 1 : 0;
      if (!outcome.modified()) {
        assertThat(outcome.document()).as(what).isSameAs(raw);
      }
    }
    assertThat(changed).as("updates that changed something").isGreaterThan(ROUNDS / 4);
    assertThat(refused).as("updates that were refused").isGreaterThan(ROUNDS / 50);
  }

  /** Null where the update is refused. */
  private static UpdateOutcome applied(RawDocument document, BsonDocument update) {
    try {
      return UpdateParser.parse(
              RawValue.ofDocument(RawDocument.of(update)), List.of(), UpdateCases.CONTEXT)
          .apply(document, null, false);
    } catch (CommandException e) {
      return null;
    }
  }

  private static BsonDocument simpleUpdate(Random random, RandomDocuments documents) {
    var update = new BsonDocument();
    var paths = new ArrayList<String>();
    int fields = 1 + random.nextInt(4);
    for (int i = 0; i < fields; i++) {
      String path = documents.path();
      boolean conflict =
          paths.stream()
              .anyMatch(p -> (p + ".").startsWith(path + ".") || (path + ".").startsWith(p + "."));
      if (conflict) {
        continue;
      }
      paths.add(path);
      String operator = List.of("$set", "$unset", "$inc", "$push").get(random.nextInt(4));
      BsonValue argument = operator.equals("$inc") ? documents.number() : documents.value(2);
      update.computeIfAbsent(operator, o -> new BsonDocument()).asDocument().put(path, argument);
    }
    return update;
  }

  @Test
  void anyUpdateLeavesAWellFormedDocument() {
    int changed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      var random = new Random(seed);
      var documents = new RandomDocuments(random);
      RawDocument raw = UpdateCases.inTheMiddle(RawDocument.of(documents.document()));
      RawDocument before = raw.detached();
      BsonDocument update = anyUpdate(random, documents);
      UpdateOutcome outcome;
      try {
        outcome = applied(raw, update);
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + update.toJson() + " on " + before, e);
      }
      assertThat(raw).isEqualTo(before);
      if (outcome != null && outcome.modified()) {
        changed++;
        // Decoding checks lengths and types; encoding again checks the names in arrays.
        assertThat(RawDocument.of(outcome.document().toBsonDocument()))
            .as("seed %d: %s on %s", seed, update.toJson(), before)
            .isEqualTo(outcome.document());
      }
    }
    assertThat(changed).as("updates that changed something").isGreaterThan(ROUNDS / 10);
  }

  private static BsonDocument anyUpdate(Random random, RandomDocuments documents) {
    var update = new BsonDocument();
    int operators = 1 + random.nextInt(2);
    for (int i = 0; i < operators; i++) {
      List<String> names =
          UpdateOperators.rows().stream()
              .filter(row -> row.kind().ordinal() <= UpdateOperators.Kind.BITWISE.ordinal())
              .map(UpdateOperators.Row::name)
              .toList();
      String operator = names.get(random.nextInt(names.size()));
      String path = random.nextInt(4) == 0 ? dynamicPath(random, documents) : documents.path();
      update.put(operator, new BsonDocument(path, argument(operator, random, documents)));
    }
    return update;
  }

  private static String dynamicPath(Random random, RandomDocuments documents) {
    return documents.path() + ".$[]" + (random.nextBoolean() ? "." + documents.name() : "");
  }

  private static BsonValue argument(String operator, Random random, RandomDocuments documents) {
    if (random.nextInt(8) == 0) {
      return documents.value(2);
    }
    return switch (operator) {
      case "$inc", "$mul" -> documents.number();
      case "$currentDate" -> BsonBoolean.TRUE;
      case "$rename" -> new BsonString(documents.path());
      case "$pop" -> new BsonInt32(random.nextBoolean() ? 1 : -1);
      case "$bit" -> new BsonDocument("or", new BsonInt32(random.nextInt(16)));
      case "$pullAll" -> new BsonArray(List.of(documents.number(), documents.value(1)));
      case "$push" -> push(random, documents);
      default -> documents.value(2);
    };
  }

  private static BsonValue push(Random random, RandomDocuments documents) {
    var each = new BsonArray(List.of(documents.value(1), documents.value(1)));
    var clauses = new BsonDocument("$each", each);
    if (random.nextBoolean()) {
      clauses.put("$position", new BsonInt32(random.nextInt(9) - 4));
    }
    if (random.nextBoolean()) {
      clauses.put("$slice", new BsonInt32(random.nextInt(9) - 4));
    }
    if (random.nextBoolean()) {
      clauses.put("$sort", new BsonInt32(1));
    }
    return clauses;
  }

  /** The short way for top-level fields must do the same as the long one. */
  @Test
  void patchesAgreeWithTheWalk() {
    int patched = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      var random = new Random(seed);
      var documents = new RandomDocuments(random);
      BsonDocument document = documents.document();
      var fields = new BsonDocument();
      for (int i = 0; i < 2; i++) {
        String name = documents.name();
        document.put(name, documents.number());
        fields.put(name, documents.number());
      }
      RawDocument raw = UpdateCases.inTheMiddle(RawDocument.of(document));
      var update = new BsonDocument(random.nextBoolean() ? "$inc" : "$set", fields);
      var root = new PathTreeBuilder(Map.of());
      fields.forEach(
          (name, argument) -> {
            RawValue value = RawValue.of(argument);
            FieldOperator operator =
                update.containsKey("$inc") ? IncUpdate.parse(name, value) : SetUpdate.parse(value);
            root.add(UpdatePath.parse(name), new PathNode.FieldLeaf(operator));
          });
      RawDocument patch = attempt(() -> TopLevelPatch.of(root.root()).apply(raw));
      if (patch == null) {
        continue;
      }
      patched++;
      RawDocument walked =
          attempt(
              () -> {
                var walk = new UpdateWalk(raw, -1, false);
                walk.apply(root.root());
                assertThat(walk.changed()).isEqualTo(patch != raw);
                return walk.document().encode();
              });
      assertThat(patch).as("seed %d: %s on %s", seed, update.toJson(), raw).isEqualTo(walked);
    }
    assertThat(patched).as("updates that could be patched").isGreaterThan(ROUNDS / 50);
  }

  private static RawDocument attempt(Supplier<RawDocument> update) {
    try {
      return update.get();
    } catch (CommandException e) {
      return null;
    }
  }
}
