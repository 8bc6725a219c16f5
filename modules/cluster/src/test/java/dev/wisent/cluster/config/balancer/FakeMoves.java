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
  final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final List<CompletableFuture<RawDocument>> held = new CopyOnWriteArrayList<>();
  volatile boolean hold;
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
    throw new CommandException(ErrorCode.OPERATION_FAILED, namespace + " has nowhere to go");
  }

  @Override
  public CompletableFuture<RawDocument> startMovePrimary(String database, String to) {
    primaries.add(database + " to " + to);
    cluster.change("databases", database, "{primary: '" + to + "'}");
    return CompletableFuture.completedFuture(RawDocument.EMPTY);
  }

  void releaseAll() {
    hold = false;
    held.forEach(each -> each.complete(RawDocument.EMPTY));
  }
}
