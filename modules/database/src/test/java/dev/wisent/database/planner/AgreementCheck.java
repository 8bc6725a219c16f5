package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.exec.PlanRunner;
import dev.wisent.database.index.Index;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.planner.AgreementCase.IndexCase;
import dev.wisent.database.planner.AgreementCase.Question;
import dev.wisent.database.read.DistinctValues;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.sort.SortKeyGenerator;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.projection.Projection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * Asks the database and works the answer out from the documents themselves: match all, sort all,
 * take the window, project.
 */
final class AgreementCheck {
  private static final JsonWriterSettings EXACT =
      JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

  private final TestDatabase database;
  private final PlanRunner runner;
  private List<RawDocument> stored = List.of();

  /** How many answers each kind of plan has given. */
  final Map<String, Integer> answersByPlan = new TreeMap<>();

  AgreementCheck(TestDatabase database) {
    this.database = database;
    this.runner = new PlanRunner(database);
  }

  /** Replaces what the collection holds. What the indexes and the documents refuse is left out. */
  void fill(AgreementCase content) {
    clear();
    database.create(content.options());
    content.indexes().stream().filter(IndexCase::early).forEach(this::createIndex);
    database.insert(false, content.documents().stream().map(RawDocument::of).toList());
    content.indexes().stream().filter(index -> !index.early()).forEach(this::createIndex);
    stored = database.find(FindRequest.of(TestDatabase.NAMESPACE, RawDocument.EMPTY));
  }

  void clear() {
    if (database.database().catalog().find(TestDatabase.NAMESPACE) != null) {
      database.database().changes().drop(database.collection(), database.operation());
    }
  }

  private void createIndex(IndexCase index) {
    try {
      database
          .database()
          .changes()
          .addIndexes(
              database.collection(), List.of(RawDocument.of(index.spec())), database.operation());
    } catch (CommandException e) {
      // The documents do not allow for it.
    }
  }

  /** What is wrong with the answer; null if nothing is. */
  String disagreement(Question question) {
    if (question.hint() != null && question.hint().isString() && hinted(question) == null) {
      // The index could not be made, or was taken away to make the case smaller.
      return null;
    }
    Expectation expected;
    try {
      expected = new Expectation(question);
    } catch (CommandException e) {
      // Not a query, or parallel arrays in a sort: which document says so depends on the plan.
      return null;
    }
    OperationContext operation = database.operation();
    try {
      if (question.eachPlan()) {
        return disagreementOfAPlan(question, expected, operation);
      }
      String difference =
          switch (question.kind()) {
            case FIND -> expected.compare(find(question, operation));
            case COUNT -> expected.compareCount(count(question, operation));
            case DISTINCT -> expected.compareDistinct(distinct(question, operation));
          };
      answersByPlan.merge(operation.planSummary().split(" ", 2)[0], 1, Integer::sum);
      return difference == null ? null : difference + "\nplan: " + operation.planSummary();
    } catch (CommandException e) {
      return isRefusable(question, e) ? null : "failed: " + e.getMessage();
    } catch (RuntimeException | AssertionError e) {
      return "failed: " + e + " at " + Arrays.stream(e.getStackTrace()).limit(4).toList();
    }
  }

  /** A wildcard index is not used for what it cannot answer, even with a hint. */
  private boolean isRefusable(Question question, CommandException e) {
    Index hinted = hinted(question);
    return hinted != null
        && hinted.kind() == Index.Kind.WILDCARD
        && e.code() == ErrorCode.NO_QUERY_EXECUTION_PLANS;
  }

  private Index hinted(Question question) {
    return question.hint() == null || !question.hint().isString()
        ? null
        : database.collection().index(question.hint().asString().getValue());
  }

  private String disagreementOfAPlan(
      Question question, Expectation expected, OperationContext operation) {
    Query query =
        switch (question.kind()) {
          case FIND -> Query.find(AgreementRequests.find(question), ofCollection(), operation);
          case COUNT -> Query.count(AgreementRequests.count(question), ofCollection(), operation);
          case DISTINCT ->
              Query.distinct(AgreementRequests.distinct(question), ofCollection(), operation);
        };
    for (PlanNode plan :
        Planner.candidates(database.collection(), query, new PlanLimits(), operation)) {
      List<RawDocument> rows = runner.run(plan, query.filter(), () -> false).documents();
      String difference =
          switch (question.kind()) {
            case FIND -> expected.compare(rows);
            case COUNT -> expected.compareCount(window(rows.size(), question));
            case DISTINCT -> expected.compareDistinct(distinct(plan, question, rows));
          };
      answersByPlan.merge("plan with " + leaf(plan).stage(), 1, Integer::sum);
      if (difference != null) {
        return difference + "\nplan: " + describe(plan);
      }
    }
    return null;
  }

  private Collation ofCollection() {
    return database.collection().collation();
  }

  private Collation collation(Question question) {
    return AgreementRequests.collation(question).or(ofCollection());
  }

  private List<RawValue> distinct(PlanNode plan, Question question, List<RawDocument> rows) {
    return plan instanceof PlanNode.DistinctScan
        ? rows.stream().map(key -> key.get(question.path())).toList()
        : distinct(question, rows);
  }

  private List<RawValue> distinct(Question question, List<RawDocument> documents) {
    var distinct = new DistinctValues(question.path(), collation(question));
    documents.forEach(distinct::addFrom);
    return distinct.values();
  }

  private static PlanNode leaf(PlanNode plan) {
    return plan.children().isEmpty() ? plan : leaf(plan.children().getFirst());
  }

  private static String describe(PlanNode plan) {
    String own =
        switch (plan) {
          case PlanNode.IndexScan scan ->
              "%s %s %s%s filter %s"
                  .formatted(
                      scan.stage(),
                      scan.index().name(),
                      scan.bounds(),
                      scan.reverse() ? " reverse" : "",
                      scan.filter());
          case PlanNode.CountScan scan ->
              scan.stage() + " " + scan.index().name() + " " + scan.bounds();
          case PlanNode.DistinctScan scan ->
              scan.stage() + " " + scan.index().name() + " " + scan.bounds();
          default -> plan.stage();
        };
    return plan.children().isEmpty()
        ? own
        : own + plan.children().stream().map(AgreementCheck::describe).toList();
  }

  private List<RawDocument> find(Question question, OperationContext operation) {
    return TestDatabase.drain(
        database.database().find(operation, AgreementRequests.find(question)));
  }

  private long count(Question question, OperationContext operation) {
    return database.database().count(operation, AgreementRequests.count(question));
  }

  private List<RawValue> distinct(Question question, OperationContext operation) {
    return database.database().distinct(operation, AgreementRequests.distinct(question));
  }

  private static long window(long all, Question question) {
    long left = Math.max(0, all - question.skip());
    return question.limit() == 0 ? left : Math.min(left, question.limit());
  }

  /** The right answer, or all the right answers where ties leave a choice. */
  private final class Expectation {
    private final Question question;
    private final List<RawDocument> matching;
    private final List<String> sortKeys;
    private final Projection projection;
    private final Collation collation;

    Expectation(Question question) {
      this.question = question;
      this.collation = collation(question);
      var context = QueryContexts.of(database.operation(), collation);
      RawDocument filter = RawDocument.of(question.filter());
      MatchExpression expression = MatchParser.parse(filter, context);
      Index hinted = hinted(question);
      var generator =
          new SortKeyGenerator(SortPattern.parse(RawDocument.of(question.sort()), collation));
      record Keyed(String key, RawDocument document) {}
      List<Keyed> sorted =
          stored.stream()
              .filter(expression::matches)
              .filter(document -> hinted == null || isIn(hinted, document))
              .map(d -> new Keyed(HexFormat.of().formatHex(generator.key(d)), d))
              .sorted(Comparator.comparing(Keyed::key))
              .toList();
      this.matching = sorted.stream().map(Keyed::document).toList();
      this.sortKeys = sorted.stream().map(Keyed::key).toList();
      this.projection =
          question.projection().isEmpty()
              ? null
              : Projection.parse(RawDocument.of(question.projection()), filter, context);
    }

    /**
     * A hint on a sparse or partial index leaves out what the index leaves out. A wildcard index
     * leaves out much, but is not used where that would be missed.
     */
    private static boolean isIn(Index index, RawDocument document) {
      if (index.kind() == Index.Kind.WILDCARD) {
        return index.partialFilter() == null || index.partialFilter().matches(document);
      }
      if (!index.isSparse() && index.partialFilter() == null) {
        return true;
      }
      var entries = new IndexEntries(WorkMeter.unchecked());
      index.collect(document, entries);
      return entries.size() > 0;
    }

    private long size() {
      return window(matching.size(), question);
    }

    /** Each document must be one of those that may stand at its place, and come only once. */
    String compare(List<RawDocument> found) {
      var unused = new ArrayList<>(matching.stream().map(this::projected).toList());
      String key = null;
      int from = 0;
      int to = 0;
      for (int i = 0; i < found.size() && question.skip() + i < matching.size(); i++) {
        Object row = projection == null ? found.get(i) : canonical(found.get(i));
        if (!sortKeys.get(question.skip() + i).equals(key)) {
          key = sortKeys.get(question.skip() + i);
          from = sortKeys.indexOf(key);
          to = sortKeys.lastIndexOf(key) + 1;
        }
        int place = unused.subList(from, to).indexOf(row);
        if (place < 0) {
          return describe(found, "the document at %d is not there".formatted(i));
        }
        unused.set(from + place, null);
      }
      return found.size() == size() ? null : describe(found, "expected " + size() + " documents");
    }

    private Object projected(RawDocument document) {
      return projection == null ? document : canonical(projection.apply(document, null));
    }

    private String describe(List<RawDocument> found, String what) {
      return what
          + ", found "
          + found.stream().map(RawDocument::toJson).toList()
          + "\nmatching: "
          + matching.stream().map(document -> document.get("_id").toString()).toList();
    }

    String compareCount(long found) {
      return found == size() ? null : "expected %d, counted %d".formatted(size(), found);
    }

    String compareDistinct(List<RawValue> found) {
      List<String> right = keys(distinct(question, matching));
      return keys(found).equals(right)
          ? null
          : "expected %d values, found %s".formatted(right.size(), found);
    }

    /** Which of several equal values stands for them depends on the plan. */
    private List<String> keys(List<RawValue> values) {
      return values.stream()
          .map(value -> Collation.key(collation, value))
          .map(value -> new IndexKeyV1.Encoder().append(value, false).toByteArray())
          .map(HexFormat.of()::formatHex)
          .sorted()
          .toList();
    }
  }

  /** A projection from an index has the order of the index's fields. */
  private static String canonical(RawDocument document) {
    return sorted(document.toBsonDocument()).toJson(EXACT);
  }

  private static BsonDocument sorted(BsonDocument document) {
    var fields = new BsonDocument();
    document.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            field ->
                fields.put(
                    field.getKey(),
                    field.getValue().isDocument()
                        ? sorted(field.getValue().asDocument())
                        : field.getValue()));
    return fields;
  }
}
