package dev.wisent.server.message;

import dev.wisent.base.Clock;
import dev.wisent.base.Limits;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.transaction.NoTransactions;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.scram.ScramCredential;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.security.user.User;
import dev.wisent.server.access.UserDirectory;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import dev.wisent.server.harness.TestAccess;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.memory.OperationMemory;
import dev.wisent.server.transport.ConnectionContext;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A client without a login in front of the commands of a server with access control, for bytes of
 * any kind: the server answers or closes the connection, and nothing else happens.
 */
final class UnauthenticatedClient implements AutoCloseable {
  private static final int REPLIES_MAX = 3;
  private static final int OP_REPLY = 1;

  private final Path directory;
  private final List<String> faults = new ArrayList<>();
  private final MemberServer server;
  private final MessageMemory memory = MessageMemory.ofHeap(Clock.system());
  private int opened;

  UnauthenticatedClient() {
    try {
      directory = Files.createTempDirectory("unauthenticated");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var access = TestAccess.closed(new SomeUsers());
    server =
        new MemberServer(
            directory, new FakeReplicaSet(1), new NoTransactions(), this::logged, access);
  }

  /** Only faults of the server are of interest. */
  private void logged(String line) {
    if (line.contains("\"id\":22000,")) {
      faults.add(line);
    }
  }

  /** Sends a message on a connection of its own. */
  void send(byte[] bytes) {
    connect().send(bytes);
  }

  /** From another address each time: failed logins of the same one are answered late. */
  Connection connect() {
    opened++;
    String address =
        "10." + (opened >> 16 & 255) + "." + (opened >> 8 & 255) + "." + (opened & 255);
    return new Connection(
        new ClientConnection(new Remote(address + ":1"), new OperationMemory(memory)));
  }

  /** A connection over a network: one without any would be that of the server's own process. */
  private record Remote(String remoteAddress) implements ConnectionContext {
    @Override
    public long id() {
      return 2;
    }

    @Override
    public String localAddress() {
      return "192.0.2.2:2";
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReserved() {
      return false;
    }

    @Override
    public void administered() {}

    @Override
    public void close() {}
  }

  /** One connection, until the server ends it. */
  final class Connection {
    private final ClientConnection client;
    private final MessageHandler handler;
    private final Replies replies = new Replies();
    private boolean open = true;

    private Connection(ClientConnection client) {
      this.client = client;
      this.handler = server.messages(client);
    }

    boolean isOpen() {
      return open;
    }

    /** What the server has said of a login in its last reply; null if it has not. */
    byte[] payload() {
      return replies.payload;
    }

    /** The number of the error in the last reply; 0 if there was none. */
    int code() {
      return replies.code;
    }

    /** Sends a message whose header says how long it is. */
    void send(byte[] bytes) {
      byte[] message = Arrays.copyOf(bytes, Math.max(bytes.length, MessageHeader.BYTES));
      LittleEndian.putInt32(message, 0, message.length);
      replies.begin();
      open = handler.handle(message, message.length, replies);
      handler.parked();
      if (!faults.isEmpty()) {
        throw new AssertionError(faults.toString());
      }
      if (client.identity().isPresent()) {
        throw new AssertionError("logged in as " + client.identity());
      }
    }
  }

  /** Sends an OP_MSG of a command whose first field is given, with fuzz for the other fields. */
  void sendCommand(String name, byte[] fields) {
    byte[] start = new BsonBuilder().appendInt32(name, 1).toDocument().toByteArray();
    byte[] end = new BsonBuilder().appendString("$db", "admin").toDocument().toByteArray();
    int length = start.length + fields.length + end.length - 5;
    byte[] message = new byte[MessageHeader.BYTES + 5 + length];
    LittleEndian.putInt32(message, 12, MessageHeader.OP_MSG);
    int at = MessageHeader.BYTES + 5;
    System.arraycopy(start, 0, message, at, start.length - 1);
    System.arraycopy(fields, 0, message, at + start.length - 1, fields.length);
    System.arraycopy(end, 4, message, at + start.length - 1 + fields.length, end.length - 4);
    LittleEndian.putInt32(message, at, length);
    send(message);
  }

  void sendCommand(RawDocument command) {
    byte[] message = new byte[MessageHeader.BYTES + 5 + command.length()];
    LittleEndian.putInt32(message, 12, MessageHeader.OP_MSG);
    System.arraycopy(command.toByteArray(), 0, message, MessageHeader.BYTES + 5, command.length());
    send(message);
  }

  @Override
  public void close() {
    server.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads what the server answers, and stops to listen after some replies. */
  private static final class Replies implements MessageHandler.Sink {
    private int count;
    private byte[] payload;
    private int code;

    void begin() {
      count = 0;
      code = 0;
      payload = null;
    }

    @Override
    public void send(byte[] bytes, int length) {
      count++;
      int opCode = MessageHeader.opCode(bytes);
      if (opCode != MessageHeader.OP_MSG
          && opCode != OP_REPLY
          && opCode != MessageHeader.OP_COMPRESSED) {
        throw new AssertionError("a reply of kind " + opCode);
      }
      if (length > Limits.DOCUMENT_BYTES_MAX) {
        throw new AssertionError("a reply of " + length + " bytes");
      }
      if (opCode == MessageHeader.OP_MSG) {
        RawDocument reply = OpMsg.parse(bytes, length).body();
        payload = payload(reply);
        RawValue error = reply.get("code");
        code = error == null ? 0 : (int) error.toLong();
      }
    }

    private static byte[] payload(RawDocument reply) {
      RawValue begun = reply.get("speculativeAuthenticate");
      RawValue said =
          begun != null && begun.isDocument()
              ? begun.asDocument().get("payload")
              : reply.get("payload");
      return said != null && said.type() == ElementType.BINARY ? said.asBinary() : null;
    }

    @Override
    public boolean isOpen() {
      return count < REPLIES_MAX;
    }
  }

  /** There are users, so there is no exception for localhost. Their passwords are not known. */
  private static final class SomeUsers implements UserDirectory {
    private static final int ITERATIONS = 4096;

    private final RawDocument stored;

    SomeUsers() {
      RandomSource random = RandomSource.system();
      String password = HexFormat.of().formatHex(random.nextSecret(16));
      var user = new BsonBuilder();
      BsonBuilder credentials = user.startDocument("credentials");
      for (ScramMechanism mechanism : ScramMechanism.values()) {
        ScramCredential.create(mechanism, "anna", password, ITERATIONS, random).append(credentials);
      }
      credentials.end();
      this.stored = user.toDocument();
    }

    @Override
    public Optional<User> find(UserName name) {
      return name.user().equals("anna")
          ? Optional.of(
              new User(name, stored, List.of(), Set.of(), GrantedPrivileges.NONE, List.of()))
          : Optional.empty();
    }

    @Override
    public boolean hasUsers() {
      return true;
    }

    @Override
    public void invalidate() {}

    @Override
    public long failedReads() {
      return 0;
    }
  }
}
