package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.database.planner.AgreementCase.IndexCase;
import dev.wisent.database.planner.AgreementCase.Question;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class AgreementShrinkerTest {
  @Test
  void leavesWhatTheFailureNeeds() {
    var documents =
        IntStream.range(0, 20)
            .mapToObj(i -> BsonDocument.parse("{_id: %d, a: [7, {x: %d}], b: 'x'}".formatted(i, i)))
            .toList();
    var indexes =
        List.of(
            new IndexCase("i0", BsonDocument.parse("{a: 1, b: -1}"), new BsonDocument(), false),
            new IndexCase("i1", BsonDocument.parse("{b: 1}"), new BsonDocument(), true));
    var question =
        Question.find(
            BsonDocument.parse("{$or: [{a: {$gt: 3}, b: 1}, {b: 2}], c: null}"),
            BsonDocument.parse("{a: 1}"),
            2,
            3);

    AgreementCase smallest =
        AgreementShrinker.shrink(
            new AgreementCase(
                true, BsonDocument.parse("{locale: 'en'}"), documents, indexes, question),
            candidate ->
                candidate.question().filter().toJson().contains("$gt")
                    && candidate.indexes().stream().anyMatch(i -> i.key().containsKey("a"))
                    && candidate.documents().stream().anyMatch(d -> d.toJson().contains("13")));

    assertThat(smallest.toString())
        .isEqualTo(
            """
            db.c.insertOne({"_id": 13})
            db.c.createIndex({"a": 1}, {"name": "i0"})
            db.c.find({"a": {"$gt": 0}}, {})
            """);
  }
}
