package dev.wisent.replication.raft;

import java.util.EnumSet;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;

/** A port of a log whose members share no secret yet: it serves all, but only what they need. */
final class OpenPort implements GrpcServices.Customizer {
  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    builder.intercept(new LogCalls(call -> true));
    return builder;
  }
}
