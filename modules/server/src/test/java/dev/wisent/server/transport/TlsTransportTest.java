package dev.wisent.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.security.certificate.ClientContext;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.certificate.TestCertificate;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.security.tls.TlsState;
import dev.wisent.server.harness.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTransportTest {
  private static final TestAuthority CA = TestAuthority.named("CN=ca");
  private static final TestCertificate CLIENT = CA.localhost("CN=client");
  private static final SSLContext CONTEXT = ClientContext.of(CLIENT, CA);

  @TempDir private Path directory;
  private final RecordingLog log = new RecordingLog();
  private final List<EchoHandler> handlers = new CopyOnWriteArrayList<>();

  private Transport open(TlsOptions.Mode mode, int handshakeMillisMax, Execution execution)
      throws Exception {
    TlsState tls =
        TlsState.open(
            TlsOptions.builder(mode)
                .certificate(CA.localhost("CN=server").write(directory.resolve("s.pem")), null)
                .caFile(CA.write(directory.resolve("ca.pem")))
                .build());
    return Transport.open(
        TransportOptions.listeningOn(List.of("127.0.0.1"), 0)
            .withIdleParkMillis(5)
            .withDedicatedThreadsMax(0)
            .withHandshakeMillisMax(handshakeMillisMax)
            .withTls(tls),
        connection -> {
          var handler =
              new EchoHandler(connection) {
                @Override
                public Execution classify(byte[] frame) {
                  return execution;
                }
              };
          handlers.add(handler);
          return handler;
        },
        Memories.ample(),
        log,
        BackgroundLoops.silent());
  }

  private static SSLSocket connect(Transport transport) throws IOException {
    var socket =
        (SSLSocket)
            CONTEXT
                .getSocketFactory()
                .createSocket(InetAddress.getByName("127.0.0.1"), transport.port());
    socket.setSoTimeout((int) Eventually.DEADLINE_SECONDS * 1000);
    return socket;
  }

  private static byte[] receive(Socket socket) throws IOException {
    byte[] length = socket.getInputStream().readNBytes(4);
    int total = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
    return Frames.join(length, socket.getInputStream().readNBytes(total - 4));
  }

  private static void assertEchoed(Socket socket, byte[] frame) throws IOException {
    socket.getOutputStream().write(frame);
    assertThat(receive(socket)).isEqualTo(frame);
  }

  private static boolean isParked(Transport transport) {
    return transport.counts().threaded() == 0;
  }

  @Test
  void aParkedConnectionWakesUp() throws Exception {
    try (Transport transport = open(TlsOptions.Mode.REQUIRE, 30_000, Execution.RUN);
        SSLSocket client = connect(transport)) {
      for (int i = 1; i < 5; i++) {
        assertEchoed(client, Frames.frame(i, 100 * i));
        Eventually.await("it", () -> isParked(transport));
      }
      ConnectionContext connection = handlers.getFirst().connection;
      assertThat(connection.tlsProtocol()).contains("TLSv1.3");
      assertThat(connection.peerCertificate().map(X509Certificate::getSubjectX500Principal))
          .isEqualTo(Optional.of(CLIENT.certificate().getSubjectX500Principal()));
    }
  }

  /** Messages in one record are decrypted together, and those behind the first must not be lost. */
  @Test
  void messagesThatCameTogetherAreAllAnswered() throws Exception {
    for (Execution execution : Execution.values()) {
      try (Transport transport = open(TlsOptions.Mode.REQUIRE, 30_000, execution);
          SSLSocket client = connect(transport)) {
        for (int round = 0; round < 5; round++) {
          byte[][] frames = new byte[40][];
          for (int i = 0; i < frames.length; i++) {
            frames[i] = Frames.frame(i + 1, 900);
          }
          client.getOutputStream().write(Frames.join(frames));
          for (byte[] frame : frames) {
            assertThat(receive(client)).isEqualTo(frame);
          }
          Eventually.await("it", () -> isParked(transport));
        }
      }
    }
  }

  @Test
  void largeMessagesGoThrough() throws Exception {
    try (Transport transport = open(TlsOptions.Mode.REQUIRE, 30_000, Execution.RUN);
        SSLSocket client = connect(transport)) {
      byte[] frame = Frames.frame(1, 20 << 20);
      Thread sender =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      client.getOutputStream().write(frame);
                    } catch (IOException e) {
                      log.lines.add(e.toString());
                    }
                  });
      assertThat(receive(client)).isEqualTo(frame);
      sender.join();
      assertThat(log.lines).isEmpty();
    }
  }

  @Test
  void plainAndEncryptedClientsSideBySide() throws Exception {
    try (Transport transport = open(TlsOptions.Mode.ALLOW, 30_000, Execution.RUN);
        SSLSocket encrypted = connect(transport);
        var plain = new TestClient(transport)) {
      assertEchoed(encrypted, Frames.frame(1, 50));
      // As long as the first bytes of a handshake would say.
      for (int length : new int[] {16, 22, 0x0316, 0x10316}) {
        try (var another = new TestClient(transport)) {
          assertThat(another.call(Frames.frame(2, length))).hasSize(length);
        }
      }
      assertThat(plain.call(Frames.frame(3, 20))).hasSize(20);
      assertThat(handlers.getLast().connection.tlsProtocol()).isEmpty();
    }
  }

  @Test
  void plainClientsAreRefusedWhereAllAreEncrypted() throws Exception {
    try (Transport transport = open(TlsOptions.Mode.REQUIRE, 30_000, Execution.RUN);
        var plain = new TestClient(transport)) {
      plain.send(Frames.frame(1, 100));
      assertThat(plain.isClosedByServer()).isTrue();
      Eventually.await("it", () -> log.lines.toString().contains("only allow TLS connections"));
    }
  }

  @Test
  void handshakesThatStopHoldNoThreadAndEnd() throws Exception {
    byte[] start = new byte[40];
    start[0] = 0x16;
    start[1] = 3;
    start[2] = 1;
    start[3] = 2;
    start[5] = 1;
    start[12] = -1;
    start[13] = -1;
    start[14] = -1;
    try (Transport transport = open(TlsOptions.Mode.REQUIRE, 2_000, Execution.RUN)) {
      List<TestClient> stopped = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        stopped.add(new TestClient(transport).send(start));
      }
      for (TestClient client : stopped) {
        assertThat(client.isClosedByServer()).isTrue();
        client.close();
      }
      Eventually.await("it", () -> transport.counts().current() == 0);
      assertThat(log.lines).hasSize(20).allMatch(line -> line.contains("too long"));
      try (SSLSocket client = connect(transport)) {
        assertEchoed(client, Frames.frame(1, 30));
      }
    }
  }

  @Test
  void aClientThatGoesIsNoticed() throws Exception {
    try (Transport transport = open(TlsOptions.Mode.REQUIRE, 30_000, Execution.RUN)) {
      try (SSLSocket client = connect(transport)) {
        assertEchoed(client, Frames.frame(1, 30));
      }
      Eventually.await("it", () -> transport.counts().current() == 0);
    }
  }
}
