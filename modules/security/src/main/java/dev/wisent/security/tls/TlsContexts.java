package dev.wisent.security.tls;

import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The certificates of one moment, and the contexts made of them. Immutable. */
public final class TlsContexts {
  private final TlsOptions options;
  private final CertificateKey serverKey;
  private final CertificateKey memberKey;

  /** What clients show is verified by this. */
  private final X509ExtendedTrustManager ofClients;

  /** What servers show is verified by this. */
  private final X509ExtendedTrustManager ofServers;

  private final SSLContext server;
  private final SSLContext member;

  private TlsContexts(TlsOptions options) {
    this.options = options;
    this.serverKey =
        CertificateKey.read(
            options
                .certificate()
                .orElseThrow(() -> new TlsException("TLS needs a tlsCertificateKeyFile")));
    this.memberKey = options.clusterCertificate().map(CertificateKey::read).orElse(serverKey);
    var caFile = options.caFile().orElseThrow(() -> new TlsException("TLS needs a tlsCAFile"));
    this.ofServers = TrustedSigners.read(caFile, options.crlFile());
    this.ofClients =
        options
            .clusterCaFile()
            .map(file -> TrustedSigners.read(file, options.crlFile()))
            .orElse(ofServers);
    this.server = context(serverKey, used(ofClients));
    this.member = context(memberKey, used(ofServers));
  }

  /**
   * Reads the files.
   *
   * @throws TlsException if one of them is of no use
   */
  public static TlsContexts load(TlsOptions options) {
    return new TlsContexts(options);
  }

  private X509ExtendedTrustManager used(X509ExtendedTrustManager strict) {
    return options.invalidCertificates() ? new AnyCertificate(strict) : strict;
  }

  private static SSLContext context(KeyManager keys, TrustManager trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys}, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new TlsException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  /** The server's side of a new connection. */
  public SSLEngine serverEngine() {
    SSLEngine engine = server.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = protocols();
    if (options.connectionsWithoutCertificates() || options.invalidCertificates()) {
      parameters.setWantClientAuth(true);
    } else {
      parameters.setNeedClientAuth(true);
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** For connections to other members. */
  public SSLContext member() {
    return member;
  }

  /** How connections to other members are made. */
  public SSLParameters memberParameters() {
    SSLParameters parameters = protocols();
    if (!options.invalidHostnames() && !options.invalidCertificates()) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    return parameters;
  }

  private SSLParameters protocols() {
    var parameters = new SSLParameters();
    parameters.setProtocols(options.protocols().toArray(String[]::new));
    return parameters;
  }

  /** What members show, on ports that need a key of their own. */
  public X509ExtendedKeyManager memberKeys() {
    return memberKey;
  }

  /** By what members are verified, on ports that do so by themselves. */
  public X509ExtendedTrustManager memberTrust() {
    return used(ofServers);
  }

  /** What this server shows to clients. */
  public X509Certificate serverCertificate() {
    return serverKey.certificate();
  }

  /** What this server shows to members. */
  public X509Certificate memberCertificate() {
    return memberKey.certificate();
  }

  /** The certificate of a client, if it has shown a valid one. */
  public Optional<X509Certificate> clientCertificate(SSLSession session) {
    Certificate[] shown;
    try {
      shown = session.getPeerCertificates();
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty(); // it has none
    }
    X509Certificate[] chain = new X509Certificate[shown.length];
    for (int i = 0; i < shown.length; i++) {
      if (!(shown[i] instanceof X509Certificate certificate)) {
        return Optional.empty();
      }
      chain[i] = certificate;
    }
    return verified(chain);
  }

  private Optional<X509Certificate> verified(X509Certificate[] chain) {
    if (options.invalidCertificates()) {
      try {
        ofClients.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
      } catch (CertificateException e) {
        return Optional.empty();
      }
    }
    return Optional.of(chain[0]);
  }
}
