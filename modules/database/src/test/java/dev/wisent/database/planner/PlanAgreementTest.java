package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.wisent.database.RandomData;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.index.Index;
import dev.wisent.database.planner.AgreementCase.IndexCase;
import dev.wisent.database.planner.AgreementCase.Question;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A query has the same answer whichever way it is reached: by the plan that is chosen, by each
 * index when hinted, by a scan, and by matching all documents one by one.
 *
 * <p>{@code -Dwisent.seed} repeats a run.
 */
class PlanAgreementTest {
  private static final BsonDocument SIMPLE = BsonDocument.parse("{locale: 'simple'}");
  private static final BsonValue NATURAL = BsonDocument.parse("{$natural: 1}");
  private static final int DOCUMENTS = 40;
  private static final int QUERIES = 100;
  private static final int INDEXES = 5;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private AgreementCheck check;
  private TestDatabase database;
  private int answers;

  @Test
  void everyPlanGivesTheSameAnswer(@TempDir Path directory) {
    run(directory, 15);
  }

  @Tag("faults")
  @Test
  void everyPlanGivesTheSameAnswerForALongTime(@TempDir Path directory) {
    run(directory, 100_000 / QUERIES);
  }

  private void run(Path directory, int rounds) {
    System.out.println("PlanAgreementTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      check = new AgreementCheck(opened);
      for (int round = 0; round < rounds; round++) {
        run(new SplittableRandom(seed + round));
      }
    }
    System.out.println("PlanAgreementTest " + answers + " answers " + check.answersByPlan);
    assertThat(answers).as("answers compared").isGreaterThan(rounds * QUERIES * 8);
    assertThat(check.answersByPlan.get("IXSCAN")).as("by an index").isGreaterThan(answers / 5);
  }

  private void run(SplittableRandom random) {
    var data = new RandomData(random);
    var documents = new ArrayList<BsonDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(data.document(id));
    }
    boolean namedByStrings = random.nextInt(3) == 0;
    if (namedByStrings) {
      documents.forEach(document -> document.put("_id", name(document, random.nextBoolean())));
    }
    var content =
        new AgreementCase(
            random.nextInt(4) == 0,
            random.nextBoolean() ? SIMPLE : data.collation(),
            documents,
            indexes(random, data),
            null);
    check.fill(content);
    for (int i = 0; i < QUERIES; i++) {
      ask(content, random, data);
    }
    database.assertValid();
    database.assertNothingLeaks();
  }

  private static BsonString name(BsonDocument document, boolean upper) {
    return new BsonString((upper ? "N" : "n") + document.getInt32("_id").getValue());
  }

  private static List<IndexCase> indexes(SplittableRandom random, RandomData data) {
    var indexes = new ArrayList<IndexCase>();
    for (int i = 0; i < INDEXES; i++) {
      BsonDocument spec = data.index();
      BsonDocument key = spec.remove("key").asDocument();
      if (indexes.stream().noneMatch(other -> other.key().equals(key))) {
        indexes.add(new IndexCase("i" + i, key, spec, random.nextInt(3) == 0));
      }
    }
    return indexes;
  }

  private void ask(AgreementCase content, SplittableRandom random, RandomData data) {
    List<String> fields = fieldsOfAnIndex(random, data);
    BsonDocument filter = random.nextBoolean() ? data.filter() : data.filterFor(fields);
    BsonDocument sort =
        switch (random.nextInt(4)) {
          case 0 -> data.sort();
          case 1 -> data.sortFor(fields);
          default -> new BsonDocument();
        };
    if (random.nextInt(10) == 0) {
      filter = random.nextBoolean() ? new BsonDocument() : filter;
      BsonValue id = new BsonString("n" + random.nextInt(DOCUMENTS));
      filter.put("_id", random.nextBoolean() ? id : new BsonDocument("$gte", id));
    }
    int skip = random.nextInt(4) == 0 ? random.nextInt(5) : 0;
    int limit = random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 0;
    var find = Question.find(filter, sort, skip, limit);
    String path = random.nextBoolean() ? fields.getFirst() : data.path();
    var questions =
        List.of(
            find,
            find.withProjection(data.projectionFor(fields)),
            Question.count(filter, skip, limit),
            Question.distinct(path, filter));
    BsonDocument collation = random.nextInt(3) == 0 ? data.collation() : new BsonDocument();
    for (Question asked : questions) {
      Question question = asked.withCollation(collation);
      ask(content.withQuestion(question));
      ask(content.withQuestion(question.withEachPlan()));
      ask(content.withQuestion(question.withHint(NATURAL)));
      for (Index index : database.collection().indexes()) {
        if (!index.isHidden()) {
          ask(content.withQuestion(question.withHint(new BsonString(index.name()))));
        }
      }
    }
  }

  private List<String> fieldsOfAnIndex(SplittableRandom random, RandomData data) {
    List<Index> indexes = database.collection().indexes();
    Index index = indexes.get(random.nextInt(indexes.size()));
    return IntStream.range(0, index.fieldCount())
        .mapToObj(i -> index.path(i).dotted())
        .map(path -> path.contains("$") ? data.path() : path)
        .distinct()
        .toList();
  }

  private void ask(AgreementCase asked) {
    answers++;
    String disagreement = check.disagreement(asked.question());
    if (disagreement == null) {
      return;
    }
    AgreementCase smallest = AgreementShrinker.shrink(asked, this::fails);
    String reduced = fails(smallest) ? check.disagreement(smallest.question()) : null;
    fail(
        "seed %d: %s\n%s",
        seed, reduced == null ? "only after other queries: " + disagreement : reduced, smallest);
  }

  private boolean fails(AgreementCase candidate) {
    check.fill(candidate);
    return check.disagreement(candidate.question()) != null;
  }
}
