package dev.wisent.cluster.router.stream;

import static dev.wisent.cluster.router.stream.ScriptedStreams.change;
import static dev.wisent.cluster.router.stream.ScriptedStreams.event;
import static dev.wisent.cluster.router.stream.ScriptedStreams.mark;
import static dev.wisent.cluster.router.stream.ScriptedStreams.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.changestream.ResumeToken;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the streams of shards become one. */
class ClusterStreamTest {
  private final ScriptedStreams shards = new ScriptedStreams().with("a", 1).with("b", 2);

  private static List<Integer> taken(ResultCursor stream) {
    var numbers = new ArrayList<Integer>();
    for (RawDocument event = stream.peek(); event != null; event = stream.peek()) {
      numbers.add((int) event.get("n").toLong());
      stream.take();
    }
    return numbers;
  }

  private static ResumeToken place(ResultCursor stream) {
    return ResumeToken.parse(stream.postBatchResumeToken());
  }

  /** Rule H16. */
  @Test
  void anEventWaitsForAllInputsToPassIt() {
    ResultCursor stream = shards.open("{}");
    assertThat(taken(stream)).isEmpty();
    shards.gives("a", mark(120), event(110, 1), event(118, 3));
    assertThat(taken(stream)).isEmpty();
    shards.gives("b", mark(115), event(112, 2));
    assertThat(taken(stream)).isEmpty();
    shards.gives("config", mark(119));
    assertThat(taken(stream)).containsExactly(1, 2);
    assertThat(place(stream)).isEqualTo(mark(115));
    shards.gives("b", mark(130));
    assertThat(taken(stream)).containsExactly(3);
    assertThat(place(stream)).isEqualTo(mark(119));
  }

  @Test
  void aMarkOfTheSameTimeIsBeforeTheEvent() {
    ResultCursor stream = shards.open("{}");
    taken(stream);
    shards.gives("a", mark(120), event(110, 1));
    shards.gives("b", mark(110));
    shards.gives("config", mark(111));
    assertThat(taken(stream)).isEmpty();
    shards.gives("b", mark(111));
    assertThat(taken(stream)).containsExactly(1);
  }

  @Test
  void eventsOfOneTimeComeInTheOrderOfTheirTokens() {
    ResultCursor stream = shards.open("{}");
    taken(stream);
    shards.gives("b", mark(120), event(110, 2), event(110, 4));
    shards.gives("a", mark(120), event(110, 1), event(110, 3));
    shards.gives("config", mark(120));
    assertThat(taken(stream)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void thoseThatHoldAnEventBackAreAskedToPassAllThatHasCome() {
    ResultCursor stream = shards.open("{}");
    taken(stream);
    shards.gives("a", mark(120), event(110, 1), event(118, 2));
    stream.awaitMore(50);
    assertThat(shards.asked).containsExactlyInAnyOrder("b 121", "config 121");
    shards.gives("b", mark(115));
    shards.gives("config", mark(120));
    assertThat(taken(stream)).containsExactly(1);
    stream.awaitMore(50);
    assertThat(shards.asked).hasSize(2);
  }

  @Test
  void thereMayBeMoreShardsThanInOneBatch() {
    for (int i = 0; i < 250; i++) {
      shards.with("s" + i, 3);
    }
    ResultCursor stream = shards.open("{}");
    assertThat(shards.opened).hasSize(253).containsKeys("a", "b", "s0", "s249", "config");
    assertThat(shards.killed).isEmpty();
    stream.close();
  }

  @Test
  void aShardThatIsAddedJoinsWithTheTimeOfThat() {
    ResultCursor stream = shards.open("{}");
    taken(stream);
    shards.gives("config", mark(130), change(106, "insert", "new", 105));
    shards.gives("a", mark(120), event(104, 1), event(110, 2), event(118, 4));
    shards.gives("b", mark(120));
    assertThat(taken(stream)).containsExactly(1);
    assertThat(shards.opened.get("new").getFirst().get("startAtOperationTime").asInt64())
        .isEqualTo(105);
    shards.gives("new", mark(119), event(112, 3));
    assertThat(taken(stream)).containsExactly(2, 3, 4);
  }

  @Test
  void aShardThatWasAddedAfterTheStartIsReadFromThen() {
    shards.with("c", 150);
    ResultCursor stream = shards.open("{resumeAfter: " + token(120, 1).toDocument() + "}");
    assertThat(shards.opened.get("a").getFirst().get("resumeAfter")).isNotNull();
    RawDocument options = shards.opened.get("c").getFirst();
    assertThat(options.get("resumeAfter")).isNull();
    assertThat(options.get("startAtOperationTime").asInt64()).isEqualTo(150);
    stream.close();
  }

  @Test
  void aShardThatIsRemovedLeavesWhenItHasGivenEverything() {
    ResultCursor stream = shards.open("{}");
    taken(stream);
    shards.gives("config", mark(140), change(125, "delete", "b", 0));
    shards.gives("a", mark(140), event(130, 2));
    shards.gives("b", mark(126), event(120, 1));
    assertThat(taken(stream)).containsExactly(1, 2);
    assertThat(shards.killed).containsExactly("b");
    taken(stream);
    assertThat(shards.isWaiting("b")).isFalse();
  }

  @Test
  void aShardThatIsRemovedMayBeGone() {
    ResultCursor stream = shards.open("{}");
    taken(stream);
    shards.gives("config", mark(140), change(125, "delete", "b", 0));
    shards.gives("a", mark(140), event(130, 2));
    assertThat(taken(stream)).isEmpty();
    shards.fails("b", new CommandException(ErrorCode.HOST_UNREACHABLE, "gone"));
    assertThat(taken(stream)).containsExactly(2);
  }

  /** The list of shards that calls use may be newer than the stream's. */
  @Test
  void aShardThatIsNotKnownAnyMoreIsWaitedForUntilItsRemovalIsKnown() {
    ResultCursor stream = shards.open("{}");
    taken(stream);
    shards.fails("b", new CommandException(ErrorCode.SHARD_NOT_FOUND, "Shard b not found"));
    shards.gives("a", mark(140), event(130, 2));
    shards.gives("config", mark(120));
    assertThat(taken(stream)).isEmpty();
    shards.gives("config", mark(140), change(125, "delete", "b", 0));
    assertThat(taken(stream)).containsExactly(2);
  }

  @Test
  void anErrorOfAShardIsTheStreams() {
    ResultCursor stream = shards.open("{}");
    taken(stream);
    shards.fails("b", new CommandException(ErrorCode.CHANGE_STREAM_HISTORY_LOST, "lost"));
    assertThatThrownBy(stream::peek)
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHANGE_STREAM_HISTORY_LOST));
    stream.close();
    assertThat(shards.killed).containsExactlyInAnyOrder("a", "config");
  }

  @Test
  void theEndOfOneIsTheEndOfAll() {
    ResultCursor stream = shards.open("{}");
    taken(stream);
    shards.gives("config", mark(130));
    shards.gives("a", mark(130), event(110, 1), event(125, 9));
    shards.endsWith("b", token(120, 3).ofInvalidate(), event(120, 2));
    assertThat(taken(stream)).containsExactly(1, 2);
    assertThat(stream.isExhausted()).isTrue();
    assertThat(place(stream)).isEqualTo(token(120, 3).ofInvalidate());
  }

  private static RawDocument announced(ResumeToken token) {
    return new BsonBuilder().appendDocument("_id", token.toDocument()).toDocument();
  }

  @Test
  void oneShardHasThePlaceToGoOnAfter() {
    shards.begins("a", mark(121));
    shards.begins("b", mark(130), announced(token(120, 5)), event(122, 6));
    shards.begins("config", mark(130));
    ResultCursor stream = shards.open("{resumeAfter: " + token(120, 5).toDocument() + "}");
    assertThat(taken(stream)).isEmpty();
    assertThat(place(stream)).isEqualTo(mark(121));
    shards.gives("a", mark(130));
    assertThat(taken(stream)).containsExactly(6);
  }

  @Test
  void aPlaceThatNoShardHasIsAnError() {
    shards.begins("a", mark(121));
    shards.begins("b", mark(120));
    shards.begins("config", mark(130));
    ResultCursor stream = shards.open("{resumeAfter: " + token(120, 5).toDocument() + "}");
    assertThat(taken(stream)).isEmpty();
    assertThat(place(stream)).isEqualTo(token(120, 5));
    shards.gives("b", mark(121));
    assertThatThrownBy(stream::peek)
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHANGE_STREAM_FATAL_ERROR));
  }
}
