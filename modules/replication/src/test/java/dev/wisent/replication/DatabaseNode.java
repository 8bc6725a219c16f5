package dev.wisent.replication;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.check.CollectionValidator;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.diagnostic.ValidationReport;
import dev.wisent.replication.member.ApplierReference;
import dev.wisent.replication.member.DatabaseApplier;
import dev.wisent.replication.raft.Leadership;
import dev.wisent.replication.raft.Peer;
import dev.wisent.replication.raft.RaftOptions;
import dev.wisent.replication.raft.RatisNode;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A database on a node of a replicated log, with nothing of a server around it. */
final class DatabaseNode implements AutoCloseable {
  static final Namespace NAMESPACE = new Namespace("test", "c");

  /** Long: the tests say who leads, and not a machine that stands still for a moment. */
  private static final Duration ELECTION_TIMEOUT_MIN = Duration.ofSeconds(2);

  final String id;
  final StorageEngine engine;
  final RatisNode raft;
  final LocalDatabase database;

  DatabaseNode(String id, Path directory, long keptLogBytes) {
    this.id = id;
    this.engine =
        StorageEngine.open(
            StorageOptions.defaults(directory)
                .withCacheBytes(8 << 20)
                .withWriteBufferBytes(1 << 20)
                .withReplicatedLog());
    var applier = new ApplierReference();
    this.raft =
        new RatisNode(
            RaftOptions.defaults(directory.resolve("raft"), "127.0.0.1", 0)
                .withElectionTimeout(ELECTION_TIMEOUT_MIN, ELECTION_TIMEOUT_MIN.multipliedBy(2))
                .withKeptLogBytes(keptLogBytes),
            applier,
            new ClusterClock(Clock.system()),
            Clock.system(),
            RandomSource.system(),
            BackgroundLoops.silent(),
            Log.silent());
    this.database = LocalDatabase.open(engine, raft.log(), Clock.system(), RandomSource.system());
    applier.applyTo(new DatabaseApplier(engine, database));
    raft.onLeadership(this::leadChanged);
    raft.start();
  }

  private void leadChanged(Leadership leadership) {
    if (leadership.ready()) {
      database.leadership().becomeLeader(leadership.term());
    } else {
      database.leadership().becomeFollower();
    }
  }

  Peer peer() {
    return new Peer(id, raft.address(), 1, Peer.Role.VOTER);
  }

  boolean leads() {
    return database.writeGate().isOpen();
  }

  OperationContext operation() {
    return OperationContext.internal(Clock.system());
  }

  void insert(String json) {
    var request = new InsertRequest(NAMESPACE, List.of(RawDocument.parse(json)), true, false);
    database.insert(operation(), request);
  }

  void update(String query, String update) {
    var statement =
        new UpdateStatement(
            RawDocument.parse(query),
            RawDocument.parse("{v: " + update + "}").get("v"),
            false,
            false,
            List.of(),
            RawDocument.EMPTY,
            null);
    database.update(operation(), new UpdateRequest(NAMESPACE, List.of(statement), true, false));
  }

  List<RawDocument> find(String filter) {
    var request = FindRequest.of(NAMESPACE, RawDocument.parse(filter));
    var documents = new ArrayList<RawDocument>();
    try (ResultCursor cursor = database.find(operation(), request)) {
      while (cursor.peek() != null) {
        documents.add(RawDocument.of(cursor.peek().toByteArray()));
        cursor.take();
      }
    }
    return documents;
  }

  ValidationReport validate() {
    return new CollectionValidator(engine, database.catalog().require(NAMESPACE), operation())
        .run();
  }

  Map<String, String> contents(Keyspace keyspace) {
    Map<String, String> contents = new TreeMap<>();
    try (KeyValueCursor cursor = engine.cursor(keyspace, null, null, false)) {
      while (cursor.next()) {
        contents.put(Arrays.toString(cursor.copyKey()), Arrays.toString(cursor.copyValue()));
      }
    }
    return contents;
  }

  @Override
  public void close() {
    raft.close();
    engine.close();
  }
}
