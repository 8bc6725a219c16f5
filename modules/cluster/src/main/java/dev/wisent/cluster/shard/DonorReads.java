package dev.wisent.cluster.shard;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.HostSelector;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Reads from another shard, as long as its primary stays the same. */
final class DonorReads {
  private static final long PRIMARY_MILLIS_MAX = 20_000;
  private static final long CALL_MILLIS_MAX = 300_000;
  private static final int BATCH_DOCUMENTS = 10_000;

  private final Clock clock;
  private final BackgroundLoops loops;
  private final MemberConnections members;

  DonorReads(Clock clock, BackgroundLoops loops, MemberConnections members) {
    this.clock = clock;
    this.loops = loops;
    this.members = members;
  }

  /** A connection to the primary of a set, for one thread. */
  final class Donor implements AutoCloseable {
    private final PooledNodeClient client;
    private final ReplicaSetMonitor monitor;
    private final OperationContext operation;
    private final HostAndPort primary;

    private Donor(String connectionString, OperationContext operation) {
      this.operation = operation;
      ConnectionString set = ConnectionString.parse(connectionString);
      this.client = new PooledNodeClient(members.options("clone"), clock, loops);
      this.monitor = new ReplicaSetMonitor(client, set.setName(), set.hosts(), clock, loops);
      Duration wait = Duration.ofMillis(operation.millisLeft(PRIMARY_MILLIS_MAX));
      try {
        this.primary =
            ShardPrimaries.await(operation, monitor.select(HostSelector.primary(), wait));
      } catch (RuntimeException e) {
        close();
        throw e;
      }
    }

    /** Gives all documents of a collection, in batches, in the order of their storage. */
    void read(Namespace namespace, Consumer<List<RawDocument>> batches) {
      var find = new BsonBuilder().appendString("find", namespace.collection());
      find.startDocument("hint").appendInt32("$natural", 1).end();
      find.appendInt32("batchSize", BATCH_DOCUMENTS).appendBoolean("noCursorTimeout", true);
      // A member that others have replaced as primary may not have noticed it.
      find.startDocument("readConcern").appendString("level", "linearizable").end();
      RawDocument cursor = cursor(namespace.database(), find);
      batches.accept(DocumentFields.documents(cursor, "firstBatch"));
      for (long id = DocumentFields.number(cursor, "id"); id != 0; ) {
        var more = new BsonBuilder().appendInt64("getMore", id);
        more.appendString("collection", namespace.collection());
        cursor = cursor(namespace.database(), more);
        batches.accept(DocumentFields.documents(cursor, "nextBatch"));
        id = DocumentFields.number(cursor, "id");
      }
    }

    /** Gives what sessions have done, in batches. */
    void sessions(Consumer<List<RawDocument>> batches) {
      RawDocument last = null;
      do {
        var command = new BsonBuilder().appendInt32(SessionCopiesCommand.NAME, 1);
        if (last != null) {
          command.appendDocument(SessionCopiesCommand.LAST, last);
        }
        List<RawDocument> batch =
            DocumentFields.documents(call("admin", command), SessionCopiesCommand.SESSIONS);
        batches.accept(batch);
        last = batch.isEmpty() ? null : batch.getLast();
      } while (last != null);
    }

    private RawDocument cursor(String database, BsonBuilder command) {
      return DocumentFields.document(call(database, command), "cursor");
    }

    private RawDocument call(String database, BsonBuilder command) {
      Duration timeout = Duration.ofMillis(operation.millisLeft(CALL_MILLIS_MAX));
      RawDocument reply =
          ShardPrimaries.await(
              operation,
              client.call(primary, NodeRequest.of(database, command.toDocument(), timeout)));
      CommandReplies.requireOk(reply);
      return reply;
    }

    @Override
    public void close() {
      monitor.close();
      client.close();
    }
  }

  /**
   * @param connectionString as {@code config.shards} has it
   */
  Donor connect(String connectionString, OperationContext operation) {
    return new Donor(connectionString, operation);
  }
}
