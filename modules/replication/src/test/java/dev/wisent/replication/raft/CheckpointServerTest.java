package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointServerTest {
  private static final RaftPeerId ASKER = RaftPeerId.valueOf("n2");

  @TempDir Path directory;

  private final AtomicLong nowNanos = new AtomicLong(1);
  private StorageEngine engine;
  private CheckpointServer server;

  @BeforeEach
  void open() {
    engine =
        StorageEngine.open(StorageOptions.defaults(directory.resolve("db")).withReplicatedLog());
    var clock =
        new Clock() {
          @Override
          public long wallMillis() {
            return 1_000;
          }

          @Override
          public long monotonicNanos() {
            return nowNanos.get();
          }
        };
    server =
        new CheckpointServer(
            served(), new StoreApplier(engine), clock, BackgroundLoops.silent().scheduler());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Path served() {
    return directory.resolve("served");
  }

  private long servedCount() throws IOException {
    if (!Files.exists(served())) {
      return 0;
    }
    try (Stream<Path> each = Files.list(served())) {
      return each.count();
    }
  }

  private List<String> make(String asker) {
    Message request = CheckpointRequest.make(true, RaftPeerId.valueOf(asker)).encode();
    return CheckpointServer.lines(server.serve(request).join());
  }

  private Message read(long checkpoint, long file, long offset, long length) {
    return server
        .serve(
            new CheckpointRequest(CheckpointRequest.Kind.READ, checkpoint, file, offset, length)
                .encode())
        .join();
  }

  @Test
  void onlyListedBytesAreRead() {
    List<String> lines = make("n2");
    long id = Long.parseLong(lines.getFirst());
    long size = Long.parseLong(lines.get(1).split(" ")[0]);
    assertThat(read(id, 0, 0, size).getContent().size()).isEqualTo((int) size);
    assertThat(read(id, 0, size, 10).getContent().size()).isZero();
    long[][] wrong = {
      {id + 1, 0, 0, 1},
      {-1, 0, 0, 1},
      {id, -1, 0, 1},
      {id, lines.size() - 1, 0, 1},
      {id, Long.MAX_VALUE, 0, 1},
      {id, 1L << 32, 0, 1},
      {id, 0, -1, 1},
      {id, 0, size + 1, 1},
      {id, 0, Long.MAX_VALUE, 1},
      {id, 0, Long.MIN_VALUE, 1},
      {id, 0, 0, -1},
      {id, 0, 0, CheckpointServer.PART_BYTES_MAX + 1},
    };
    for (long[] each : wrong) {
      assertThatThrownBy(() -> read(each[0], each[1], each[2], each[3]))
          .hasRootCauseInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> server.serve(Message.valueOf("malformed")).join())
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anAskerHasOneAndAllHaveFew() throws IOException {
    List<String> first = make("n2");
    make("n2");
    assertThat(servedCount()).isEqualTo(1);
    assertThatThrownBy(() -> read(Long.parseLong(first.getFirst()), 0, 0, 1))
        .hasRootCauseInstanceOf(IOException.class);
    for (int i = 1; i < CheckpointServer.CHECKPOINTS_MAX; i++) {
      make("other" + i);
    }
    assertThatThrownBy(() -> make("one more")).hasRootCauseInstanceOf(IOException.class);
    assertThat(servedCount()).isEqualTo(CheckpointServer.CHECKPOINTS_MAX);
    make("n2");
  }

  @Test
  void whatIsNotAskedForIsRemoved() throws IOException {
    long id = Long.parseLong(make("n2").getFirst());
    nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(90));
    read(id, 0, 0, 1);
    nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(90));
    server.discardIdle();
    assertThat(servedCount()).isEqualTo(1);
    nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(121));
    server.discardIdle();
    assertThat(servedCount()).isZero();
    make("n2");
    server.discardAll();
    assertThat(servedCount()).isZero();
  }

  @Test
  void oneThatCannotBeMadeLeavesNothing() throws IOException {
    Files.createFile(served()); // a file where the directory has to be
    assertThatThrownBy(() -> make(ASKER.toString())).hasRootCauseInstanceOf(IOException.class);
    Files.delete(served());
    for (int i = 0; i < CheckpointServer.CHECKPOINTS_MAX; i++) {
      make("other" + i);
    }
  }
}
