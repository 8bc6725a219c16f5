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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Gives checkpoints of this node's store to others, part by part. Each has one of its own, so that
 * it is as new as can be; its files are hard links, which cost space only once the store has
 * replaced them. One that is not asked for any more is removed after a while, and so is one whose
 * asker wants another. What a crash leaves is removed at the next start, by {@link RaftFiles}.
 */
final class CheckpointServer {
  static final int PART_BYTES_MAX = 4 << 20;

  static final int CHECKPOINTS_MAX = 8;

  /** Each has a part in memory, or writes out what the store has there. */
  static final int REQUESTS_MAX = 16;

  private static final long IDLE_NANOS_MAX = TimeUnit.MINUTES.toNanos(2);
  private static final long AGE_NANOS_MAX = TimeUnit.HOURS.toNanos(24);

  private final Path directory;
  private final LogApplier applier;
  private final Clock clock;
  private final Scheduler scheduler;
  private final AtomicLong last;
  private final Map<Long, Checkpoint> checkpoints = new ConcurrentHashMap<>();
  private final Semaphore requests = new Semaphore(REQUESTS_MAX);

  private static final class Checkpoint {
    private final Path root;
    private final long asker;
    private final long madeNanos;
    private volatile List<Path> files; // null while it is being made
    private volatile long lastUsedNanos;

    Checkpoint(Path root, long asker, long nowNanos) {
      this.root = root;
      this.asker = asker;
      this.madeNanos = nowNanos;
      this.lastUsedNanos = nowNanos;
    }

    boolean isIdle(long nowNanos) {
      return files != null
          && (nowNanos - lastUsedNanos > IDLE_NANOS_MAX || nowNanos - madeNanos > AGE_NANOS_MAX);
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
        case DISCARD -> {
          discard(request.checkpoint());
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
    discardIdle();
    Path root;
    Checkpoint checkpoint;
    long id = last.incrementAndGet();
    synchronized (this) {
      if (asker != 0) {
        discardOf(asker);
      }
      if (checkpoints.size() >= CHECKPOINTS_MAX) {
        throw new IOException("There are too many checkpoints: ask again later");
      }
      root = directory.resolve(Long.toString(id));
      checkpoint = new Checkpoint(root, asker, clock.monotonicNanos());
      checkpoints.put(id, checkpoint);
    }
    try {
      Files.createDirectories(directory);
      contents.accept(root);
      List<Path> files;
      try (Stream<Path> all = Files.walk(root)) {
        files = all.filter(Files::isRegularFile).toList();
      }
      Message list = Message.valueOf(list(id, root, files));
      checkpoint.lastUsedNanos = clock.monotonicNanos();
      checkpoint.files = files;
      return list;
    } catch (IOException | RuntimeException e) {
      discard(id);
      throw e;
    }
  }

  /** What an asker got before, unless that is still being made. */
  private void discardOf(long asker) throws IOException {
    for (var each : checkpoints.entrySet()) {
      if (each.getValue().asker == asker && each.getValue().files != null) {
        discard(each.getKey());
      }
    }
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
    List<Path> files = checkpoint == null ? null : checkpoint.files;
    if (files == null) {
      throw new IOException("There is no checkpoint " + request.checkpoint());
    }
    if (request.file() < 0 || request.file() >= files.size()) {
      throw new IOException("The checkpoint has no file " + request.file());
    }
    if (request.length() < 0 || request.length() > PART_BYTES_MAX) {
      throw new IOException("A part cannot have " + request.length() + " bytes");
    }
    checkpoint.lastUsedNanos = clock.monotonicNanos();
    try (FileChannel channel =
        FileChannel.open(files.get((int) request.file()), StandardOpenOption.READ)) {
      long offset = request.offset();
      long rest = channel.size() - offset;
      if (offset < 0 || rest < 0) {
        throw new IOException("The file has no byte " + offset);
      }
      ByteBuffer part = ByteBuffer.allocate((int) Math.min(request.length(), rest));
      while (part.hasRemaining()) {
        int count = channel.read(part, offset);
        if (count < 0) {
          break;
        }
        offset += count;
      }
      return Message.valueOf(UnsafeByteOperations.unsafeWrap(part.flip()));
    }
  }

  /** Removes those that are not asked for any more. */
  void discardIdle() throws IOException {
    long now = clock.monotonicNanos();
    for (var each : checkpoints.entrySet()) {
      if (each.getValue().isIdle(now)) {
        discard(each.getKey());
      }
    }
  }

  /** Removes all: this node ends. */
  void discardAll() throws IOException {
    for (long id : List.copyOf(checkpoints.keySet())) {
      discard(id);
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
