package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/** Whether a set may begin with the data here, which may be of a set that is not lost. */
final class BeginCheck {
  /** Members that are gone do not answer. */
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final MemberSetup setup;
  private final ConfigStore configs;
  private final ExecutorService threads;

  BeginCheck(MemberSetup setup, ConfigStore configs, ExecutorService threads) {
    this.setup = setup;
    this.configs = configs;
    this.threads = threads;
  }

  /**
   * Returns if nothing that a client may still need is lost by it.
   *
   * @throws CommandException CannotInitializeNodeWithData if the data is incomplete, or its set has
   *     members that answer
   */
  void check() {
    if (setup.lacksLog().getAsBoolean()) {
      throw new CommandException(
          ErrorCode.CANNOT_INITIALIZE_NODE_WITH_DATA,
          "acknowledged writes are missing in the data of this node: they are in raft/, the"
              + " replicated log of the set that it was of, and were not in other files when these"
              + " were copied. Start the copy once with its raft/, wait until it is SECONDARY or"
              + " PRIMARY, stop it, and then delete raft/ and initiate the set. To do without these"
              + " writes, use replSetInitiate with {force: true}");
    }
    ReplicaSetConfig stored = configs.stored();
    if (stored != null) {
      member(stored)
          .ifPresent(
              host -> {
                throw new CommandException(
                    ErrorCode.CANNOT_INITIALIZE_NODE_WITH_DATA,
                    "this node has data of the replica set "
                        + stored.name()
                        + ", and "
                        + host
                        + " is a member of it: add this node there, or stop the members of that set"
                        + " first. To begin another set beside it, use replSetInitiate with"
                        + " {force: true}");
              });
    }
  }

  /** A host that says that it is a member of a set. */
  private Optional<String> member(ReplicaSetConfig set) {
    List<CompletableFuture<Optional<String>>> answers =
        set.members().stream()
            .map(each -> CompletableFuture.supplyAsync(() -> ask(set, each), threads))
            .toList();
    return answers.stream().map(CompletableFuture::join).flatMap(Optional::stream).findFirst();
  }

  private Optional<String> ask(ReplicaSetConfig set, MemberConfig member) {
    var question =
        new Heartbeat.Request(
            set.name(), set.version(), set.term(), "", -1, -1, set.logGroup(), false, null);
    try {
      Heartbeat.Response answer =
          Heartbeat.Response.read(
              setup
                  .nodes()
                  .run(
                      HostAndPort.parse(member.host()),
                      NodeRequest.admin(question::append, TIMEOUT)));
      boolean belongs =
          Objects.equals(answer.group(), set.logGroup()) && answer.state() != MemberState.REMOVED;
      return belongs ? Optional.of(member.host()) : Optional.empty();
    } catch (CommandException e) {
      return Optional.empty(); // It is gone, or of another set.
    }
  }
}
