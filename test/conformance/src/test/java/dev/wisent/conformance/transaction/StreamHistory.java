package dev.wisent.conformance.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * What a change stream delivered, in its order, over any number of resumes: exactly the changes of
 * the oplog, which lead to the documents that are there in the end. Thread-safe.
 */
final class StreamHistory {

  private static final int EXAMPLES_MAX = 5;
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  /** A change of one document, as an oplog entry and an event both describe it. */
  record Change(BsonTimestamp time, String namespace, String kind, BsonValue id) {}

  private final String name;

  /** As bytes: a long run has many. */
  private final List<RawBsonDocument> events = new ArrayList<>();

  StreamHistory(String name) {
    this.name = name;
  }

  synchronized void add(BsonDocument event) {
    events.add(new RawBsonDocument(event, CODEC));
  }

  synchronized int count() {
    return events.size();
  }

  /** Whether the last event is of this namespace. */
  synchronized boolean endsWith(String namespace) {
    return !events.isEmpty() && namespace(events.getLast()).equals(namespace);
  }

  /**
   * What is wrong.
   *
   * @param oplog the changes in the order of the oplog
   * @param documents what is there in the end, by namespace and id
   */
  synchronized List<String> check(
      List<Change> oplog, Map<String, Map<BsonValue, BsonDocument>> documents) {
    List<String> wrong = new ArrayList<>();
    checkOrder(wrong);
    checkChanges(oplog, wrong);
    if (wrong.isEmpty()) {
      checkDocuments(documents, wrong);
    }
    return wrong.stream().limit(EXAMPLES_MAX).map(text -> name + ": " + text).toList();
  }

  /**
   * What is wrong with a stream that several shards have a part in.
   *
   * @param other another one of the same
   */
  synchronized List<String> checkMerged(
      StreamHistory other, Map<String, Map<BsonValue, BsonDocument>> documents) {
    List<String> wrong = new ArrayList<>();
    checkOrder(wrong);
    if (!events.equals(other.events)) {
      wrong.add("%d events, and not the %d of the other".formatted(events.size(), other.count()));
    }
    if (wrong.isEmpty()) {
      checkDocuments(documents, wrong);
    }
    return wrong.stream().limit(EXAMPLES_MAX).map(text -> name + ": " + text).toList();
  }

  /** Tokens sort as events do, so an event that comes twice or late is found by its token. */
  private void checkOrder(List<String> wrong) {
    for (int i = 1; i < events.size(); i++) {
      String before = token(events.get(i - 1));
      String token = token(events.get(i));
      if (before.compareTo(token) >= 0) {
        wrong.add(
            "event %d is not after the one before it: %s, %s"
                .formatted(i, events.get(i - 1).toJson(), events.get(i).toJson()));
      }
    }
  }

  private static String token(BsonDocument event) {
    return event.getDocument("_id").getString("_data").getValue();
  }

  private void checkChanges(List<Change> oplog, List<String> wrong) {
    for (int i = 0; i < Math.max(oplog.size(), events.size()); i++) {
      Change expected = i < oplog.size() ? oplog.get(i) : null;
      Change actual = i < events.size() ? change(events.get(i)) : null;
      if (expected == null || !expected.equals(actual)) {
        wrong.add(
            "of %d events (%d in the oplog) number %d is %s, expected %s"
                .formatted(events.size(), oplog.size(), i, actual, expected));
        return;
      }
    }
  }

  private static Change change(BsonDocument event) {
    return new Change(
        event.getTimestamp("clusterTime"),
        namespace(event),
        event.getString("operationType").getValue(),
        event.getDocument("documentKey").get("_id"));
  }

  private static String namespace(BsonDocument event) {
    BsonDocument namespace = event.getDocument("ns");
    return namespace.getString("db").getValue() + "." + namespace.getString("coll").getValue();
  }

  private void checkDocuments(
      Map<String, Map<BsonValue, BsonDocument>> documents, List<String> wrong) {
    EventReplay replay = new EventReplay();
    events.forEach(event -> replay.apply(namespace(event), event.decode(CODEC)));
    documents.forEach(
        (namespace, expected) -> {
          Map<BsonValue, BsonDocument> actual = replay.documents(namespace);
          expected.forEach(
              (id, document) -> {
                if (!document.equals(actual.get(id))) {
                  wrong.add(
                      "%s has %s, but the events lead to %s"
                          .formatted(namespace, document.toJson(), actual.get(id)));
                }
              });
          actual.keySet().stream()
              .filter(id -> !expected.containsKey(id))
              .forEach(id -> wrong.add("%s has no %s, but the events do".formatted(namespace, id)));
        });
  }
}
