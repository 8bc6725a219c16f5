package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.balance.ChunkMove;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Migrations that change the metadata at once, or fail, or wait, as a test says. */
final class FakeMoves implements ChunkMoves {
  private final BalancerCluster cluster;
  final List<ChunkMove> started = new CopyOnWriteArrayList<>();
  final List<String> primaries = new CopyOnWriteArrayList<>();
  final List<String> collections = new CopyOnWriteArrayList<>();
  final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final List<CompletableFuture<RawDocument>> held = new CopyOnWriteArrayList<>();
  volatile boolean hold;

  /** Databases and unsharded collections stay until they are released. */
  volatile boolean holdDepartures;

  volatile ErrorCode failure = ErrorCode.OPERATION_FAILED;

  FakeMoves(BalancerCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public CompletableFuture<RawDocument> start(ChunkMove move, Options options) {
    started.add(move);
    if (failing.contains(ValueText.of(move.range().min()))) {
      return CompletableFuture.failedFuture(new CommandException(failure, "as the test wants it"));
    }
    if (hold) {
      var future = new CompletableFuture<RawDocument>();
      held.add(future);
      return future;
    }
    cluster.moveChunk(move.namespace().full(), move.range().min(), move.to());
    return CompletableFuture.completedFuture(RawDocument.EMPTY);
  }

  @Override
  public CompletableFuture<RawDocument> startMoveCollection(Namespace namespace, String to) {
    collections.add(namespace + " to " + to);
    return departure(
        () ->
            cluster.moveChunk(
                namespace.full(), cluster.chunks(namespace.full()).getFirst().range().min(), to));
  }

  @Override
  public CompletableFuture<RawDocument> startMovePrimary(String database, String to) {
    primaries.add(database + " to " + to);
    return departure(() -> cluster.change("databases", database, "{primary: '" + to + "'}"));
  }

  private CompletableFuture<RawDocument> departure(Runnable change) {
    if (!holdDepartures) {
      change.run();
      return CompletableFuture.completedFuture(RawDocument.EMPTY);
    }
    var future = new CompletableFuture<RawDocument>();
    held.add(future);
    return future;
  }

  void releaseAll() {
    hold = false;
    held.forEach(each -> each.complete(RawDocument.EMPTY));
  }
}
