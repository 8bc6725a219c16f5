package dev.wisent.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.crud.GetMoreCommand;
import dev.wisent.server.cursor.CursorOrigin;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.harness.EmptyCursor;
import dev.wisent.server.metrics.DocumentCounts;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A getMore that waits for new documents is not slow. */
class AwaitedTimeTest {
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final AtomicLong nanos = new AtomicLong();

  private final Clock clock =
      new Clock() {
        @Override
        public long wallMillis() {
          return 0;
        }

        @Override
        public long monotonicNanos() {
          return nanos.get();
        }
      };

  /** The end of a capped collection, at which an hour goes by. */
  private final class Tail extends EmptyCursor {
    @Override
    public boolean awaitsData() {
      return true;
    }

    @Override
    public void awaitMore(long timeoutMillis) {
      nanos.addAndGet(HOUR_NANOS);
    }
  }

  @Test
  void waitIsCountedApart() {
    var cursors = new CursorRegistry(clock, new SplittableRandom(1));
    var origin = new CursorOrigin(RawDocument.EMPTY, null, 0);
    long id = cursors.register(new Namespace("d", "c"), new Tail(), null, false, origin).id();
    var body =
        new BsonBuilder()
            .appendInt64("getMore", id)
            .appendString("collection", "c")
            .appendString("$db", "d")
            .toDocument();
    CommandRequest request = CommandRequest.of(body, List.of(), false);
    request.readGenericArguments();
    OperationContext operation = OperationContext.internal(clock);

    new GetMoreCommand(cursors, new DocumentCounts())
        .run(request, new CommandContext(null, operation), new BsonBuilder());

    assertThat(operation.pausedNanos()).isEqualTo(HOUR_NANOS);
  }
}
