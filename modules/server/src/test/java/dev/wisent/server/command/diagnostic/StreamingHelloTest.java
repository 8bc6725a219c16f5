package dev.wisent.server.command.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.authentication.AuthenticateCommand;
import dev.wisent.server.authentication.CertificateLogin;
import dev.wisent.server.authentication.HelloLogin;
import dev.wisent.server.authentication.Logins;
import dev.wisent.server.authentication.ScramLogin;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.TestAccess;
import dev.wisent.server.topology.TopologyIdentity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

class StreamingHelloTest {
  private final TopologyIdentity topology = new TopologyIdentity(new ObjectId());
  private final HelloCommand hello =
      new HelloCommand(
          topology,
          Optional.empty(),
          ClusterRole.NONE,
          login(),
          ServerLog.silent().of(LogComponent.NETWORK),
          false,
          true);

  private static HelloLogin login() {
    var logins = new Logins(TestAccess.open(), AuditLog.NONE, Clock.system(), Log.silent());
    return new HelloLogin(
        logins,
        new ScramLogin(logins, RandomSource.system()),
        new AuthenticateCommand(new CertificateLogin(logins)));
  }

  /** A monitor asks once; each answer after that waits for a change of what was told last. */
  @Test
  void eachAnswerWaitsForTheNextChange() throws Exception {
    CommandRequest request =
        CommandRequest.of(
            RawDocument.parse(
                "{hello: 1, topologyVersion: {processId: {$oid: '%s'}, counter: {$numberLong: '0'}},"
                        .formatted(topology.processId())
                    + " maxAwaitTimeMS: 60000, $db: 'admin'}"),
            List.of(),
            true);
    topology.changed();
    assertThat(counter(run(request))).isEqualTo(1);
    assertThat(request.continues()).isTrue();

    CommandRequest next = request.next();
    var answer = new AtomicReference<RawDocument>();
    Thread waiting = Thread.ofPlatform().start(() -> answer.set(run(next)));
    Eventually.await("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    topology.changed();
    waiting.join();

    assertThat(counter(answer.get())).isEqualTo(2);
  }

  private RawDocument run(CommandRequest request) {
    var reply = new BsonBuilder();
    var context =
        new CommandContext(
            new ClientConnection(1, null, null, null), OperationContext.internal(Clock.system()));
    hello.run(request, context, reply);
    return reply.toDocument();
  }

  private static long counter(RawDocument reply) {
    return reply.get("topologyVersion").asDocument().get("counter").asInt64();
  }
}
