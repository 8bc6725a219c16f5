package dev.wisent.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortTest {

  @Test
  void canBeBound() throws IOException {
    int port = FreePort.find();

    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(socket.getLocalPort()).isEqualTo(port);
    }
  }

  @Test
  void staysBelowTheEphemeralRange() {
    assertThat(FreePort.find()).isBetween(1024, 32_767);
  }
}
