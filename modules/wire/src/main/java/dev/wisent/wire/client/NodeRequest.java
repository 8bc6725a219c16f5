package dev.wisent.wire.client;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.DocumentSequence;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A command for another node, as bytes.
 *
 * @param database becomes {@code $db}; null if the command has that field already
 * @param sequences sent beside the command, such as the documents of an insert
 * @param timeout how long the caller waits: what is left of its {@code maxTimeMS}
 */
public record NodeRequest(
    String database, RawDocument command, List<DocumentSequence> sequences, Duration timeout) {
  private static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

  public NodeRequest {
    Objects.requireNonNull(command);
    sequences = List.copyOf(sequences);
    if (timeout.isNegative()) {
      timeout = Duration.ZERO;
    }
  }

  /** Whether the caller waits for a limited time. */
  boolean isLimited() {
    return timeout.compareTo(UNLIMITED) < 0;
  }

  public static NodeRequest of(String database, RawDocument command, Duration timeout) {
    return new NodeRequest(database, command, List.of(), timeout);
  }

  /** A command for the database {@code admin}. */
  public static NodeRequest admin(Consumer<BsonBuilder> command, Duration timeout) {
    var out = new BsonBuilder();
    command.accept(out);
    return of("admin", out.toDocument(), timeout);
  }
}
