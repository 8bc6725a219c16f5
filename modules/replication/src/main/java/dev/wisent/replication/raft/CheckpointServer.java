package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.base.Scheduler;
import dev.wisent.storage.ServedCheckpoints;
import dev.wisent.storage.ServedCheckpoints.Bounds;
import dev.wisent.storage.ServedCheckpoints.Served;
import dev.wisent.storage.ServedCheckpoints.ServedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Gives checkpoints of this node's store to other members, part by part. A member has one at a
 * time. What a crash leaves is removed at the next start, by {@link RaftFiles}.
 */
final class CheckpointServer {
  static final int PART_BYTES_MAX = 4 << 20;

  static final int CHECKPOINTS_MAX = 8;

  /** Each has a part in memory, or writes out what the store has there. */
  static final int REQUESTS_MAX = 16;

  private static final Bounds BOUNDS =
      new Bounds(CHECKPOINTS_MAX, Duration.ofMinutes(2), Duration.ofHours(24));

  private final LogApplier applier;
  private final Scheduler scheduler;
  private final ServedCheckpoints checkpoints;
  private final Semaphore requests = new Semaphore(REQUESTS_MAX);

  CheckpointServer(Path directory, LogApplier applier, Clock clock, Scheduler scheduler) {
    this.scheduler = scheduler;
    this.applier = applier;
    this.checkpoints = new ServedCheckpoints(directory, BOUNDS, clock);
  }

  /** Answers another node, on a thread of its own: a checkpoint may take a while. */
  CompletableFuture<Message> serve(Message request) {
    if (!requests.tryAcquire()) {
      return CompletableFuture.failedFuture(new IOException("Too many requests at a time"));
    }
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return serve(CheckpointRequest.decode(request));
          } catch (RuntimeException e) {
            throw new CompletionException(e);
          } finally {
            requests.release();
          }
        },
        task -> scheduler.run("checkpoint", task));
  }

  private Message serve(CheckpointRequest request) {
    try {
      return switch (request.kind()) {
        case MAKE -> make(request.checkpoint(), applier::checkpoint);
        case OUTLINE -> make(request.checkpoint(), applier::outline);
        case READ -> read(request);
        case PROVE -> throw new IOException("A position is no checkpoint");
        case DISCARD -> {
          checkpoints.discard(request.checkpoint());
          yield Message.EMPTY;
        }
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Makes a checkpoint.
   *
   * @param asker for whom; 0 if that is not known
   */
  private Message make(long asker, Consumer<Path> contents) throws IOException {
    return Message.valueOf(list(checkpoints.make(asker, contents)));
  }

  /** A line with its number, then one for each file: size and name. */
  private static String list(Served checkpoint) {
    StringBuilder text = new StringBuilder().append(checkpoint.id()).append('\n');
    for (ServedFile file : checkpoint.files()) {
      text.append(file.sizeBytes()).append(' ').append(file.name()).append('\n');
    }
    return text.toString();
  }

  private Message read(CheckpointRequest request) throws IOException {
    if (request.length() < 0 || request.length() > PART_BYTES_MAX) {
      throw new IOException("A part cannot have " + request.length() + " bytes");
    }
    return Message.valueOf(
        UnsafeByteOperations.unsafeWrap(
            checkpoints.read(
                request.checkpoint(), request.file(), request.offset(), (int) request.length())));
  }

  /** Removes those that are not asked for any more. */
  void discardIdle() throws IOException {
    checkpoints.discardIdle();
  }

  /** Removes all: this node ends. */
  void discardAll() throws IOException {
    checkpoints.discardAll();
  }

  static List<String> lines(Message reply) {
    return reply.getContent().toString(StandardCharsets.UTF_8).lines().toList();
  }
}
