package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.simulation.cluster.SimulatedClient;
import dev.wisent.simulation.cluster.SimulatedCluster;
import dev.wisent.simulation.cluster.SimulatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Documents that are deleted and inserted again under the same {@code _id}, with another shard key,
 * and documents whose key changes (rule H13). Each has one client, which knows exactly what there
 * has to be.
 */
final class ReturningDocumentsLoad implements Load {
  private static final Namespace COLLECTION = new Namespace("d", "x");
  private static final int CLIENTS = 2;
  private static final int OPERATIONS = 16;
  private static final int DOCUMENTS = 3;

  /** What is known of an {@code _id}. */
  private static final class Known {
    final int id;
    int key = -1; // of a document that is there
    int generation;
    boolean lost; // a write was never answered

    Known(int id) {
      this.id = id;
    }

    boolean isThere() {
      return key >= 0;
    }

    String filter() {
      return "{_id: " + id + ", k: " + key + "}";
    }

    @Override
    public String toString() {
      return isThere() ? "{_id: " + id + ", k: " + key + ", g: " + generation + "}" : "nothing";
    }
  }

  private final SimulatedCluster cluster;
  private final Supplier<Session> sessions;
  private final List<Known> all = new ArrayList<>();

  ReturningDocumentsLoad(SimulatedCluster cluster, Supplier<Session> sessions) {
    this.cluster = cluster;
    this.sessions = sessions;
  }

  @Override
  public List<String> moved() {
    return List.of("d.c", "d.x");
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
    for (int i = 0; i < CLIENTS; i++) {
      var own = new ArrayList<Known>();
      for (int j = 0; j < DOCUMENTS; j++) {
        own.add(new Known(10 * i + j));
      }
      all.addAll(own);
      Session session = sessions.get();
      clients.add(() -> run(session, own));
    }
    return clients;
  }

  private static void run(Session session, List<Known> own) {
    for (int i = 0; i < OPERATIONS; i++) {
      session.pause(25);
      Known known = own.get(session.chance(own.size()));
      if (!known.lost) {
        act(session, known);
      }
    }
  }

  private static void act(Session session, Known known) {
    int choice = session.chance(5);
    if (choice == 0) {
      read(session, known);
    } else if (!known.isThere()) {
      insert(session, known);
    } else if (choice < 4) {
      delete(session, known);
    } else {
      changeKey(session, known);
    }
  }

  private static void insert(Session session, Known known) {
    int key = session.chance(Traffic.KEYS);
    known.generation++;
    RawDocument reply =
        session.write(
            "insert: 'x', documents: [{_id: "
                + known.id
                + ", k: "
                + key
                + ", g: "
                + known.generation
                + "}]");
    requireOne(known, reply, "insert");
    known.key = key;
  }

  private static void delete(Session session, Known known) {
    RawDocument reply =
        session.write("delete: 'x', deletes: [{q: " + known.filter() + ", limit: 1}]");
    requireOne(known, reply, "delete");
    known.key = -1;
  }

  private static void changeKey(Session session, Known known) {
    int key = session.chance(Traffic.KEYS);
    known.generation++;
    String update = "{$set: {k: " + key + ", g: " + known.generation + "}}";
    RawDocument reply =
        session.write("update: 'x', updates: [{q: " + known.filter() + ", u: " + update + "}]");
    requireOne(known, reply, "change of the key");
    known.key = key;
  }

  private static void requireOne(Known known, RawDocument reply, String what) {
    if (reply == null) {
      known.lost = true;
    } else if (Session.number(reply, "n") != 1) {
      throw new Violation("the " + what + " of " + known + " gave " + reply);
    }
  }

  private static void read(Session session, Known known) {
    RawDocument reply = session.tryRead("{find: 'x', filter: {_id: " + known.id + "}}");
    if (reply != null) {
      compare(known, Chunks.batch(reply));
    }
  }

  private static void compare(Known known, List<RawDocument> found) {
    boolean same =
        known.isThere()
            ? found.size() == 1
                && Session.number(found.getFirst(), "k") == known.key
                && Session.number(found.getFirst(), "g") == known.generation
            : found.isEmpty();
    if (!same) {
      throw new Violation("under _id " + known.id + " is " + found + " instead of " + known);
    }
  }

  @Override
  public void check(Session session) {
    List<RawDocument> found = Reads.all(session, "{find: 'x', batchSize: 1000}");
    for (Known known : all) {
      if (!known.lost) {
        compare(
            known, found.stream().filter(each -> Session.number(each, "_id") == known.id).toList());
      }
    }
    checkPlaces(session.client(), found.size());
  }

  /** Each document is on the shard that owns it, and nowhere else. */
  private void checkPlaces(SimulatedClient client, int count) {
    int stored = 0;
    for (SimulatedNode shard : cluster.shards()) {
      OwnedRanges owned = shard.owned(COLLECTION);
      RawDocument direct = client.run(shard.address(), "d", "{find: 'x', batchSize: 1000}");
      for (RawDocument document : Chunks.batch(direct)) {
        stored++;
        if (owned == null || !owned.owns(document)) {
          throw new Violation(shard + " has " + document + ", not its own");
        }
      }
    }
    if (stored != count) {
      throw new Violation(stored + " documents on shards, " + count + " through the router");
    }
  }
}
