package dev.wisent.database.planner;

import dev.wisent.database.planner.AgreementCase.IndexCase;
import dev.wisent.database.planner.AgreementCase.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/**
 * Makes a failing case small: takes away documents, indexes, conditions and values as long as it
 * goes on failing.
 */
final class AgreementShrinker {
  private static final int ATTEMPTS_MAX = 3000;

  private final Predicate<AgreementCase> fails;
  private AgreementCase smallest;
  private int attempts;

  private AgreementShrinker(AgreementCase failing, Predicate<AgreementCase> fails) {
    this.smallest = failing;
    this.fails = fails;
  }

  static AgreementCase shrink(AgreementCase failing, Predicate<AgreementCase> fails) {
    var shrinker = new AgreementShrinker(failing, fails);
    shrinker.dropDocuments();
    while (shrinker.improve()) {}
    return shrinker.smallest;
  }

  /** Large parts first: most documents have no part in a failure. */
  private void dropDocuments() {
    for (int part = smallest.documents().size() / 2; part > 0; part /= 2) {
      for (int from = 0; from < smallest.documents().size(); ) {
        var left = new ArrayList<>(smallest.documents());
        left.subList(from, Math.min(left.size(), from + part)).clear();
        if (!adopt(smallest.withDocuments(left))) {
          from += part;
        }
      }
    }
  }

  private boolean improve() {
    return candidates(smallest).anyMatch(this::adopt);
  }

  private boolean adopt(AgreementCase candidate) {
    if (attempts++ >= ATTEMPTS_MAX || !fails.test(candidate)) {
      return false;
    }
    smallest = candidate;
    return true;
  }

  private static Stream<AgreementCase> candidates(AgreementCase from) {
    return Stream.of(
            from.clustered() ? Stream.of(from.unclustered()) : Stream.<AgreementCase>empty(),
            Stream.of(from.withoutCollation()).filter(other -> !other.equals(from)),
            without(from.documents()).map(from::withDocuments),
            without(from.indexes()).map(from::withIndexes),
            questions(from.question()).map(from::withQuestion),
            replaced(from.indexes(), AgreementShrinker::smallerIndexes).map(from::withIndexes),
            replaced(from.documents(), AgreementShrinker::smallerDocuments)
                .map(from::withDocuments))
        .flatMap(candidates -> candidates);
  }

  private static Stream<Question> questions(Question question) {
    return Stream.of(
            question.skip() + question.limit() > 0
                ? Stream.of(
                    question.withWindow(0, 0),
                    question.withWindow(0, question.limit()),
                    question.withWindow(question.skip(), 0))
                : Stream.<Question>empty(),
            question.collation().isEmpty()
                ? Stream.<Question>empty()
                : Stream.of(question.withCollation(new BsonDocument())),
            withoutField(question.collation())
                .filter(smaller -> smaller.containsKey("locale"))
                .map(question::withCollation),
            withoutField(question.sort()).map(question::withSort),
            withoutField(question.projection()).map(question::withProjection),
            filters(question.filter()).map(question::withFilter))
        .flatMap(questions -> questions)
        .filter(smaller -> !smaller.equals(question));
  }

  private static Stream<BsonDocument> filters(BsonDocument filter) {
    Stream<BsonDocument> branches =
        filter.entrySet().stream()
            .filter(condition -> condition.getKey().startsWith("$"))
            .filter(condition -> condition.getValue().isArray())
            .flatMap(condition -> condition.getValue().asArray().stream())
            .filter(BsonValue::isDocument)
            .map(BsonValue::asDocument);
    return Stream.concat(branches, smaller(filter).map(BsonValue::asDocument));
  }

  private static Stream<IndexCase> smallerIndexes(IndexCase index) {
    return Stream.concat(
        withoutField(index.key())
            .filter(key -> !key.isEmpty())
            .map(key -> new IndexCase(index.name(), key, index.options(), index.early())),
        withoutField(index.options())
            .map(options -> new IndexCase(index.name(), index.key(), options, index.early())));
  }

  /** All but the identifier, which the answers are told apart by. */
  private static Stream<BsonDocument> smallerDocuments(BsonDocument document) {
    return smaller(document)
        .map(BsonValue::asDocument)
        .filter(smaller -> document.get("_id").equals(smaller.get("_id")));
  }

  private static Stream<BsonValue> smaller(BsonValue value) {
    if (value.isDocument()) {
      BsonDocument document = value.asDocument();
      return Stream.concat(
          withoutField(document),
          document.keySet().stream()
              .flatMap(name -> smaller(document.get(name)).map(v -> with(document, name, v))));
    }
    if (value.isArray()) {
      BsonArray array = value.asArray();
      return Stream.of(
              array.stream().filter(element -> !element.isArray()),
              without(array.getValues()).map(BsonArray::new),
              replaced(array.getValues(), AgreementShrinker::smaller).map(BsonArray::new))
          .flatMap(values -> values);
    }
    BsonValue simplest = new BsonInt32(0);
    return value.equals(simplest) ? Stream.empty() : Stream.of(simplest);
  }

  private static Stream<BsonDocument> withoutField(BsonDocument document) {
    return document.keySet().stream()
        .map(
            name -> {
              BsonDocument left = document.clone();
              left.remove(name);
              return left;
            });
  }

  private static BsonDocument with(BsonDocument document, String name, BsonValue value) {
    BsonDocument changed = document.clone();
    changed.put(name, value);
    return changed;
  }

  private static <T> Stream<List<T>> without(List<T> values) {
    return Stream.iterate(0, i -> i < values.size(), i -> i + 1)
        .map(
            i -> {
              var left = new ArrayList<>(values);
              left.remove((int) i);
              return left;
            });
  }

  /** One of the values replaced by each of its smaller ones. */
  private static <T> Stream<List<T>> replaced(List<T> values, Function<T, Stream<T>> smaller) {
    return Stream.iterate(0, i -> i < values.size(), i -> i + 1)
        .flatMap(
            i ->
                smaller
                    .apply(values.get(i))
                    .map(
                        value -> {
                          var changed = new ArrayList<>(values);
                          changed.set(i, value);
                          return changed;
                        }));
  }
}
