package dev.wisent.security.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trust in certificates that a file's certificates have signed and no list has revoked. */
final class TrustedSigners {
  private TrustedSigners() {}

  static X509ExtendedTrustManager read(Path caFile, Optional<Path> crlFile) {
    List<X509Certificate> signers = PemFile.read(caFile).certificates();
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < signers.size(); i++) {
        store.setCertificateEntry("ca" + i, signers.get(i));
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      if (crlFile.isPresent()) {
        factory.init(withRevocation(store, crlFile.get()));
      } else {
        factory.init(store);
      }
      return extended(factory);
    } catch (GeneralSecurityException | IOException e) {
      throw new TlsException(caFile + ": " + e.getMessage(), e);
    }
  }

  /** Trust in what the runtime's own store has. */
  static X509ExtendedTrustManager ofRuntime() {
    try {
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init((KeyStore) null);
      return extended(factory);
    } catch (GeneralSecurityException e) {
      throw new TlsException("the certificates of this runtime: " + e.getMessage(), e);
    }
  }

  private static X509ExtendedTrustManager extended(TrustManagerFactory factory) {
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager trust) {
        return trust;
      }
    }
    throw new TlsException("this runtime cannot verify certificates");
  }

  /** As OpenSSL, only of the last certificate, and there has to be a list of its signer. */
  private static ManagerFactoryParameters withRevocation(KeyStore signers, Path crlFile)
      throws GeneralSecurityException {
    var parameters = new PKIXBuilderParameters(signers, new X509CertSelector());
    parameters.addCertStore(
        CertStore.getInstance(
            "Collection",
            new CollectionCertStoreParameters(PemFile.read(crlFile).revocationLists())));
    var checker =
        (PKIXRevocationChecker) CertPathBuilder.getInstance("PKIX").getRevocationChecker();
    checker.setOptions(
        EnumSet.of(
            PKIXRevocationChecker.Option.PREFER_CRLS,
            PKIXRevocationChecker.Option.NO_FALLBACK,
            PKIXRevocationChecker.Option.ONLY_END_ENTITY));
    parameters.addCertPathChecker(checker);
    return new CertPathTrustManagerParameters(parameters);
  }
}
