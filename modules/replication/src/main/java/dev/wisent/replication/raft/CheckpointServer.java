package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.base.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Gives checkpoints of this node's store to others, part by part. Each has one of its own, so that
 * it is as new as can be; its files are hard links, which cost space only once the store has
 * replaced them. One that is not asked for any more is removed after a while.
 */
final class CheckpointServer {
  static final int PART_BYTES_MAX = 4 << 20;

  private static final long IDLE_NANOS_MAX = TimeUnit.MINUTES.toNanos(2);

  private final Path directory;
  private final LogApplier applier;
  private final Clock clock;
  private final Scheduler scheduler;
  private final AtomicLong last;
  private final Map<Long, Checkpoint> checkpoints = new ConcurrentHashMap<>();

  private static final class Checkpoint {
    private final Path root;
    private final List<Path> files;
    private volatile long lastUsedNanos;

    Checkpoint(Path root, List<Path> files, long nowNanos) {
      this.root = root;
      this.files = files;
      this.lastUsedNanos = nowNanos;
    }
  }

  CheckpointServer(Path directory, LogApplier applier, Clock clock, Scheduler scheduler) {
    this.scheduler = scheduler;
    this.directory = directory;
    this.applier = applier;
    this.clock = clock;
    // Numbers of an earlier run mean nothing.
    this.last = new AtomicLong(clock.wallMillis());
  }

  /** Answers another node, on a thread of its own: a checkpoint may take a while. */
  CompletableFuture<Message> serve(Message request) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return serve(CheckpointRequest.decode(request));
          } catch (RuntimeException e) {
            throw new CompletionException(e);
          }
        },
        task -> scheduler.run("checkpoint", task));
  }

  private Message serve(CheckpointRequest request) {
    try {
      return switch (request.kind()) {
        case MAKE -> make(applier::checkpoint);
        case OUTLINE -> make(applier::outline);
        case READ -> read(request);
        case DISCARD -> {
          discard(request.checkpoint());
          yield Message.EMPTY;
        }
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Message make(Consumer<Path> contents) throws IOException {
    discardIdle();
    long id = last.incrementAndGet();
    Files.createDirectories(directory);
    Path root = directory.resolve(Long.toString(id));
    contents.accept(root);
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    checkpoints.put(id, new Checkpoint(root, files, clock.monotonicNanos()));
    return Message.valueOf(list(id, root, files));
  }

  /** A line with its number, then one for each file: size and name. */
  private static String list(long id, Path root, List<Path> files) throws IOException {
    StringBuilder text = new StringBuilder().append(id).append('\n');
    for (Path file : files) {
      text.append(Files.size(file)).append(' ').append(root.relativize(file)).append('\n');
    }
    return text.toString();
  }

  private Message read(CheckpointRequest request) throws IOException {
    Checkpoint checkpoint = checkpoints.get(request.checkpoint());
    if (checkpoint == null) {
      throw new IOException("There is no checkpoint " + request.checkpoint());
    }
    checkpoint.lastUsedNanos = clock.monotonicNanos();
    Path file = checkpoint.files.get(Math.toIntExact(request.file()));
    ByteBuffer part =
        ByteBuffer.allocate((int) Math.clamp(request.length(), 0, (long) PART_BYTES_MAX));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long offset = request.offset();
      while (part.hasRemaining()) {
        int count = channel.read(part, offset);
        if (count < 0) {
          break;
        }
        offset += count;
      }
    }
    return Message.valueOf(UnsafeByteOperations.unsafeWrap(part.flip()));
  }

  /** Removes those that are not asked for any more. */
  void discardIdle() throws IOException {
    long now = clock.monotonicNanos();
    for (var each : checkpoints.entrySet()) {
      if (now - each.getValue().lastUsedNanos > IDLE_NANOS_MAX) {
        discard(each.getKey());
      }
    }
  }

  private void discard(long id) throws IOException {
    Checkpoint checkpoint = checkpoints.remove(id);
    if (checkpoint != null) {
      RaftFiles.deleteRecursively(checkpoint.root);
    }
  }

  static List<String> lines(Message reply) {
    return reply.getContent().toString(StandardCharsets.UTF_8).lines().toList();
  }
}
