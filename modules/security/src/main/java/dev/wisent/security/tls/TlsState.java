package dev.wisent.security.tls;

import java.security.cert.X509Certificate;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLSession;

/**
 * Which connections this process encrypts, and with what: both change while it runs. Thread-safe.
 */
public final class TlsState {
  private final TlsOptions options;
  private final AtomicReference<TlsOptions.Mode> mode;

  /** Null without encryption. */
  private final AtomicReference<TlsContexts> contexts;

  private final Map<TlsOptions.Protocol, LongAdder> connections =
      new EnumMap<>(TlsOptions.Protocol.class);

  private TlsState(TlsOptions options) {
    this.options = options;
    this.mode = new AtomicReference<>(options.mode());
    this.contexts = new AtomicReference<>(options.isOn() ? TlsContexts.load(options) : null);
    for (TlsOptions.Protocol protocol : TlsOptions.Protocol.values()) {
      connections.put(protocol, new LongAdder());
    }
  }

  /**
   * Reads the files.
   *
   * @throws TlsException if one of them is of no use
   */
  public static TlsState open(TlsOptions options) {
    return new TlsState(options);
  }

  /** Without encryption. */
  public static TlsState off() {
    return new TlsState(TlsOptions.OFF);
  }

  public TlsOptions options() {
    return options;
  }

  public TlsOptions.Mode mode() {
    return mode.get();
  }

  /** Changes the mode by one step of a rolling upgrade; false if it may not be changed so. */
  public boolean upgrade(TlsOptions.Mode to) {
    TlsOptions.Mode from =
        switch (to) {
          case DISABLED, ALLOW -> null;
          case PREFER -> TlsOptions.Mode.ALLOW;
          case REQUIRE -> TlsOptions.Mode.PREFER;
        };
    return from != null && mode.compareAndSet(from, to);
  }

  /** What new connections use; empty without encryption. */
  public Optional<TlsContexts> contexts() {
    return Optional.ofNullable(contexts.get());
  }

  /**
   * Reads the files again, for connections from now on.
   *
   * @throws TlsException if one of them is of no use: then the old ones stay
   */
  public void rotate() {
    if (!options.isOn()) {
      throw new TlsException("there are no certificates: this server was started without TLS");
    }
    contexts.set(TlsContexts.load(options));
  }

  /** A client has connected. */
  public void connected(SSLSession session) {
    connections.forEach(
        (protocol, count) -> {
          if (protocol.javaName().equals(session.getProtocol())) {
            count.increment();
          }
        });
  }

  /** How many clients have connected by a version of TLS. */
  public long connections(TlsOptions.Protocol protocol) {
    return connections.get(protocol).sum();
  }

  /** What this server shows to clients; empty without encryption. */
  public Optional<X509Certificate> serverCertificate() {
    return contexts().map(TlsContexts::serverCertificate);
  }
}
