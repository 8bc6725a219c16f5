package dev.wisent.cluster.config.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ScriptedNodes;
import dev.wisent.operation.OperationContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardPrimariesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final RawDocument SHARD =
      RawDocument.parse("{_id: 'shard0', host: 's/a:27018,b:27018'}");
  private static final RawDocument COMMAND = RawDocument.parse("{listDatabases: 1}");

  private final ScriptedNodes nodes = new ScriptedNodes();
  private final ShardPrimaries primaries =
      new ShardPrimaries(null, nodes, Clock.system(), BackgroundLoops.silent());

  @AfterEach
  void close() {
    primaries.close();
  }

  private Map<String, RawDocument> ask(Duration patience) {
    return primaries.ask(
        OperationContext.internal(Clock.system()), List.of(SHARD), "admin", COMMAND, patience);
  }

  private static CommandException silent() {
    return new CommandException(ErrorCode.NETWORK_TIMEOUT, "no answer");
  }

  /** A primary that stands still is found out before there is another one, or after. */
  @Test
  void theNextPrimaryIsAskedWhereOneSaysNothing() {
    nodes.member(
        "s",
        "a",
        true,
        call -> {
          nodes.hello("s", "a", false, "a", "b");
          nodes.hello("s", "b", true, "a", "b");
          throw silent();
        });
    nodes.member("s", "b", false, call -> RawDocument.parse("{ok: 1, by: 'b'}"));
    nodes.hello("s", "a", true, "a", "b");
    nodes.hello("s", "b", false, "a", "b");
    assertThat(ask(PATIENCE)).containsOnlyKeys("shard0");
    assertThat(nodes.calls).hasSize(2);
  }

  @Test
  void aShardWithoutAnAnswerInTimeIsLeftOut() {
    nodes.member(
        "s",
        "a",
        true,
        call -> {
          throw silent();
        });
    nodes.member("s", "b", false, call -> RawDocument.parse("{ok: 1}"));
    assertThat(ask(Duration.ofMillis(50))).isEmpty();
  }
}
