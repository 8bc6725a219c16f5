package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.database.TestDatabase;
import dev.wisent.database.planner.AgreementCase.IndexCase;
import dev.wisent.database.planner.AgreementCase.Question;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every condition on every shape of a value finds the same by each kind of index as without one.
 * Beside {@link PlanAgreementTest}, which meets rare combinations by chance only.
 */
class ConditionAgreementTest {
  private static final BsonDocument SIMPLE = BsonDocument.parse("{locale: 'simple'}");

  private static final List<String> VALUES =
      List.of(
          "null",
          "{$undefined: true}",
          "0",
          "5",
          "5.5",
          "NaN",
          "'x'",
          "true",
          "{}",
          "[]",
          "[null]",
          "[{$undefined: true}]",
          "[5]",
          "[1, 5]",
          "[1, 9]",
          "[[]]",
          "[[5]]",
          "[[1, 5]]",
          "[[[5]]]",
          "[5, [5]]",
          "[[null]]",
          "[{}]",
          "[{b: 5}]",
          "[{b: null}]",
          "[{b: 5}, {c: 1}]",
          "[{b: 5}, 5]",
          "[{b: [5]}]",
          "[{b: [[5]]}]",
          "[{b: []}]",
          "[[{b: 5}]]",
          "{b: 5}",
          "{b: null}",
          "{b: []}",
          "{b: [5]}",
          "{b: [1, 9]}",
          "{b: [[5]]}",
          "{b: {b: 5}}",
          "{$minKey: 1}",
          "{$maxKey: 1}",
          "[{$minKey: 1}]");

  private static final List<String> CONDITIONS =
      List.of(
          "5",
          "null",
          "[]",
          "[5]",
          "[[5]]",
          "{}",
          "{b: 5}",
          "/x/",
          "'x'",
          "{$eq: [5]}",
          "{$ne: null}",
          "{$ne: 5}",
          "{$ne: [5]}",
          "{$ne: []}",
          "{$ne: {}}",
          "{$gt: 1}",
          "{$gt: 1, $lt: 6}",
          "{$gte: null}",
          "{$lte: null}",
          "{$gt: null}",
          "{$gt: []}",
          "{$gte: [5]}",
          "{$lt: [[5]]}",
          "{$gt: {$minKey: 1}}",
          "{$lt: {$maxKey: 1}}",
          "{$gte: {$maxKey: 1}}",
          "{$lte: {$minKey: 1}}",
          "{$in: []}",
          "{$in: [null]}",
          "{$in: [5, null]}",
          "{$in: [[5], 'x']}",
          "{$in: [[]]}",
          "{$in: [/x/, 5]}",
          "{$nin: []}",
          "{$nin: [null]}",
          "{$nin: [5]}",
          "{$nin: [5, null]}",
          "{$nin: [[5]]}",
          "{$nin: [/x/]}",
          "{$exists: true}",
          "{$exists: false}",
          "{$not: {$exists: true}}",
          "{$not: {$eq: null}}",
          "{$not: {$ne: null}}",
          "{$not: {$gt: 1}}",
          "{$not: {$gt: 1, $lt: 6}}",
          "{$not: {$in: [5, null]}}",
          "{$not: {$size: 1}}",
          "{$not: /x/}",
          "{$not: {$type: 'array'}}",
          "{$not: {$elemMatch: {$eq: 5}}}",
          "{$size: 0}",
          "{$size: 1}",
          "{$all: [5]}",
          "{$all: [1, 5]}",
          "{$all: [[5]]}",
          "{$all: [null]}",
          "{$all: []}",
          "{$all: [{$elemMatch: {$eq: 5}}, {$elemMatch: {$eq: 1}}]}",
          "{$all: [{$elemMatch: {b: 5}}]}",
          "{$type: 'array'}",
          "{$type: 'null'}",
          "{$type: 'number'}",
          "{$type: 'object'}",
          "{$type: ['undefined', 'minKey']}",
          "{$mod: [5, 0]}",
          "{$elemMatch: {$eq: 5}}",
          "{$elemMatch: {$ne: 5}}",
          "{$elemMatch: {$eq: null}}",
          "{$elemMatch: {$ne: null}}",
          "{$elemMatch: {$in: [5, null]}}",
          "{$elemMatch: {$nin: [5, null]}}",
          "{$elemMatch: {$exists: true}}",
          "{$elemMatch: {$exists: false}}",
          "{$elemMatch: {$type: 'array'}}",
          "{$elemMatch: {$size: 1}}",
          "{$elemMatch: {$eq: [5]}}",
          "{$elemMatch: {$gt: []}}",
          "{$elemMatch: {$gt: 1, $lt: 6}}",
          "{$elemMatch: {$not: {$gt: 1}}}",
          "{$elemMatch: {$elemMatch: {$eq: 5}}}",
          "{$elemMatch: {$elemMatch: {$ne: 5}}}",
          "{$elemMatch: {$elemMatch: {$elemMatch: {$eq: 5}}}}",
          "{$elemMatch: {$elemMatch: {$eq: 5}, $ne: 1}}",
          "{$elemMatch: {$elemMatch: {b: 5}}}",
          "{$elemMatch: {$not: {$elemMatch: {$eq: 5}}}}",
          "{$elemMatch: {b: 5}}",
          "{$elemMatch: {b: null}}",
          "{$elemMatch: {b: {$ne: 5}}}",
          "{$elemMatch: {b: {$ne: null}}}",
          "{$elemMatch: {b: {$exists: false}}}",
          "{$elemMatch: {b: {$elemMatch: {$eq: 5}}}}",
          "{$elemMatch: {b: {$elemMatch: {$elemMatch: {$eq: 5}}}}}",
          "{$elemMatch: {'0': 5}}",
          "{$elemMatch: {'0.b': 5}}",
          "{$elemMatch: {c: 1, b: {$exists: false}}}",
          "{$elemMatch: {}}");

  private static final List<String> PATHS = List.of("a", "a.b", "a.0", "a.0.b");

  private static final List<String> INDEXES =
      List.of(
          "{key: {a: 1}}",
          "{key: {a: -1}, sparse: true}",
          "{key: {a: 1, c: 1}, sparse: true}",
          "{key: {c: 1, a: -1}}",
          "{key: {'a.b': 1}}",
          "{key: {'a.b': 1}, sparse: true}",
          "{key: {'a.b': 1, c: 1}, sparse: true}",
          "{key: {'a.0': 1}}",
          "{key: {'a.0.b': 1}, sparse: true}",
          "{key: {a: 1, _id: 1}, unique: true}",
          "{key: {a: 1}, partialFilterExpression: {a: {$exists: true}}}",
          "{key: {'a.b': 1}, partialFilterExpression: {c: 1}}",
          "{key: {a: 'hashed'}}",
          "{key: {'$**': 1}}",
          "{key: {c: 1, 'a.$**': 1}}");

  @Test
  void everyConditionFindsTheSameByEveryIndex(@TempDir Path directory) {
    var disagreements = new ArrayList<String>();
    try (var database = TestDatabase.open(directory)) {
      var check = new AgreementCheck(database);
      for (String index : INDEXES) {
        BsonDocument options = BsonDocument.parse(index);
        BsonDocument key = options.remove("key").asDocument();
        List<BsonDocument> documents = documents(key.toJson().contains("hashed"));
        var choice = new IndexCase("i", key, options, true);
        check.fill(new AgreementCase(false, SIMPLE, documents, List.of(choice), null));
        for (String path : PATHS) {
          for (String condition : CONDITIONS) {
            ask(check, index, "{'" + path + "': " + condition + "}", disagreements);
            ask(check, index, "{c: 1, '" + path + "': " + condition + "}", disagreements);
          }
        }
        database.assertValid();
      }
    }
    assertThat(disagreements).isEmpty();
  }

  private static void ask(
      AgreementCheck check, String index, String filter, List<String> disagreements) {
    Question find = Question.find(BsonDocument.parse(filter), new BsonDocument(), 0, 0);
    for (Question question : List.of(find.withEachPlan(), Question.count(find.filter(), 0, 0))) {
      String disagreement = check.disagreement(question);
      if (disagreement != null) {
        disagreements.add(index + " " + filter + ": " + disagreement);
      }
    }
  }

  private static List<BsonDocument> documents(boolean withoutArrays) {
    var documents = new ArrayList<BsonDocument>();
    documents.add(BsonDocument.parse("{_id: 0}"));
    documents.add(BsonDocument.parse("{_id: 1, c: 1}"));
    for (String value : VALUES) {
      if (withoutArrays && value.startsWith("[")) {
        continue;
      }
      var document = new BsonDocument("_id", new BsonInt32(documents.size()));
      document.putAll(BsonDocument.parse("{a: " + value + "}"));
      if (documents.size() % 2 == 0) {
        document.put("c", new BsonInt32(1));
      }
      documents.add(document);
    }
    return documents;
  }
}
