package dev.wisent.replication.secret;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Has TLS use the certificate by which this process proves itself. */
public final class ProofKeyManager extends X509ExtendedKeyManager {
  private static final String KEY_TYPE = "EC";
  private static final String ALIAS = "member";

  private final MemberProof proof;

  public ProofKeyManager(MemberProof proof) {
    this.proof = proof;
  }

  @Override
  public String chooseEngineClientAlias(String[] keyType, Principal[] issuers, SSLEngine engine) {
    return chooseClientAlias(keyType, issuers, null);
  }

  @Override
  public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
    return chooseServerAlias(keyType, issuers, null);
  }

  @Override
  public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
    return Arrays.asList(keyType).contains(KEY_TYPE) ? ALIAS : null;
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return keyType.equals(KEY_TYPE) ? ALIAS : null;
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    return getClientAliases(keyType, issuers);
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return new X509Certificate[] {proof.own().certificate()};
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return proof.own().key();
  }
}
