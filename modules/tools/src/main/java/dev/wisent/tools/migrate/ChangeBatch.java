package dev.wisent.tools.migrate;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;

/** What some events of a change stream have touched. For one thread. */
final class ChangeBatch {
  private static final Set<String> OF_DOCUMENTS = Set.of("insert", "update", "replace", "delete");

  private final Map<BsonBinary, Set<DocumentKey>> documents = new LinkedHashMap<>();
  private final Map<BsonBinary, Integer> counts = new HashMap<>();
  private final Set<BsonBinary> defined = new LinkedHashSet<>();
  private boolean definitions;
  private int events;
  private int ofNoCollection;
  private BsonTimestamp time = new BsonTimestamp(0);
  private BsonDocument token;

  void add(BsonDocument event) {
    events++;
    token = event.getDocument("_id");
    if (event.containsKey("clusterTime")) {
      time = SourceTime.later(time, event.getTimestamp("clusterTime"));
    }
    boolean ofDocument =
        OF_DOCUMENTS.contains(event.getString("operationType").getValue())
            && event.containsKey("collectionUUID")
            && event.containsKey("documentKey");
    if (event.containsKey("collectionUUID")) {
      counts.merge(event.getBinary("collectionUUID"), 1, Integer::sum);
    } else {
      ofNoCollection++;
    }
    if (ofDocument) {
      documents
          .computeIfAbsent(event.getBinary("collectionUUID"), uuid -> new LinkedHashSet<>())
          .add(DocumentKey.of(event.getDocument("documentKey")));
    } else {
      definitions = true;
      if (event.containsKey("collectionUUID")) {
        defined.add(event.getBinary("collectionUUID"));
      }
    }
  }

  /** Where the stream goes on after these events. */
  void endsAt(BsonDocument place) {
    token = place;
  }

  BsonDocument token() {
    return token;
  }

  /** By UUIDs of the source's collections. */
  Map<BsonBinary, Set<DocumentKey>> documents() {
    return documents;
  }

  /** Whether collections, views or indexes have changed. */
  boolean hasDefinitions() {
    return definitions;
  }

  /** The collections among those, whose indexes may have changed. */
  Set<BsonBinary> defined() {
    return defined;
  }

  int events() {
    return events;
  }

  /** How many events there are of each collection. */
  Map<BsonBinary, Integer> counts() {
    return counts;
  }

  /** How many events there are of databases and views. */
  int ofNoCollection() {
    return ofNoCollection;
  }

  boolean isEmpty() {
    return events == 0;
  }

  /** The latest cluster time of an event. */
  BsonTimestamp time() {
    return time;
  }
}
