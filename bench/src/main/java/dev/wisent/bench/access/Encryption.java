package dev.wisent.bench.access;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** What clients need to know to encrypt their connections. */
public final class Encryption {
  /** Null for what the runtime trusts. */
  private final TrustManager[] trust;

  private final SSLContext shared;

  private Encryption(TrustManager[] trust) {
    this.trust = trust;
    this.shared = newContext();
  }

  /** With servers whose certificates the runtime trusts. */
  public static Encryption ofRuntime() {
    return new Encryption(null);
  }

  /** With servers that show a certificate, or one signed by it. */
  public static Encryption trusting(X509Certificate certificate) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("server", certificate);
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      return new Encryption(factory.getTrustManagers());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Later connections to a server go on with the secrets of earlier ones. */
  public SSLContext shared() {
    return shared;
  }

  /** Its first connection has a full handshake, as that of a client that has just started. */
  public SSLContext newContext() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
