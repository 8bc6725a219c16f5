package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import dev.wisent.simulation.cluster.SimulatedClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A collection that gets indexes, is dropped and created again, and replaced by another one, while
 * it is written and its ranges move (rule H16). A drop names the collection by its UUID, and other
 * changes have names of their own, so that a request which comes late has no effect.
 */
final class DefinitionsLoad implements Load {
  private static final int WRITERS = 2;
  private static final int WRITES = 14;
  private static final int CHANGES = 5;
  private static final int ATTEMPTS_MAX = 200;
  private static final int NOT_FOUND = 26;
  private static final int OTHER_UUID = 361;

  private final Supplier<Session> sessions;
  private final DroppedDocuments documents = new DroppedDocuments();
  private int indexes;
  private int replacements;

  /** The field of the index that all shards have; null while that is not certain. */
  private String indexed;

  DefinitionsLoad(Supplier<Session> sessions) {
    this.sessions = sessions;
  }

  @Override
  public List<String> moved() {
    return List.of("d.c", "d.x", "d.x");
  }

  @Override
  public void prepare(Session session) {
    session.require("{shardCollection: 'd.x', key: {k: 1}}");
    session.require("{split: 'd.x', middle: {k: " + Traffic.KEYS / 2 + "}}");
    session.require("{moveRange: 'd.x', min: {k: " + Traffic.KEYS / 2 + "}, toShard: 'shard1'}");
  }

  @Override
  public List<Runnable> clients() {
    var clients = new ArrayList<Runnable>();
    for (int i = 0; i < WRITERS; i++) {
      Session session = sessions.get();
      clients.add(() -> write(session));
    }
    Session session = sessions.get();
    clients.add(() -> change(session));
    return clients;
  }

  private void write(Session session) {
    for (int i = 0; i < WRITES; i++) {
      session.pause(40);
      if (session.chance(3) == 0) {
        read(session);
      } else {
        var span = new Span(session.now());
        if (insert(session, "x", span)) {
          span.acknowledged(session.now());
        }
      }
    }
  }

  private boolean insert(Session session, String collection, Span span) {
    int id = documents.begin(span);
    int key = session.chance(Traffic.KEYS);
    RawDocument reply =
        session.write(
            "insert: '" + collection + "', documents: [{_id: " + id + ", k: " + key + "}]");
    return reply != null;
  }

  private void read(Session session) {
    String field = indexed;
    long from = session.now();
    boolean hinted = field != null && session.chance(2) == 0;
    RawDocument reply = session.tryRead(find(hinted ? field : null));
    boolean same = hinted && field.equals(indexed);
    if (reply != null) {
      documents.check(Chunks.batch(reply), from, session.now());
    } else if (same && session.lastError() == 2) {
      throw new Violation("a shard has no index on " + field + ": " + session.lastReply());
    }
  }

  private static String find(String indexedField) {
    return "{find: 'x', batchSize: 1000"
        + (indexedField == null ? "}" : ", hint: {" + indexedField + ": 1}}");
  }

  private void change(Session session) {
    for (int i = 0; i < CHANGES; i++) {
      session.pause(120);
      switch (session.chance(4)) {
        case 0, 1 -> changeIndexes(session);
        case 2 -> recreate(session);
        default -> replace(session);
      }
    }
  }

  /** Until it is done; an error of these codes means that an earlier attempt was. */
  private static boolean until(Session session, String database, String json, Set<Integer> done) {
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      RawDocument reply = session.tryCall(database, json);
      if (reply != null
          && (SimulatedClient.isOk(reply) || done.contains((int) session.lastError()))) {
        return true;
      }
      session.pause(80);
    }
    return false;
  }

  private void changeIndexes(Session session) {
    String dropped = indexed;
    indexed = null;
    if (dropped != null && session.chance(2) == 0) {
      boolean unused =
          until(
              session,
              "d",
              "{dropIndexes: 'x', index: '" + dropped + "_1'}",
              Set.of(27, NOT_FOUND));
      return;
    }
    String field = "s" + indexes++;
    if (until(
        session,
        "d",
        "{createIndexes: 'x', indexes: [{key: {" + field + ": 1}, name: '" + field + "_1'}]}",
        Set.of())) {
      indexed = field;
    }
  }

  private void recreate(Session session) {
    RawDocument known = collection(session);
    if (known == null) {
      return;
    }
    indexed = null;
    var span = new Span(session.now());
    documents.drop(span);
    String uuid = known.get("info").asDocument().get("uuid").asUuid().toString();
    if (!until(
        session,
        "d",
        "{drop: 'x', collectionUUID: {$uuid: '" + uuid + "'}}",
        Set.of(NOT_FOUND, OTHER_UUID))) {
      return;
    }
    span.acknowledged(session.now());
    if (until(session, "d", "{createIndexes: 'x', indexes: [{key: {k: 1}, name: 'k_1'}]}", Set.of())
        && until(session, "admin", "{shardCollection: 'd.x', key: {k: 1}}", Set.of())) {
      spread(session, "x");
    }
  }

  private static void spread(Session session, String collection) {
    session.tryCall(
        "admin", "{split: 'd." + collection + "', middle: {k: " + Traffic.KEYS / 2 + "}}");
    session.tryCall(
        "admin",
        "{moveRange: 'd."
            + collection
            + "', min: {k: "
            + Traffic.KEYS / 2
            + "}, toShard: 'shard"
            + session.chance(2)
            + "'}");
  }

  private RawDocument collection(Session session) {
    RawDocument reply = session.tryRead("{listCollections: 1, filter: {name: 'x'}}");
    List<RawDocument> found = reply == null ? List.of() : Chunks.batch(reply);
    return found.isEmpty() ? null : found.getFirst().detached();
  }

  /** Another collection takes the name, with its documents and indexes. */
  private void replace(Session session) {
    String other = "y" + replacements++;
    if (!until(session, "admin", "{shardCollection: 'd." + other + "', key: {k: 1}}", Set.of())) {
      return;
    }
    spread(session, other);
    var span = new Span(session.now());
    documents.drop(span);
    for (int i = 0; i < 3; i++) {
      if (!insert(session, other, span)) {
        return;
      }
    }
    indexed = null;
    if (until(
        session,
        "admin",
        "{renameCollection: 'd." + other + "', to: 'd.x', dropTarget: true}",
        Set.of(NOT_FOUND))) {
      span.acknowledged(session.now());
    }
  }

  @Override
  public void check(Session session) {
    long from = session.now();
    List<RawDocument> found = Reads.all(session, find(null));
    documents.check(found, from, session.now());
    if (indexed != null) {
      documents.check(Reads.all(session, find(indexed)), from, session.now());
    }
    RawDocument reply = session.tryRead("{checkMetadataConsistency: 1, checkIndexes: true}");
    if (reply == null) {
      throw new Violation("no check of metadata: " + session.lastReply());
    }
    if (!Chunks.batch(reply).isEmpty()) {
      throw new Violation("metadata is not consistent: " + reply);
    }
  }
}
