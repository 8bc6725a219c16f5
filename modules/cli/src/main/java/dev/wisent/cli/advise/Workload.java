package dev.wisent.cli.advise;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.cli.advise.AdviseSettings.QuerySource;
import dev.wisent.operation.Namespace;
import dev.wisent.query.key.PlainValues;
import dev.wisent.query.path.FieldPath;
import dev.wisent.sharding.advice.SampledQuery;
import dev.wisent.sharding.advice.SampledQuery.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What was read of a collection.
 *
 * @param total how many documents it has
 * @param documents a sample, in the order of insertion as far as that is known
 * @param queries a sample
 * @param order what tells the order of insertion, for the reader
 * @param source where the queries come from, for the reader
 * @param perDay how many documents come in a day; negative where the sample does not tell
 */
record Workload(
    long total,
    List<RawDocument> documents,
    List<SampledQuery> queries,
    String order,
    String source,
    double perDay) {
  private static final long BYTES_MAX = 256L << 20;
  private static final int QUERIES_MAX = 20_000;
  private static final long MILLIS_PER_DAY = TimeUnit.DAYS.toMillis(1);
  private static final long SPAN_MILLIS_MIN = TimeUnit.HOURS.toMillis(1);

  Workload {
    documents = List.copyOf(documents);
    queries = List.copyOf(queries);
  }

  long documentBytes() {
    return documents.isEmpty()
        ? 0
        : documents.stream().mapToLong(RawDocument::length).sum() / documents.size();
  }

  static Workload read(Deployment deployment, AdviseSettings settings) throws AdviseException {
    Namespace namespace = settings.namespace();
    String collection = namespace.collection();
    long total =
        deployment
            .call(
                namespace.database(),
                new BsonBuilder().appendString("count", collection).toDocument())
            .get("n")
            .toLong();
    if (total == 0) {
      throw AdviseException.failed(namespace + " has no documents");
    }
    boolean byTime = settings.order() == null && hasObjectIds(deployment, namespace);
    String field = byTime ? "_id" : settings.order();
    RawDocument command =
        field == null
            ? naturalOrder(collection, Math.min(1, (double) settings.sample() / total))
            : sample(collection, settings.sample());
    List<RawDocument> documents = documents(deployment, namespace, command);
    if (field != null) {
      FieldPath path = FieldPath.of(field);
      documents.sort((a, b) -> ValueOrder.compare(at(a, path), at(b, path)));
    }
    String order =
        field != null
            ? field
            : deployment.isRouter() ? "not known; give --order" : "the order on disk";
    var queries = new ArrayList<SampledQuery>();
    String source = queries(deployment, namespace, settings.queries(), queries);
    return new Workload(
        total,
        documents,
        queries,
        order,
        source,
        field == null ? -1 : perDay(documents, field, total));
  }

  private static RawValue at(RawDocument document, FieldPath path) {
    RawValue value = PlainValues.valueOrArray(document, path);
    return value == null ? RawValue.NULL : value;
  }

  private static boolean hasObjectIds(Deployment deployment, Namespace namespace)
      throws AdviseException {
    var find = new BsonBuilder().appendString("find", namespace.collection());
    find.appendInt32("limit", 1).appendBoolean("singleBatch", true);
    List<RawDocument> first = documents(deployment, namespace, find.toDocument());
    return !first.isEmpty() && first.getFirst().get("_id").type() == ElementType.OBJECT_ID;
  }

  private static RawDocument sample(String collection, int size) {
    var command = new BsonBuilder().appendString("aggregate", collection);
    command.startArray("pipeline").startDocument(0).startDocument("$sample");
    command.appendInt32("size", size).end().end().end();
    return command.startDocument("cursor").end().toDocument();
  }

  private static RawDocument naturalOrder(String collection, double rate) {
    var command = new BsonBuilder().appendString("find", collection);
    command.startDocument("filter").appendDouble("$sampleRate", rate).end();
    return command.startDocument("hint").appendInt32("$natural", 1).end().toDocument();
  }

  private static List<RawDocument> documents(
      Deployment deployment, Namespace namespace, RawDocument command) throws AdviseException {
    var documents = new ArrayList<RawDocument>();
    long[] bytes = {0};
    deployment.each(
        namespace.database(),
        namespace.collection(),
        command,
        document -> {
          documents.add(document);
          bytes[0] += document.length();
          return bytes[0] < BYTES_MAX;
        });
    return documents;
  }

  private static double perDay(List<RawDocument> documents, String field, long total) {
    FieldPath path = FieldPath.of(field);
    long first = millis(at(documents.getFirst(), path));
    long last = millis(at(documents.getLast(), path));
    return first < 0 || last - first < SPAN_MILLIS_MIN
        ? -1
        : (double) total * MILLIS_PER_DAY / (last - first);
  }

  private static long millis(RawValue value) {
    return switch (value.type()) {
      case ElementType.DATE -> value.asInt64();
      case ElementType.OBJECT_ID -> value.asObjectId().getDate().getTime();
      default -> -1;
    };
  }

  /** Returns where they come from. */
  private static String queries(
      Deployment deployment, Namespace namespace, QuerySource wanted, List<SampledQuery> to)
      throws AdviseException {
    if (wanted == QuerySource.ANY || wanted == QuerySource.SAMPLES) {
      samples(deployment, namespace, to);
      if (!to.isEmpty()) {
        return "config.sampledQueries";
      }
    }
    if (wanted == QuerySource.ANY && deployment.isRouter()) {
      return "none: there are no samples, see configureQueryAnalyzer";
    }
    if (wanted == QuerySource.ANY || wanted == QuerySource.PROFILE) {
      var find = new BsonBuilder().appendString("find", "system.profile");
      find.startDocument("filter").appendString("ns", namespace.full()).end();
      deployment.each(
          namespace.database(),
          "system.profile",
          find.appendInt32("limit", QUERIES_MAX).toDocument(),
          entry -> to.addAll(ofProfile(entry)) || true);
    }
    return to.isEmpty()
        ? "none: there are no samples, see configureQueryAnalyzer"
        : namespace.database() + ".system.profile";
  }

  /** MongoDB keeps those of a cluster on its shards, where only a stage finds them. */
  private static void samples(Deployment deployment, Namespace namespace, List<SampledQuery> to)
      throws AdviseException {
    var stage = new BsonBuilder().appendInt32("aggregate", 1).startArray("pipeline");
    stage.startDocument(0).startDocument("$listSampledQueries");
    stage.appendString("namespace", namespace.full()).end().end().end();
    stage.startDocument("cursor").end();
    var find = new BsonBuilder().appendString("find", "sampledQueries");
    find.startDocument("filter").appendString("ns", namespace.full()).end();
    find.appendInt32("limit", QUERIES_MAX);
    Predicate<RawDocument> taker =
        sample -> {
          to.addAll(SampledQuery.ofSample(sample));
          return to.size() < QUERIES_MAX;
        };
    try {
      deployment.each("admin", "$cmd.aggregate", stage.toDocument(), taker);
    } catch (AdviseException noSuchStage) {
      to.clear();
      deployment.each("config", "sampledQueries", find.toDocument(), taker);
    }
  }

  /** An update or delete is in the profile as its statement, any other command as it came. */
  static List<SampledQuery> ofProfile(RawDocument entry) {
    RawValue operation = entry.get("op");
    RawValue command = entry.get("command");
    if (operation == null || command == null || !command.isDocument()) {
      return List.of();
    }
    RawDocument arguments = command.asDocument();
    return switch (operation.asString()) {
      case "update" -> ofStatement(Kind.UPDATE, "updates", arguments);
      case "remove" -> ofStatement(Kind.DELETE, "deletes", arguments);
      case "query", "command" -> {
        var name = arguments.elements();
        Kind kind = name.next() ? Kind.of(name.name()) : null;
        yield kind == null ? List.of() : SampledQuery.ofCommand(kind, arguments);
      }
      default -> List.of();
    };
  }

  private static List<SampledQuery> ofStatement(Kind kind, String field, RawDocument statement) {
    var command = new BsonBuilder().startArray(field).appendDocument(0, statement).end();
    return SampledQuery.ofCommand(kind, command.toDocument());
  }
}
