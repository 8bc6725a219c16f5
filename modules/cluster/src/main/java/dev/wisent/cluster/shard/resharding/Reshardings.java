package dev.wisent.cluster.shard.resharding;

import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.shard.migration.CallOrder;
import dev.wisent.cluster.shard.migration.ForegroundPace;
import dev.wisent.cluster.shard.migration.RangeTables;
import dev.wisent.cluster.shard.migration.RecipientCalls;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.node.DataNode;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The resharding operations that this shard takes part in. */
public final class Reshardings {
  private static final Duration FOLLOW_PERIOD = Duration.ofMillis(500);

  private final DataNode node;
  private final Ownership ownership;
  private final Supplier<ShardCalls> calls;
  private final ReshardingFigures figures = new ReshardingFigures();
  private final BackgroundLoop following;

  /** Set before the first command. */
  private volatile ReshardDonor donor;

  public Reshardings(DataNode node, Ownership ownership, Supplier<ShardCalls> calls) {
    this.node = node;
    this.ownership = ownership;
    this.calls = calls;
    this.following = node.loops().every(FOLLOW_PERIOD, "resharding-changes", this::follow);
  }

  /**
   * The commands of both roles; to be called once.
   *
   * @param pace that of migrations, which notices clients on this node
   */
  public List<CommandSpec> open(RangeTables tables, ForegroundPace pace) {
    var store = new ReshardingStore(node.operations(), node.definitions(), tables, node.clock());
    var sessions = node.database().shared().retryableWrites().copies();
    donor =
        new ReshardDonor(
            store,
            ownership,
            node.operations(),
            node.definitions(),
            new RecipientCalls(calls),
            sessions,
            figures,
            node.database().shared().writeGate(),
            pace,
            () -> ReadState.ofCopy(node.database().shared().storage()),
            node.clock());
    var recipient =
        new ReshardRecipient(
            store,
            node.operations(),
            node.definitions(),
            sessions,
            figures,
            new CallOrder(node.database().shared().writeGate()));
    return new CopyCommands(donor, recipient, store, pace).rows();
  }

  public ReshardingFigures figures() {
    return figures;
  }

  public BackgroundLoop job() {
    return following;
  }

  private void follow() {
    ReshardDonor known = donor;
    if (known != null && node.database().shared().writeGate().isOpen()) {
      known.follow(OperationContext.internal(node.clock()));
    }
  }
}
