package dev.wisent.database.planner;

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
 *
 * @param collation of the collection
 */
record AgreementCase(
    boolean clustered,
    BsonDocument collation,
    List<BsonDocument> documents,
    List<IndexCase> indexes,
    Question question) {
  private static final JsonWriterSettings SHELL =
      JsonWriterSettings.builder().outputMode(JsonMode.SHELL).build();

  AgreementCase {
    documents = List.copyOf(documents);
    indexes = List.copyOf(indexes);
  }

  AgreementCase unclustered() {
    return new AgreementCase(false, collation, documents, indexes, question);
  }

  /** What the collection is created with. */
  String options() {
    var options = new BsonDocument("collation", collation);
    if (clustered) {
      options.put("clusteredIndex", BsonDocument.parse("{key: {_id: 1}, unique: true}"));
    }
    return options.toJson(SHELL);
  }

  AgreementCase withoutCollation() {
    return new AgreementCase(
        clustered, BsonDocument.parse("{locale: 'simple'}"), documents, indexes, question);
  }

  AgreementCase withDocuments(List<BsonDocument> others) {
    return new AgreementCase(clustered, collation, others, indexes, question);
  }

  AgreementCase withIndexes(List<IndexCase> others) {
    return new AgreementCase(clustered, collation, documents, others, question);
  }

  AgreementCase withQuestion(Question other) {
    return new AgreementCase(clustered, collation, documents, indexes, other);
  }

  /**
   * An index to create.
   *
   * @param name does not depend on the key, so that a hint stays right while a case is reduced
   * @param early whether it is there before the documents
   */
  record IndexCase(String name, BsonDocument key, BsonDocument options, boolean early) {
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
   * @param collation empty for that of the collection
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
      boolean eachPlan,
      BsonDocument collation) {

    static Question find(BsonDocument filter, BsonDocument sort, int skip, int limit) {
      return new Question(
          Kind.FIND,
          filter,
          sort,
          new BsonDocument(),
          skip,
          limit,
          null,
          null,
          false,
          new BsonDocument());
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
          false,
          new BsonDocument());
    }

    static Question distinct(String path, BsonDocument filter) {
      return new Question(
          Kind.DISTINCT,
          filter,
          new BsonDocument(),
          new BsonDocument(),
          0,
          0,
          path,
          null,
          false,
          new BsonDocument());
    }

    Question withFilter(BsonDocument other) {
      return new Question(
          kind, other, sort, projection, skip, limit, path, hint, eachPlan, collation);
    }

    Question withSort(BsonDocument other) {
      return new Question(
          kind, filter, other, projection, skip, limit, path, hint, eachPlan, collation);
    }

    Question withProjection(BsonDocument other) {
      return new Question(kind, filter, sort, other, skip, limit, path, hint, eachPlan, collation);
    }

    Question withWindow(int otherSkip, int otherLimit) {
      return new Question(
          kind, filter, sort, projection, otherSkip, otherLimit, path, hint, eachPlan, collation);
    }

    Question withHint(BsonValue other) {
      return new Question(
          kind, filter, sort, projection, skip, limit, path, other, eachPlan, collation);
    }

    Question withEachPlan() {
      return new Question(kind, filter, sort, projection, skip, limit, path, hint, true, collation);
    }

    Question withCollation(BsonDocument other) {
      return new Question(kind, filter, sort, projection, skip, limit, path, hint, eachPlan, other);
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
        var options = new BsonDocument();
        if (hint != null) {
          options.put("hint", hint);
        }
        if (!collation.isEmpty()) {
          options.put("collation", collation);
        }
        return text.append(", ").append(json(options)).append(")").toString();
      }
      text.append(")");
      append(text, "sort", sort.isEmpty() ? null : json(sort));
      append(text, "skip", skip == 0 ? null : "" + skip);
      append(text, "limit", limit == 0 ? null : "" + limit);
      append(text, "hint", hint == null ? null : hintText());
      append(text, "collation", collation.isEmpty() ? null : json(collation));
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
    if (clustered || !equals(withoutCollation())) {
      script.append("db.createCollection('c', ").append(options()).append(")\n");
    }
    indexes.stream().filter(IndexCase::early).forEach(i -> script.append(i).append('\n'));
    documents.forEach(d -> script.append("db.c.insertOne(").append(d.toJson(SHELL)).append(")\n"));
    indexes.stream().filter(i -> !i.early()).forEach(i -> script.append(i).append('\n'));
    return script.append(question).append('\n').toString();
  }
}
