package dev.wisent.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.wisent.base.loop.BackgroundLoops;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class ListenAddressesTest {
  private final RecordingLog log = new RecordingLog();

  private Transport open(int port, String... addresses) throws IOException {
    return Transport.open(
        TransportOptions.listeningOn(List.of(addresses), port),
        EchoHandler::new,
        Memories.ample(),
        log,
        BackgroundLoops.silent());
  }

  @Test
  void anAddressInUseIsSaidSo() throws Exception {
    try (var first = open(0, "127.0.0.1")) {
      assertThatThrownBy(() -> open(first.port(), "127.0.0.1"))
          .isInstanceOf(ListenException.class)
          .hasMessage("cannot listen on 127.0.0.1:" + first.port() + ": address already in use")
          .asInstanceOf(InstanceOfAssertFactories.type(ListenException.class))
          .returns(true, ListenException::addressInUse);
    }
  }

  @Test
  void aPortCanBeUsedAgainAtOnce() throws Exception {
    int port;
    try (var first = open(0, "127.0.0.1")) {
      port = first.port();
      // Closed by the server first, so its side of the connection lingers in the system.
      new TestClient(first).call(Frames.frame(1, 20));
    }
    try (var second = open(port, "127.0.0.1");
        var client = new TestClient(second)) {
      assertThat(Frames.number(client.call(Frames.frame(2, 20)))).isEqualTo(2);
    }
  }

  @Test
  void severalAddressesShareAFreePort() throws Exception {
    var loopback6 = InetAddress.getByName("::1");
    assumeThat(NetworkInterface.getByInetAddress(loopback6)).as("IPv6 loopback").isNotNull();
    try (var transport = open(0, "127.0.0.1", "::1", "127.0.0.1");
        var client4 = new TestClient(transport);
        var client6 = new TestClient(loopback6, transport.port())) {
      assertThat(transport.addresses())
          .containsExactly(
              "127.0.0.1:" + transport.port(), "[0:0:0:0:0:0:0:1]:" + transport.port());
      assertThat(Frames.number(client4.call(Frames.frame(4, 20)))).isEqualTo(4);
      assertThat(Frames.number(client6.call(Frames.frame(6, 20)))).isEqualTo(6);
    }
  }

  @Test
  void nothingStaysBoundWhenOneAddressFails() throws Exception {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = free.getLocalPort();
    }
    // TEST-NET-1 is no address of this machine.
    assertThatThrownBy(() -> open(port, "127.0.0.1", "192.0.2.1"))
        .isInstanceOf(ListenException.class)
        .hasMessageStartingWith("cannot listen on 192.0.2.1:" + port + ": ")
        .asInstanceOf(InstanceOfAssertFactories.type(ListenException.class))
        .returns(false, ListenException::addressInUse);
    open(port, "127.0.0.1").close();
  }

  @Test
  void anUnknownHostIsSaidSo() {
    assertThatThrownBy(() -> open(0, "no-such-host.invalid"))
        .isInstanceOf(ListenException.class)
        .hasMessage("cannot listen on no-such-host.invalid: unknown host");
  }

  @Test
  void theIpv6WildcardStandsForBoth() throws Exception {
    var both = TransportOptions.listeningOn(List.of("0.0.0.0", "::"), 0);
    assertThat(ListenAddresses.resolve(both)).containsExactly(InetAddress.getByName("::"));
    var only4 = TransportOptions.listeningOn(List.of("0.0.0.0", "127.0.0.1"), 0);
    assertThat(ListenAddresses.resolve(only4))
        .containsExactly(InetAddress.getByName("0.0.0.0"), InetAddress.getByName("127.0.0.1"));
  }

  @Test
  void aHostNameMeansItsIpv4AddressesUnlessIpv6IsWanted() throws Exception {
    var localhost = TransportOptions.listeningOn(List.of("localhost"), 0);
    assertThat(ListenAddresses.resolve(localhost))
        .containsExactly(InetAddress.getByName("127.0.0.1"));
    assertThat(ListenAddresses.resolve(localhost.withIpv6(true)))
        .contains(InetAddress.getByName("127.0.0.1"));
  }
}
