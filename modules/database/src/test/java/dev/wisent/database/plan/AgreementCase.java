package dev.wisent.database.plan;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * Documents, indexes and one question; everything that is needed to ask it again. It prints itself
 * as a mongosh script.
 */
record AgreementCase(
    boolean clustered, List<BsonDocument> documents, List<IndexChoice> indexes, Question question) {
  private static final JsonWriterSettings SHELL =
      JsonWriterSettings.builder().outputMode(JsonMode.SHELL).build();

  AgreementCase {
    documents = List.copyOf(documents);
    indexes = List.copyOf(indexes);
  }

  AgreementCase unclustered() {
    return new AgreementCase(false, documents, indexes, question);
  }

  /** What the collection is created with. */
  String options() {
    return clustered ? "{clusteredIndex: {key: {_id: 1}, unique: true}}" : "{}";
  }

  AgreementCase withDocuments(List<BsonDocument> others) {
    return new AgreementCase(clustered, others, indexes, question);
  }

  AgreementCase withIndexes(List<IndexChoice> others) {
    return new AgreementCase(clustered, documents, others, question);
  }

  AgreementCase withQuestion(Question other) {
    return new AgreementCase(clustered, documents, indexes, other);
  }

  /**
   * An index to create.
   *
   * @param name does not depend on the key, so that a hint stays right while a case is reduced
   * @param early whether it is there before the documents
   */
  record IndexChoice(String name, BsonDocument key, BsonDocument options, boolean early) {
    BsonDocument spec() {
      var spec = new BsonDocument("v", new BsonInt32(2)).append("key", key);
      spec.append("name", new BsonString(name));
      spec.putAll(options);
      return spec;
    }

    @Override
    public String toString() {
      BsonDocument named = options.clone();
      named.append("name", new BsonString(name));
      return "db.c.createIndex(" + key.toJson(SHELL) + ", " + named.toJson(SHELL) + ")";
    }
  }

  /** What is asked for. */
  enum Kind {
    FIND,
    COUNT,
    DISTINCT
  }

  /**
   * A question.
   *
   * @param path of distinct values
   * @param hint null for the plan of the planner's choice
   * @param eachPlan whether every plan that the planner thinks of is run by itself
   */
  record Question(
      Kind kind,
      BsonDocument filter,
      BsonDocument sort,
      BsonDocument projection,
      int skip,
      int limit,
      String path,
      BsonValue hint,
      boolean eachPlan) {

    static Question find(BsonDocument filter, BsonDocument sort, int skip, int limit) {
      return new Question(
          Kind.FIND, filter, sort, new BsonDocument(), skip, limit, null, null, false);
    }

    static Question count(BsonDocument filter, int skip, int limit) {
      return new Question(
          Kind.COUNT,
          filter,
          new BsonDocument(),
          new BsonDocument(),
          skip,
          limit,
          null,
          null,
          false);
    }

    static Question distinct(String path, BsonDocument filter) {
      return new Question(
          Kind.DISTINCT, filter, new BsonDocument(), new BsonDocument(), 0, 0, path, null, false);
    }

    Question withFilter(BsonDocument other) {
      return new Question(kind, other, sort, projection, skip, limit, path, hint, eachPlan);
    }

    Question withSort(BsonDocument other) {
      return new Question(kind, filter, other, projection, skip, limit, path, hint, eachPlan);
    }

    Question withProjection(BsonDocument other) {
      return new Question(kind, filter, sort, other, skip, limit, path, hint, eachPlan);
    }

    Question withWindow(int otherSkip, int otherLimit) {
      return new Question(
          kind, filter, sort, projection, otherSkip, otherLimit, path, hint, eachPlan);
    }

    Question withHint(BsonValue other) {
      return new Question(kind, filter, sort, projection, skip, limit, path, other, eachPlan);
    }

    Question withEachPlan() {
      return new Question(kind, filter, sort, projection, skip, limit, path, hint, true);
    }

    @Override
    public String toString() {
      String where = filter.toJson(SHELL);
      var text = new StringBuilder("db.c.");
      switch (kind) {
        case FIND -> text.append("find(").append(where).append(", ").append(json(projection));
        case COUNT -> text.append("find(").append(where);
        case DISTINCT -> text.append("distinct('").append(path).append("', ").append(where);
      }
      if (kind == Kind.DISTINCT) {
        return text.append(hint == null ? ")" : ", {hint: " + hintText() + "})").toString();
      }
      text.append(")");
      append(text, "sort", sort.isEmpty() ? null : json(sort));
      append(text, "skip", skip == 0 ? null : "" + skip);
      append(text, "limit", limit == 0 ? null : "" + limit);
      append(text, "hint", hint == null ? null : hintText());
      return text.append(kind == Kind.COUNT ? ".count()" : "").toString();
    }

    private String hintText() {
      return hint.isString() ? "'" + hint.asString().getValue() + "'" : json(hint.asDocument());
    }

    private static void append(StringBuilder text, String method, String argument) {
      if (argument != null) {
        text.append('.').append(method).append('(').append(argument).append(')');
      }
    }

    private static String json(BsonDocument document) {
      return document.toJson(SHELL);
    }
  }

  @Override
  public String toString() {
    var script = new StringBuilder();
    if (clustered) {
      script.append("db.createCollection('c', ").append(options()).append(")\n");
    }
    indexes.stream().filter(IndexChoice::early).forEach(i -> script.append(i).append('\n'));
    documents.forEach(d -> script.append("db.c.insertOne(").append(d.toJson(SHELL)).append(")\n"));
    indexes.stream().filter(i -> !i.early()).forEach(i -> script.append(i).append('\n'));
    return script.append(question).append('\n').toString();
  }
}
