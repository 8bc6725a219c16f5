package dev.wisent.server.connection;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.memory.OperationMemory;
import dev.wisent.server.transport.ConnectionContext;
import dev.wisent.wire.Compressor;
import java.util.List;

/** What the server knows about one client connection. Its one running command uses it. */
public final class ClientConnection {
  private final long id;
  private final String remoteAddress;
  private final String localAddress;
  private final ConnectionContext transport;
  private final OperationMemory memory;
  private boolean closesAfterReply;
  private volatile RawDocument clientMetadata;
  private volatile List<Compressor> compressors = List.of();

  /** A client inside this process. */
  public ClientConnection(
      long id, String remoteAddress, String localAddress, OperationMemory memory) {
    this.id = id;
    this.remoteAddress = remoteAddress;
    this.localAddress = localAddress;
    this.transport = null;
    this.memory = memory;
  }

  public ClientConnection(ConnectionContext transport, OperationMemory memory) {
    this.id = transport.id();
    this.remoteAddress = transport.remoteAddress();
    this.localAddress = transport.localAddress();
    this.transport = transport;
    this.memory = memory;
  }

  /** The memory of the running operation. */
  public OperationMemory memory() {
    return memory;
  }

  /** Whether only commands that look after the node are run for it. */
  public boolean isReserved() {
    return transport != null && transport.isReserved();
  }

  /** A command that looks after the node was run. */
  public void administered() {
    if (transport != null) {
      transport.administered();
    }
  }

  /** Has the connection closed once the reply of the running command is sent. */
  public void closeAfterReply() {
    closesAfterReply = true;
  }

  public boolean closesAfterReply() {
    return closesAfterReply;
  }

  /** Closes the connection; a running operation ends soon. */
  public void close() {
    if (transport != null) {
      transport.close();
    }
  }

  public long id() {
    return id;
  }

  /** {@code conn12}, as logs and currentOp show it. */
  public String description() {
    return "conn" + id;
  }

  /** {@code host:port} of the client. */
  public String remoteAddress() {
    return remoteAddress;
  }

  public String localAddress() {
    return localAddress;
  }

  /** What the driver said about itself in its first hello; null before that. */
  public RawDocument clientMetadata() {
    return clientMetadata;
  }

  /** What the application calls itself; null if it did not say. */
  public String applicationName() {
    RawDocument metadata = clientMetadata;
    RawValue application = metadata == null ? null : metadata.get("application");
    if (application == null || !application.isDocument()) {
      return null;
    }
    RawValue name = application.asDocument().get("name");
    return name == null || !name.isString() ? null : name.asString();
  }

  public void clientMetadata(RawDocument metadata) {
    clientMetadata = metadata.detached();
  }

  /** The compressions that both sides can, the client's preference first. */
  public List<Compressor> compressors() {
    return compressors;
  }

  public void compressors(List<Compressor> negotiated) {
    compressors = List.copyOf(negotiated);
  }
}
