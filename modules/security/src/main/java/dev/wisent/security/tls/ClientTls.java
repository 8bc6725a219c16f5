package dev.wisent.security.tls;

import dev.wisent.security.tls.TlsOptions.CertificateFile;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** The side of a client that is no member. */
public final class ClientTls {
  private ClientTls() {}

  /**
   * Reads the files.
   *
   * @param certificate what is shown to servers, if anything
   * @param caFile those that sign the certificates of servers; empty for those that the JDK trusts
   * @param invalidCertificates whether servers may show any certificate
   * @throws TlsException if one of the files is of no use
   */
  public static SSLContext context(
      Optional<CertificateFile> certificate,
      Optional<Path> caFile,
      Optional<Path> crlFile,
      boolean invalidCertificates) {
    KeyManager[] keys =
        certificate
            .map(file -> new KeyManager[] {CertificateKey.read(file)})
            .orElseGet(() -> new KeyManager[0]);
    try {
      X509ExtendedTrustManager strict =
          caFile.isPresent() ? TrustedSigners.read(caFile.get(), crlFile) : ofTheJdk();
      TrustManager trust = invalidCertificates ? new AnyCertificate(strict) : strict;
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new TlsException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private static X509ExtendedTrustManager ofTheJdk() throws GeneralSecurityException {
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    for (TrustManager each : factory.getTrustManagers()) {
      if (each instanceof X509ExtendedTrustManager manager) {
        return manager;
      }
    }
    throw new GeneralSecurityException("the JDK trusts no signers");
  }
}
