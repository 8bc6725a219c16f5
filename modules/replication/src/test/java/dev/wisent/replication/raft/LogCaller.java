package dev.wisent.replication.raft;

import dev.wisent.replication.secret.MemberProof;
import dev.wisent.replication.secret.ProofKeyManager;
import dev.wisent.replication.secret.ProofTrustManager;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ClientCall;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContextBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.util.InsecureTrustManagerFactory;

/** A program that calls the port of a log by gRPC, as an outsider can write one. */
final class LogCaller implements AutoCloseable {
  private final ManagedChannel channel;

  private LogCaller(ManagedChannel channel) {
    this.channel = channel;
  }

  /** What a call got: a message, or the status that it ended with. */
  record Answer(Object message, Status.Code status) {}

  static LogCaller plain(String address) {
    return new LogCaller(NettyChannelBuilder.forTarget(address).usePlaintext().build());
  }

  /** Believes everything and shows no certificate. */
  static LogCaller withoutCertificate(String address) throws SSLException {
    return encrypted(
        address, SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE));
  }

  /** Believes everything and shows a certificate. */
  static LogCaller showing(MemberProof proof, String address) throws SSLException {
    return encrypted(
        address,
        SslContextBuilder.forClient()
            .keyManager(new ProofKeyManager(proof))
            .trustManager(InsecureTrustManagerFactory.INSTANCE));
  }

  /** Does what a member does. */
  static LogCaller member(MemberProof proof, String address) throws SSLException {
    return encrypted(
        address,
        SslContextBuilder.forClient()
            .keyManager(new ProofKeyManager(proof))
            .trustManager(new ProofTrustManager(proof)));
  }

  private static LogCaller encrypted(String address, SslContextBuilder context)
      throws SSLException {
    return new LogCaller(
        NettyChannelBuilder.forTarget(address)
            .sslContext(GrpcSslContexts.configure(context, SslProvider.JDK).build())
            .build());
  }

  /** All methods of all services that Ratis has. */
  static List<MethodDescriptor<?, ?>> methods() {
    return Stream.of(
            RaftServerProtocolServiceGrpc.getServiceDescriptor(),
            RaftClientProtocolServiceGrpc.getServiceDescriptor(),
            AdminProtocolServiceGrpc.getServiceDescriptor())
        .<MethodDescriptor<?, ?>>flatMap(service -> service.getMethods().stream())
        .toList();
  }

  /** Calls a method with a request that has nothing set. */
  <Q, R> Answer callEmpty(MethodDescriptor<Q, R> method) {
    return call(method, method.parseRequest(new ByteArrayInputStream(new byte[0])));
  }

  <Q, R> Answer call(MethodDescriptor<Q, R> method, Q request) {
    var answer = new CompletableFuture<Answer>();
    ClientCall<Q, R> call =
        channel.newCall(method, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    call.start(
        new ClientCall.Listener<R>() {
          @Override
          public void onMessage(R message) {
            answer.complete(new Answer(message, Status.Code.OK));
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            answer.complete(new Answer(null, status.getCode()));
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage(request);
    call.halfClose();
    return answer.join();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
