package dev.wisent.bench.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The example of RFC 7677. */
class ScramClientTest {
  private static final String NONCE = "rOprNGfwEbeRWgbNEkqO";
  private static final String SERVER_FIRST =
      "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
  private static final String PROOF =
      "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
          + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";

  private final ScramClient client =
      new ScramClient(new Login("user", "admin", "pencil".toCharArray()), NONCE);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void provesThePassword() throws IOException {
    assertThat(client.first()).asString().isEqualTo("n,,n=user,r=" + NONCE);
    assertThat(client.prove(bytes(SERVER_FIRST))).asString().isEqualTo(PROOF);
    client.verify(bytes("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="));
  }

  @Test
  void refusesServersWithoutThePassword() throws IOException {
    client.prove(bytes(SERVER_FIRST));
    assertThatThrownBy(() -> client.verify(bytes("v=AAAA")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("signature is wrong");
    assertThatThrownBy(() -> client.prove(bytes("r=other,s=AAAA,i=4096")))
        .hasMessageContaining("nonce");
    assertThatThrownBy(() -> client.prove(bytes("e=invalid"))).hasMessageContaining("no 'r'");
  }
}
