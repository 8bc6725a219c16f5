package dev.wisent.simulation.workload;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.simulation.cluster.SimulatedClient;
import dev.wisent.simulation.cluster.SimulatedCluster;
import dev.wisent.simulation.cluster.SimulatedNode;
import dev.wisent.wire.HostAndPort;
import java.time.Duration;
import java.util.UUID;

/**
 * The part of a router and of a coordinator whose messages overtake each other: a shard hears that
 * a transaction is aborted, and the statement that begins it and the request to prepare it come
 * afterwards.
 */
final class LateMessages implements Runnable {
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final int NO_SUCH_TRANSACTION = 251;

  /** Of a document that no transaction ever inserts. */
  private static final int ID = 90_000;

  private final Session session;
  private final SimulatedClient client;
  private final SimulatedCluster cluster;
  private final int operations;
  private boolean ended;

  LateMessages(Session session, SimulatedClient client, SimulatedCluster cluster, int operations) {
    this.session = session;
    this.client = client;
    this.cluster = cluster;
    this.operations = operations;
  }

  boolean hasEnded() {
    return ended;
  }

  @Override
  public void run() {
    for (int i = 0; i < operations; i++) {
      session.pause(60);
      overtaken(client.host().random().nextUuid());
    }
    ended = true;
  }

  private void overtaken(UUID id) {
    SimulatedNode shard = cluster.shards().get(session.chance(2));
    String fields =
        ", lsid: {id: {$uuid: '" + id + "'}}, txnNumber: {$numberLong: '1'}, autocommit: false";
    String insert =
        "{insert: 'c', documents: [{_id: " + ID + ", k: 0}]" + fields + ", startTransaction: true}";
    // Some are open when the decision comes, and others have not begun.
    if (session.chance(2) == 0) {
      var unused = call(shard.address(), "d", insert);
    }
    RawDocument aborted =
        call(shard.address(), "admin", "{abortTransaction: 1, decided: true" + fields + "}");
    if (aborted == null
        || !(SimulatedClient.isOk(aborted)
            || Session.number(aborted, "code") == NO_SUCH_TRANSACTION)) {
      return;
    }
    if (session.chance(2) == 0) {
      session.pause(200);
    }
    RawDocument begun = call(shard.address(), "d", insert);
    String prepare = "{prepareTransaction: 1, coordinatorId: '" + shard.name() + "'" + fields + "}";
    RawDocument prepared = call(shard.address(), "admin", prepare);
    if (prepared != null && SimulatedClient.isOk(prepared)) {
      throw new Violation(
          shard + " has prepared " + fields + " after its abort; it had begun with " + begun);
    }
  }

  private RawDocument call(HostAndPort node, String database, String json) {
    try {
      return client.call(node, database, RawDocument.parse(json), WAIT);
    } catch (CommandException e) {
      return null;
    }
  }
}
