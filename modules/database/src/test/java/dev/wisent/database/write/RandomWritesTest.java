package dev.wisent.database.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.RandomData;
import dev.wisent.database.RandomUpdates;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.pipeline.UpdateStages;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.query.update.UpdateParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random updates and deletes do to the collection what they do to a list of documents, and leave
 * indexes and counters right, also when some of the documents refuse the change.
 */
class RandomWritesTest {
  private static final int ROUNDS = 12;
  private static final int DOCUMENTS = 40;
  private static final int WRITES = 40;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private SplittableRandom random;
  private RandomData data;
  private RandomUpdates updates;
  private TestDatabase database;
  private Map<Integer, RawDocument> expected;
  private int changed;
  private int refused;

  @Test
  void writesAgreeWithAListOfDocuments(@TempDir Path directory) {
    System.out.println("RandomWritesTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      for (int round = 0; round < ROUNDS; round++) {
        random = new SplittableRandom(seed + round);
        data = new RandomData(random);
        updates = new RandomUpdates(random, data);
        fill();
        for (int i = 0; i < WRITES; i++) {
          if (random.nextInt(5) == 0) {
            delete(RawDocument.of(data.filter()));
          } else {
            update(
                RawDocument.of(data.filter()),
                random.nextInt(8) == 0 ? updates.pipeline() : updates.operators());
          }
          assertThat(stored()).as("seed %d", seed).isEqualTo(expected);
          database.assertValid();
        }
        database.assertNothingLeaks();
        if (round % 4 == 0) {
          database.reopen();
          database.assertValid();
        }
        database.database().changes().drop(database.collection(), database.operation());
      }
    }
    assertThat(changed).as("documents changed").isGreaterThan(ROUNDS * WRITES / 4);
    assertThat(refused).as("updates refused").isGreaterThan(0);
  }

  private void fill() {
    database.create("{}");
    for (int i = 0; i < 4; i++) {
      BsonDocument key = data.keyPattern();
      if (database.collection().index(TestDatabase.indexName(RawDocument.of(key))) == null) {
        database.createIndex(
            key.toJson(), random.nextInt(3) == 0 ? new String[] {"sparse"} : new String[0]);
      }
    }
    var documents = new ArrayList<RawDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(RawDocument.of(data.document(id)));
    }
    database.insert(false, documents);
    expected = stored();
  }

  private Map<Integer, RawDocument> stored() {
    var documents = new LinkedHashMap<Integer, RawDocument>();
    for (RawDocument document :
        database.find(FindRequest.of(TestDatabase.NAMESPACE, RawDocument.EMPTY))) {
      documents.put(document.get("_id").asInt32(), document);
    }
    return documents;
  }

  private List<Integer> matching(RawDocument filter) {
    var expression = MatchParser.parse(filter, QueryContexts.of(database.operation()));
    return expected.entrySet().stream()
        .filter(entry -> expression.matches(entry.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private void delete(RawDocument filter) {
    List<Integer> ids = matching(filter);
    // Deleting most of the documents would leave nothing for the writes after this one.
    boolean multi = ids.size() < 5;
    WriteOutcome outcome = database.delete(filter.toJson(), multi);
    assertThat(outcome.failures()).isEmpty();
    if (multi) {
      assertThat(outcome.matched())
          .as(() -> "seed %d: delete %s".formatted(seed, filter))
          .isEqualTo(ids.size());
      expected.keySet().removeAll(ids);
    } else {
      assertThat(outcome.matched()).isEqualTo(1);
      expected.keySet().retainAll(stored().keySet());
    }
  }

  private void update(RawDocument filter, BsonValue change) {
    RawValue update = RawDocument.of(new BsonDocument("u", change)).get("u");
    var statement =
        new UpdateStatement(filter, update, true, false, List.of(), RawDocument.EMPTY, null);
    WriteOutcome outcome =
        database
            .database()
            .update(
                database.operation(),
                new UpdateRequest(TestDatabase.NAMESPACE, List.of(statement), true, false));
    List<Integer> ids = matching(filter);
    Map<Integer, RawDocument> after = stored();
    String what = "seed %d: %s %s".formatted(seed, filter.toJson(), change);
    if (outcome.failures().isEmpty()) {
      assertThat(outcome.matched()).as(what).isEqualTo(ids.size());
    } else {
      refused++;
    }
    for (int id : ids) {
      RawDocument applied = applied(update, expected.get(id));
      if (applied != null && applied.equals(after.get(id))) {
        changed += applied.equals(expected.get(id)) ? 0 : 1;
        expected.put(id, applied);
      } else {
        // It refused the update, or comes after one that did.
        assertThat(outcome.failures()).as(what).isNotEmpty();
      }
    }
  }

  /** Null where the update cannot be applied. */
  private static RawDocument applied(RawValue update, RawDocument document) {
    try {
      var context =
          new UpdateContext(
              QueryContext.of(() -> 0, () -> 0), () -> 1, ObjectId::new, UpdateStages::parse);
      Update parsed = UpdateParser.parse(update, List.of(), true, context);
      return parsed.apply(document, null, false).document();
    } catch (CommandException e) {
      return null;
    }
  }
}
