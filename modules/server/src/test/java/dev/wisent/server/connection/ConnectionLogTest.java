package dev.wisent.server.connection;

import static dev.wisent.server.harness.Replies.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the log says about connections, and what clients hear that speak another language. */
class ConnectionLogTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @Test
  void connectionsThatComeAndGo() {
    String connection;
    try (RawClient client = SERVER.connect()) {
      int id =
          client
              .run(
                  "{hello: 1, $db: 'admin', compression: ['zlib'], client: {driver: {name: 'd',"
                      + " version: '1'}, os: {type: 'unix'}, application: {name: 'logged'}}}")
              .getInt32("connectionId")
              .getValue();
      connection = "\"connectionId\":" + id + ",\"connectionCount\":";
      assertThat(SERVER.logLines("\"id\":22943", "Connection accepted", "127.0.0.1:", connection))
          .hasSize(1);
      assertThat(
              SERVER.logLines(
                  "\"id\":51800",
                  "client metadata",
                  "\"ctx\":\"conn" + id + "\"",
                  "\"negotiatedCompressors\":[\"zlib\"]",
                  "\"name\": \"logged\""))
          .hasSize(1);
      assertThat(SERVER.logLines("\"id\":22944", connection)).isEmpty();
    }
    Eventually.await(
        "its end is logged",
        () -> !SERVER.logLines("\"id\":22944", "Connection ended", connection).isEmpty());
  }

  @Test
  void quietLeavesOutConnectionsThatComeAndGo() {
    assertThat(SERVER.admin("{getParameter: 1, quiet: 1}").getBoolean("quiet").getValue())
        .isFalse();
    SERVER.admin("{setParameter: 1, quiet: true}");
    try {
      int id;
      try (RawClient client = SERVER.connect()) {
        id =
            client
                .run(
                    "{hello: 1, $db: 'admin', client: {driver: {name: 'd', version: '1'}, os:"
                        + " {type: 'unix'}, application: {name: 'unheard'}}}")
                .getInt32("connectionId")
                .getValue();
      }
      assertThat(SERVER.admin("{getParameter: 1, quiet: 1}").getBoolean("quiet").getValue())
          .isTrue();
      assertThat(SERVER.logLines("\"id\":22943", "\"connectionId\":" + id + ",")).isEmpty();
      assertThat(SERVER.logLines("\"id\":51800", "unheard")).isEmpty();
    } finally {
      SERVER.admin("{setParameter: 1, quiet: false}");
    }
    connectionsThatComeAndGo();
  }

  private static String speak(byte[] first) throws IOException {
    try (var socket = new Socket("127.0.0.1", SERVER.server().port())) {
      socket.setSoTimeout(Eventually.DEADLINE_SECONDS * 1000);
      socket.getOutputStream().write(first);
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1", "POST /x HTTP/1.1", "HEAD / HTTP/1.0"})
  void aWebBrowserGetsAnAnswer(String request) throws IOException {
    int before = SERVER.logLines("the client speaks HTTP").size();
    String answer =
        speak((request + "\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    String text =
        "It looks like you are trying to access MongoDB over HTTP on the native driver port.\r\n";
    assertThat(answer)
        .startsWith("HTTP/1.0 200 OK\r\n")
        .contains("\r\nContent-Length: " + text.length() + "\r\n")
        .endsWith("\r\n\r\n" + text);
    assertThat(SERVER.logLines("the client speaks HTTP", "127.0.0.1:")).hasSize(before + 1);
  }

  /** The beginnings of what different libraries send; the fourth byte is a part of a length. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "16030100f8010000f40303aabbccddeeff00112233445566778899aabbccddeeff0011223344",
        "1603010200010001fc0303aabbccddeeff00112233445566778899aabbccddeeff0011223344",
        "16030306d2010006ce0303aabbccddeeff00112233445566778899aabbccddeeff0011223344"
      })
  void aTlsHandshakeClosesTheConnectionAndIsLogged(String hello) throws IOException {
    int before = SERVER.logLines("the client speaks TLS").size();
    assertThat(speak(HexFormat.of().parseHex(hello))).isEmpty();
    assertThat(SERVER.logLines("the client speaks TLS", "which this server does not"))
        .hasSize(before + 1);
  }

  @Test
  void otherBytesAreAMalformedMessage() throws IOException {
    assertThat(speak("SSH-2.0-OpenSSH\r\n".getBytes(StandardCharsets.US_ASCII))).isEmpty();
    assertThat(SERVER.logLines("Closing connection after a malformed message")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: {$binary: {base64: '', subType:"
            + " '0'}}, $db: 'admin'}",
        "{authenticate: 1, mechanism: 'MONGODB-X509', user: 'CN=x', $db: '$external'}"
      })
  void aLoginIsRefusedAndLogged(String command) {
    int before = SERVER.logLines("Failed to authenticate").size();
    BsonDocument parsed = BsonDocument.parse(command);
    String database = parsed.remove("$db").asString().getValue();
    assertError(SERVER.fail(database, parsed.toJson()), 18, "Authentication failed.");
    List<String> lines = SERVER.logLines("Failed to authenticate");
    assertThat(lines).hasSize(before + 1);
    assertThat(lines.getLast()).contains("\"c\":\"ACCESS\"").contains("\"client\":\"127.0.0.1:");
  }
}
