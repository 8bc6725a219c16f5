package dev.wisent.security.tls;

import dev.wisent.security.tls.TlsOptions.CertificateFile;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The one certificate that this side shows, with its key. It is shown whatever signers the other
 * side asks for, as OpenSSL does: then the other side says what is wrong with it.
 */
final class CertificateKey extends X509ExtendedKeyManager {
  private static final String ALIAS = "wisent";

  private final PrivateKey key;
  private final X509Certificate[] chain;

  private CertificateKey(PrivateKey key, List<X509Certificate> chain) {
    this.key = key;
    this.chain = chain.toArray(X509Certificate[]::new);
  }

  static CertificateKey read(CertificateFile file) {
    PemFile pem = PemFile.read(file.path());
    PrivateKey key = pem.privateKey(file.password());
    List<X509Certificate> certificates = pem.certificates();
    for (X509Certificate certificate : certificates) {
      if (isOf(key, certificate)) {
        return new CertificateKey(key, chain(certificate, certificates));
      }
    }
    throw new TlsException(file.path() + ": the private key belongs to none of the certificates");
  }

  private static boolean isOf(PrivateKey key, X509Certificate certificate) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "EdDSA" -> "EdDSA";
          default -> "SHA256withRSA";
        };
    byte[] text = {1, 2, 3, 4};
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false; // of another algorithm, say
    }
  }

  /** From a certificate to the one furthest up that is in the file. */
  private static List<X509Certificate> chain(X509Certificate leaf, List<X509Certificate> all) {
    var chain = new ArrayList<X509Certificate>(List.of(leaf));
    X509Certificate last = leaf;
    while (!last.getIssuerX500Principal().equals(last.getSubjectX500Principal())) {
      X509Certificate signed = last;
      var issuer =
          all.stream()
              .filter(
                  each -> each.getSubjectX500Principal().equals(signed.getIssuerX500Principal()))
              .filter(each -> !chain.contains(each))
              .findFirst();
      if (issuer.isEmpty()) {
        break;
      }
      last = issuer.get();
      chain.add(last);
    }
    return chain;
  }

  X509Certificate certificate() {
    return chain[0];
  }

  private String aliasFor(String... algorithms) {
    for (String algorithm : algorithms) {
      if (algorithm.equals(key.getAlgorithm())) {
        return ALIAS;
      }
    }
    return null;
  }

  @Override
  public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
    return aliasFor(keyType);
  }

  @Override
  public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
    return aliasFor(types);
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return aliasFor(keyType);
  }

  @Override
  public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
    return aliasFor(types);
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    return aliases(keyType);
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return aliases(keyType);
  }

  private String[] aliases(String keyType) {
    return aliasFor(keyType) == null ? new String[0] : new String[] {ALIAS};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return chain.clone();
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }
}
