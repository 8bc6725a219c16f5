package dev.wisent.server.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.Limits;
import dev.wisent.base.log.Log;
import dev.wisent.security.UserName;
import dev.wisent.security.user.Identity;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.connection.ConnectedClients;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.memory.OperationMemory;
import dev.wisent.server.transport.ConnectionContext;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LoginLimitsTest {
  private final ConnectedClients clients = new ConnectedClients();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ManualClock clock = new ManualClock();
  private final ClientConnection client =
      new ClientConnection(context(), new OperationMemory(MessageMemory.ofHeap(clock)));
  private final LoginLimits limits = new LoginLimits(true, clients, clock, Log.silent());

  private ConnectionContext context() {
    return (ConnectionContext)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ConnectionContext.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "id" -> 1L;
                  case "remoteAddress", "localAddress" -> "127.0.0.1:1";
                  case "close" -> {
                    closed.set(true);
                    yield null;
                  }
                  default -> null;
                });
  }

  private void open() {
    limits.opened(client);
    clients.opened(client);
  }

  private boolean isClosedAfter(int seconds) {
    clock.nanos += TimeUnit.SECONDS.toNanos(seconds);
    limits.closeOverdue();
    return closed.get();
  }

  @Test
  void aClientThatSaysNothingIsClosedAfterAMinute() {
    open();
    assertThat(isClosedAfter(Limits.FIRST_MESSAGE_SECONDS_MAX - 1)).isFalse();
    assertThat(isClosedAfter(2)).isTrue();
  }

  @Test
  void aMonitorLivesAsLongAsItSaysHello() {
    open();
    for (int i = 0; i < 100; i++) {
      limits.messageBegins(client);
      limits.messageEnded(client);
      assertThat(isClosedAfter(120)).isFalse();
    }
    assertThat(isClosedAfter(Limits.UNAUTHENTICATED_SILENCE_SECONDS_MAX)).isTrue();
  }

  @Test
  void aHelloThatWaitsForAChangeMayTakeLong() {
    open();
    limits.messageBegins(client);
    assertThat(isClosedAfter(3 * Limits.UNAUTHENTICATED_SILENCE_SECONDS_MAX)).isFalse();
  }

  @Test
  void aLoginEndsTheLimits() {
    open();
    assertThat(limits.messageBytesMax(client)).isEqualTo(16 * 1024);
    client.login(new Identity(new UserName("anna", "admin"), "SCRAM-SHA-256"));
    assertThat(limits.messageBytesMax(client)).isEqualTo(Limits.MESSAGE_BYTES_MAX);
    assertThat(isClosedAfter(10_000)).isFalse();
  }

  @Test
  void withoutAccessControlThereAreNone() {
    var open = new LoginLimits(false, clients, clock, Log.silent());
    open.opened(client);
    clients.opened(client);
    clock.nanos += TimeUnit.DAYS.toNanos(1);
    open.closeOverdue();
    assertThat(closed).isFalse();
    assertThat(open.messageBytesMax(client)).isEqualTo(Limits.MESSAGE_BYTES_MAX);
  }

  private static final class ManualClock implements Clock {
    private long nanos;

    @Override
    public long wallMillis() {
      return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Override
    public long monotonicNanos() {
      return nanos;
    }
  }
}
