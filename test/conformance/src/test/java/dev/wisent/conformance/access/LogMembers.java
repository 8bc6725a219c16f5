package dev.wisent.conformance.access;

import dev.wisent.replication.secret.LogKeys;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.replication.secret.MemberProof;
import dev.wisent.replication.secret.ProofKeyManager;
import dev.wisent.security.certificate.TestCertificate;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;

/** Programs at the ports of logs: what they can call, and by what they claim to be members. */
final class LogMembers {
  private LogMembers() {}

  /** All methods of all services that Ratis has. */
  static List<String> methods() {
    return Stream.of(
            RaftServerProtocolServiceGrpc.getServiceDescriptor(),
            RaftClientProtocolServiceGrpc.getServiceDescriptor(),
            AdminProtocolServiceGrpc.getServiceDescriptor())
        .flatMap(service -> service.getMethods().stream())
        .map(MethodDescriptor::getFullMethodName)
        .toList();
  }

  /** Shows what a member of the set shows whose key file has the key. */
  static SSLContext withKey(UUID set, String key) throws GeneralSecurityException {
    LogKeys keys = () -> List.of(key.getBytes(StandardCharsets.US_ASCII));
    return context(new ProofKeyManager(new MemberProof(set, LogSecret.create(true), keys)));
  }

  /** Shows a certificate of some authority. */
  static SSLContext withCertificate(TestCertificate own)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    char[] password = "pw".toCharArray();
    store.setKeyEntry("own", own.key(), password, new Certificate[] {own.certificate()});
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, password);
    return context(keys.getKeyManagers());
  }

  /**
   * Believes everything.
   *
   * @param own what it shows; nothing if there is none
   */
  static SSLContext context(KeyManager... own) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own, new TrustManager[] {new Credulous()}, null);
    return context;
  }

  /** Trusts all certificates. */
  private static final class Credulous extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
