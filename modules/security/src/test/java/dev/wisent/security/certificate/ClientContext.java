package dev.wisent.security.certificate;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** How a client verifies the server, and what it shows. */
public final class ClientContext {
  private ClientContext() {}

  /** Shows a certificate although the server asks for one of other signers. */
  private static final class Insistent extends X509ExtendedKeyManager {
    private final TestCertificate own;

    Insistent(TestCertificate own) {
      this.own = own;
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return "own";
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {"own"};
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[0];
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {own.certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return own.key();
    }
  }

  /**
   * Trusts an authority.
   *
   * @param own null for a client without a certificate
   */
  public static SSLContext of(TestCertificate own, TestAuthority trusted) {
    try {
      KeyStore trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      trust.setCertificateEntry("ca", trusted.certificate());
      var trustManagers = TrustManagerFactory.getInstance("PKIX");
      trustManagers.init(trust);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          own == null ? null : new KeyManager[] {new Insistent(own)},
          trustManagers.getTrustManagers(),
          null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
