package dev.wisent.database.planner;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.planner.AgreementCase.Question;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.query.collation.CollationChoice;
import org.bson.BsonValue;

/** The questions of a case as requests. */
final class AgreementRequests {
  private AgreementRequests() {}

  static FindRequest find(Question question) {
    return new FindRequest.Builder()
        .filter(RawDocument.of(question.filter()))
        .projection(RawDocument.of(question.projection()))
        .sort(RawDocument.of(question.sort()))
        .hint(hint(question))
        .skip(question.skip())
        .limit(question.limit())
        .collation(collation(question))
        .build(TestDatabase.NAMESPACE);
  }

  static CountRequest count(Question question) {
    return new CountRequest(
        TestDatabase.NAMESPACE,
        RawDocument.of(question.filter()),
        question.skip(),
        question.limit(),
        hint(question),
        collation(question));
  }

  static DistinctRequest distinct(Question question) {
    return new DistinctRequest(
        TestDatabase.NAMESPACE,
        question.path(),
        RawDocument.of(question.filter()),
        hint(question),
        collation(question));
  }

  static CollationChoice collation(Question question) {
    return CollationChoice.of(RawDocument.of(question.collation()));
  }

  private static RawValue hint(Question question) {
    BsonValue hint = question.hint();
    if (hint == null) {
      return null;
    }
    return hint.isString()
        ? RawValue.ofString(hint.asString().getValue())
        : RawValue.ofDocument(RawDocument.of(hint.asDocument()));
  }
}
