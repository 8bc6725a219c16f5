package dev.wisent.server.connection;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.user.Identity;
import dev.wisent.server.memory.OperationMemory;
import dev.wisent.server.privilege.Principal;
import dev.wisent.server.transport.ConnectionContext;
import dev.wisent.wire.Compressor;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

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
  private volatile Identity identity;
  private volatile Principal principal;
  private PendingLogin pendingLogin;

  /** Of the command that it runs; null without one. */
  private volatile ActingFor actingFor;

  /** Whether a message is awaited, and until when; only where logins are required. */
  private volatile boolean silent;

  private volatile long overdueNanos;

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

  /** By which version of TLS it is encrypted, such as {@code TLSv1.3}; empty if it is not. */
  public Optional<String> tlsProtocol() {
    return transport == null ? Optional.empty() : transport.tlsProtocol();
  }

  /** The certificate that the client has shown, which was verified; empty without one. */
  public Optional<X509Certificate> peerCertificate() {
    return transport == null ? Optional.empty() : transport.peerCertificate();
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

  /** Its next message has to come within some seconds, unless it logs in. */
  public void silentUntil(long nowNanos, int secondsMax) {
    overdueNanos = nowNanos + TimeUnit.SECONDS.toNanos(secondsMax);
    silent = true;
  }

  /** Its message has come. */
  public void speaks() {
    silent = false;
  }

  /** Whether the message is overdue. */
  public boolean isOverdue(long nowNanos) {
    return silent && nowNanos - overdueNanos > 0;
  }

  /** As whom it has logged in; empty before a login and after a logout. */
  public Optional<Identity> identity() {
    return Optional.ofNullable(identity);
  }

  public void login(Identity proven) {
    principal = null;
    identity = proven;
  }

  public void logout() {
    identity = null;
  }

  /** The one that its last command ran for; null before the first. */
  public Principal principal() {
    return principal;
  }

  public void principal(Principal current) {
    principal = current;
  }

  /** The user that its running command is of, where that is not the one that has logged in. */
  public Optional<ActingFor> actingFor() {
    return Optional.ofNullable(actingFor);
  }

  /** Notes whom the next command is of; null for the one that has logged in. */
  public void actsFor(ActingFor user) {
    actingFor = user;
  }

  /** Whether it is a client inside this process. */
  public boolean isEmbedded() {
    return transport == null;
  }

  /** The login that has begun; null if there is none. */
  public PendingLogin pendingLogin() {
    return pendingLogin;
  }

  public void pendingLogin(PendingLogin begun) {
    pendingLogin = begun;
  }

  /** The compressions that both sides can, the client's preference first. */
  public List<Compressor> compressors() {
    return compressors;
  }

  public void compressors(List<Compressor> negotiated) {
    compressors = List.copyOf(negotiated);
  }
}
