package dev.wisent.simulation.workload;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A change stream of the collection that all clients write to (rule H16). From its events a replica
 * is kept: each fits to what is there only if none is missing, given twice or too early.
 */
final class StreamLoad implements Load {
  private static final int BATCHES = 25;
  private static final int BATCHES_MAX = 400;

  /** Fields that each change makes greater by one. */
  private static final Set<String> COUNTED = Set.of("v", "m", "t", "w");

  private final Supplier<Session> sessions;
  private final Map<Integer, Map<String, Long>> replica = new TreeMap<>();
  private String token;
  private String lastEvent = "";
  private long cursor;

  StreamLoad(Supplier<Session> sessions) {
    this.sessions = sessions;
  }

  @Override
  public void prepare(Session session) {
    for (RawDocument document : Reads.all(session, "{find: 'c', batchSize: 1000}")) {
      replica.put((int) Session.number(document, "_id"), values(document));
    }
    open(session);
    if (token == null) {
      throw new IllegalStateException("no stream");
    }
  }

  private static Map<String, Long> values(RawDocument document) {
    var values = new HashMap<String, Long>();
    ElementCursor fields = document.elements();
    while (fields.next()) {
      values.put(fields.name(), fields.value().toLong());
    }
    return values;
  }

  @Override
  public List<Runnable> clients() {
    Session session = sessions.get();
    return List.of(
        () -> {
          for (int i = 0; i < BATCHES; i++) {
            session.pause(25);
            read(session);
          }
        });
  }

  private void open(Session session) {
    String after = token == null ? "" : "resumeAfter: " + token;
    RawDocument reply =
        session.tryRead(
            "{aggregate: 'c', pipeline: [{$changeStream: {" + after + "}}], cursor: {}}");
    if (reply != null) {
      take(reply, "firstBatch");
    } else if (session.lastError() == 280 || session.lastError() == 286) {
      throw new Violation("a stream cannot go on: " + session.lastReply());
    }
  }

  /** Reads what has come. A stream that broke is opened again behind its last place. */
  private void read(Session session) {
    if (cursor == 0) {
      open(session);
      return;
    }
    RawDocument reply =
        session.tryRead(
            "{getMore: {$numberLong: '" + cursor + "'}, collection: 'c', maxTimeMS: 40}");
    if (reply == null) {
      cursor = 0;
    } else {
      take(reply, "nextBatch");
    }
  }

  private void take(RawDocument reply, String field) {
    RawDocument from = reply.get("cursor").asDocument();
    cursor = Session.number(from, "id");
    ElementCursor events = from.get(field).elements();
    while (events.next()) {
      follow(events.value().asDocument());
    }
    token = from.get("postBatchResumeToken").asDocument().toJson();
  }

  private void follow(RawDocument event) {
    String place = event.get("_id").asDocument().get("_data").asString();
    if (place.compareTo(lastEvent) <= 0) {
      throw new Violation("an event at " + lastEvent + " is followed by " + event);
    }
    lastEvent = place;
    int id = (int) Session.number(event.get("documentKey").asDocument(), "_id");
    Map<String, Long> known = replica.get(id);
    String kind = event.get("operationType").asString();
    boolean fits =
        switch (kind) {
          case "insert" -> replica.put(id, values(event.get("fullDocument").asDocument())) == null;
          case "delete" -> replica.remove(id) != null;
          case "update" ->
              known != null
                  && update(
                      known, event.get("updateDescription").asDocument().get("updatedFields"));
          default -> false;
        };
    if (!fits) {
      throw new Violation("an event does not fit to " + known + ": " + event);
    }
  }

  private static boolean update(Map<String, Long> known, RawValue fields) {
    boolean fits = true;
    ElementCursor each = fields.elements();
    while (each.next()) {
      long after = each.value().toLong();
      Long before = known.put(each.name(), after);
      fits &=
          !COUNTED.contains(each.name()) || after == (before == null ? 0 : before.longValue()) + 1;
    }
    return fits;
  }

  @Override
  public void check(Session session) {
    var there = new TreeMap<Integer, Map<String, Long>>();
    for (RawDocument document : Reads.all(session, "{find: 'c', batchSize: 1000}")) {
      there.put((int) Session.number(document, "_id"), values(document));
    }
    for (int i = 0; i < BATCHES_MAX; i++) {
      read(session);
      if (replica.equals(there)) {
        return;
      }
    }
    throw new Violation("the events of a stream lead to " + replica + ", but there is " + there);
  }
}
