package dev.wisent.security.scram;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The conversations that the standards give as examples. */
class ScramVectorsTest {
  @Test
  void rfc5802() throws Exception {
    check(
        ScramMechanism.SHA_1,
        "fyko+d2lbbFgONRv9qkxdawL",
        "3rfcNHYJY1ZVvWVs7j",
        "QSXCR+Q6sek8bf92",
        "v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
        "rmF9pqV8S7suAoZWja4dJRkFsKQ=");
  }

  @Test
  void rfc7677() throws Exception {
    check(
        ScramMechanism.SHA_256,
        "rOprNGfwEbeRWgbNEkqO",
        "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0",
        "W22ZaJ0SNY7soEsUEjb6gQ==",
        "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
        "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
  }

  @Test
  void digestsPasswordsAsMongoDb() {
    assertThat(ScramMechanism.digestedPassword("user", "pencil"))
        .isEqualTo("1c33006ec1ffd90f9cadcbcc0e118200");
  }

  private static void check(
      ScramMechanism mechanism,
      String clientNonce,
      String serverNonce,
      String salt,
      String proof,
      String signature)
      throws ScramException {
    var credential =
        ScramCredential.withSalt(mechanism, "pencil", 4096, Base64.getDecoder().decode(salt));
    var server =
        new ScramServerConversation(mechanism, user -> List.of(credential), serverNonce, true);
    var client =
        new ScramClientConversation(
            mechanism,
            "user",
            (given, count) -> ScramKeys.derive(mechanism, "pencil", given, count),
            clientNonce);

    assertThat(text(client.first())).isEqualTo("n,,n=user,r=" + clientNonce);
    ScramServerConversation.Answer first = server.answer(client.first());
    assertThat(text(first.payload()))
        .isEqualTo("r=" + clientNonce + serverNonce + ",s=" + salt + ",i=4096");
    byte[] last = client.prove(first.payload());
    assertThat(text(last)).isEqualTo("c=biws,r=" + clientNonce + serverNonce + ",p=" + proof);
    ScramServerConversation.Answer end = server.answer(last);
    assertThat(text(end.payload())).isEqualTo("v=" + signature);
    assertThat(end.isDone()).isTrue();
    client.verify(end.payload());
  }

  private static String text(byte[] payload) {
    return new String(payload, StandardCharsets.UTF_8);
  }
}
