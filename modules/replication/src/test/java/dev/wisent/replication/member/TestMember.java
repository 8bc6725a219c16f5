package dev.wisent.replication.member;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.JoinRequest;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageOptions;
import dev.wisent.wire.OpMsg;
import dev.wisent.wire.ReplyBuffer;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.PooledNodeClient;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.types.ObjectId;

/** A member on a {@link FakeRaftNode} that answers other members on a real socket. */
final class TestMember implements AutoCloseable {
  private final ObjectId processId = new ObjectId();
  private final ServerSocket socket;
  private final StorageEngine storage;
  final FakeRaftNode raft;
  final ReplicaSetMember member;
  final AtomicLong beganTerm = new AtomicLong();
  final AtomicInteger topologyChanges = new AtomicInteger();
  volatile boolean hasData;

  /** Run before a change of the topology is counted. */
  volatile Runnable topologyChanging = () -> {};

  /** Returns when what was applied can be found. */
  volatile Runnable publication = () -> {};

  private volatile boolean closed;

  TestMember(Path directory, String setName, Map<UUID, FakeLog> logs) {
    try {
      this.socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.storage =
        StorageEngine.open(
            StorageOptions.defaults(directory).withCacheBytes(1 << 20).withReplicatedLog());
    var clock = new ClusterClock(Clock.system());
    this.raft = new FakeRaftNode(logs, storage, clock, 10_000 + socket.getLocalPort() % 50_000);
    this.member =
        ReplicaSetMember.of(
            new MemberSetup(
                setName,
                processId,
                Clock.system(),
                RandomSource.system(),
                clock,
                storage,
                raft,
                leadershipHandler(),
                () -> hasData,
                () -> MemberData.lacksLog(storage),
                this::host,
                this::topologyChanged,
                new PooledNodeClient(
                    NodeClientOptions.plain("test"), Clock.system(), BackgroundLoops.silent()),
                BackgroundLoops.silent(),
                Log.silent()));
    raft.observer(member.observer());
    Thread.ofVirtual().start(this::accept);
    member.start();
  }

  private void topologyChanged() {
    topologyChanging.run();
    topologyChanges.incrementAndGet();
  }

  private LeadershipHandler leadershipHandler() {
    return new LeadershipHandler() {
      @Override
      public void begin(long term) {
        beganTerm.set(term);
      }

      @Override
      public void end() {
        beganTerm.set(-1);
      }

      @Override
      public boolean awaitPublished(long timeoutNanos) {
        publication.run();
        return true;
      }
    };
  }

  String host() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  static OperationContext operation() {
    return OperationContext.internal(Clock.system());
  }

  /** Asked by a node that is no member. */
  static Heartbeat.Request question(UUID group) {
    return new Heartbeat.Request("rs", 0, -1, "", -1, -1, group, false, null);
  }

  void initiate(String config) {
    initiate(config, false);
  }

  void initiate(String config, boolean force) {
    member.initiate(RawDocument.parse(config), force, operation());
  }

  private void accept() {
    while (!closed) {
      try {
        Socket connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      var in = new DataInputStream(connection.getInputStream());
      var reply = new ReplyBuffer();
      while (!closed) {
        byte[] header = new byte[16];
        in.readFully(header);
        byte[] message = new byte[LittleEndian.int32(header, 0)];
        System.arraycopy(header, 0, message, 0, 16);
        in.readFully(message, 16, message.length - 16);
        if (closed) {
          return;
        }
        answer(OpMsg.parse(message, message.length).body(), reply.startMessage());
        reply.finishMessage(1, LittleEndian.int32(message, 4), 0);
        connection.getOutputStream().write(reply.bytes(), 0, reply.length());
      }
    } catch (IOException | StorageException e) {
      // The other one has gone, or this one.
    }
  }

  private void answer(RawDocument body, BsonBuilder out) {
    int start = out.position();
    try {
      var fields = body.elements();
      fields.next();
      switch (fields.name()) {
        case "hello" -> {
          out.startDocument("topologyVersion");
          out.appendObjectId("processId", processId);
          out.end();
        }
        case Heartbeat.COMMAND -> member.heartbeat(Heartbeat.Request.read(body)).append(out);
        case JoinRequest.COMMAND -> member.join(JoinRequest.read(body)).append(out);
        case PositionReports.COMMAND ->
            out.appendBoolean(PositionReports.AWAITED, member.updatePosition(body));
        case "replSetStepUp" -> member.handOver((int) body.get("handOverTo").toLong());
        default -> throw new IllegalArgumentException(fields.name());
      }
      out.appendDouble("ok", 1);
    } catch (CommandException e) {
      out.truncateToOutermost(start);
      out.appendDouble("ok", 0);
      out.appendString("errmsg", e.getMessage());
      out.appendInt32("code", e.code().code());
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    member.close();
    storage.close();
  }
}
