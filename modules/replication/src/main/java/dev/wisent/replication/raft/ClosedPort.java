package dev.wisent.replication.raft;

import dev.wisent.replication.secret.MemberProof;
import dev.wisent.replication.secret.ProofKeyManager;
import dev.wisent.replication.secret.ProofTrustManager;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.ClientAuth;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContextBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;

/** A port of a log that serves only peers who prove by TLS that they are members of the set. */
final class ClosedPort implements GrpcServices.Customizer {
  private static final String PROTOCOL = "TLSv1.3";

  /** One for entries, one for heartbeats, votes, and what a checkpoint takes. */
  private static final int CALLS_PER_CONNECTION_MAX = 100;

  static final int HANDSHAKE_SECONDS_MAX = 10;

  private final MemberProof proof;

  ClosedPort(MemberProof proof) {
    this.proof = proof;
  }

  /** How this node connects to others. */
  static GrpcTlsConfig transport(MemberProof proof) {
    var builder = GrpcTlsConfig.newBuilder();
    builder.setKeyManager(new ProofKeyManager(proof));
    builder.setTrustManager(new ProofTrustManager(proof));
    builder.setMutualTls(true);
    // The only one that is there on all machines.
    builder.setSslProvider(SslProvider.JDK);
    builder.setProtocols(PROTOCOL);
    return builder.build();
  }

  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    builder
        .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
        .protocolNegotiator(new UnprovenConnections(serverContext()))
        .handshakeTimeout(HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS)
        .intercept(new LogCalls(this::isMember));
    return builder;
  }

  private SslContext serverContext() {
    var builder =
        SslContextBuilder.forServer(new ProofKeyManager(proof))
            .trustManager(new ProofTrustManager(proof))
            .clientAuth(ClientAuth.REQUIRE);
    try {
      return GrpcSslContexts.configure(builder, SslProvider.JDK).protocols(PROTOCOL).build();
    } catch (SSLException e) {
      throw new IllegalStateException("Cannot use TLS", e);
    }
  }

  /**
   * Looks again for each call: a session that was resumed, or is older than a change of the keys,
   * was checked against others.
   */
  private boolean isMember(ServerCall<?, ?> call) {
    SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    try {
      return session != null
          && session.getPeerCertificates()[0] instanceof X509Certificate certificate
          && proof.isProven(certificate);
    } catch (SSLPeerUnverifiedException e) {
      return false;
    }
  }
}
