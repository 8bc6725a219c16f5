package dev.wisent.security.scram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.RandomSource;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScramConversationTest {
  private static final RandomSource RANDOM = RandomSource.seeded(7);
  private static final int ITERATIONS = 4096;

  @ParameterizedTest
  @EnumSource(ScramMechanism.class)
  void lettersOfAnyKindLogIn(ScramMechanism mechanism) throws Exception {
    long seed = Long.getLong("wisent.seed", 1);
    var random = new SplittableRandom(seed);
    for (int round = 0; round < 30; round++) {
      String user = word(random, "ab,=2C3DÄß€😀 ");
      String password = word(random, "abc,= ÄéΩ日本");
      var credential = ScramCredential.create(mechanism, user, password, ITERATIONS, RANDOM);

      assertThat(logsIn(mechanism, user, password, List.of(credential), round % 2 == 0))
          .as("seed %s, round %s: %s %s", seed, round, user, password)
          .isTrue();
      assertThat(logsIn(mechanism, user, password + "x", List.of(credential), true)).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(ScramMechanism.class)
  void oneOfSeveralKeysIsEnough(ScramMechanism mechanism) throws Exception {
    byte[] salt = RANDOM.nextSecret(mechanism.saltBytes());
    List<ScramCredential> both = List.of(of(mechanism, "old", salt), of(mechanism, "new", salt));

    assertThat(logsIn(mechanism, "u", "old", both, true)).isTrue();
    assertThat(logsIn(mechanism, "u", "new", both, true)).isTrue();
    assertThat(logsIn(mechanism, "u", "other", both, true)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(ScramMechanism.class)
  void unknownUsersLookLikeOthers(ScramMechanism mechanism) throws Exception {
    byte[] secret = RANDOM.nextSecret(32);
    var unknown = ScramCredential.ofUnknown(mechanism, "db.u", ITERATIONS, secret);
    var known = ScramCredential.create(mechanism, "u", "p", ITERATIONS, RANDOM);

    assertThat(unknown).isEqualTo(ScramCredential.ofUnknown(mechanism, "db.u", ITERATIONS, secret));
    assertThat(unknown.salt()).hasSameSizeAs(known.salt());
    assertThat(unknown.salt())
        .isNotEqualTo(ScramCredential.ofUnknown(mechanism, "db.v", ITERATIONS, secret).salt());
    assertThat(logsIn(mechanism, "u", "p", List.of(unknown), true)).isFalse();
  }

  @Test
  void thePasswordIsPrepared() throws Exception {
    var credential =
        ScramCredential.create(ScramMechanism.SHA_256, "u", "I\u00adX \u2168", ITERATIONS, RANDOM);

    assertThat(logsIn(ScramMechanism.SHA_256, "u", "IX IX", List.of(credential), true)).isTrue();
    assertThatThrownBy(() -> SaslPrep.prepare("bell\u0007")).hasMessageContaining("PROHIBITED");
    assertThatThrownBy(() -> SaslPrep.prepare("\u0627\u0031")).hasMessageContaining("PROHIBITED");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "n",
        "n,",
        "n,,",
        "n,,n=user",
        "n,,r=abcdef,n=user",
        "n,,n=,r=abcdef",
        "n,,n=user,r=",
        "n,,n=user,r=abc",
        "n,,m=x,n=user,r=abcdef",
        "p=tls-unique,,n=user,r=abcdef",
        "x,,n=user,r=abcdef",
        "n,user,n=user,r=abcdef",
        "n,a=other,n=user,r=abcdef",
        "n,,n=user,x=1",
        ",,,,,,"
      })
  void refusesFirstMessages(String message) {
    assertThatThrownBy(() -> server().answer(bytes(message))).isInstanceOf(ScramException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "c=biws",
        "c=biws,p=AAAA",
        "c=biws,r=NONCE",
        "r=NONCE,c=biws,p=AAAA",
        "c=eSws,r=NONCE,p=AAAA",
        "c=biws,r=abcdef,p=AAAA",
        "c=biws,r=NONCEx,p=AAAA",
        "c=biws,r=NONCE,p=",
        "c=biws,r=NONCE,p=AAAA",
        "c=biws,r=NONCE,p=!!!!",
        "c=biws,r=NONCE,p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "c=biws,r=NONCE,p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,x=1"
      })
  void refusesLastMessages(String message) throws Exception {
    ScramServerConversation server = server();
    String nonce = text(server.answer(bytes("n,,n=user,r=abcdef")).payload());
    String filled = message.replace("NONCE", nonce.substring(2, nonce.indexOf(',')));

    assertThatThrownBy(() -> server.answer(bytes(filled))).isInstanceOf(ScramException.class);
    assertThatThrownBy(() -> server.answer(bytes(filled)))
        .hasMessageContaining("Invalid SCRAM authentication step");
  }

  @Test
  void refusesBytesThatAreNoText() {
    byte[] noText = {'n', ',', ',', 'n', '=', (byte) 0xff, ',', 'r', '=', 'a', 'b', 'c', 'd'};

    assertThatThrownBy(() -> server().answer(noText)).hasMessageContaining("UTF-8");
    assertThatThrownBy(() -> server().answer(new byte[5000])).hasMessageContaining("too long");
  }

  @Test
  void randomBytesNeverLogIn() {
    long seed = Long.getLong("wisent.seed", 1);
    var random = new SplittableRandom(seed);
    byte[] alphabet = bytes("ncrpa=,by\0AZ09+/é");
    for (int round = 0; round < 5000; round++) {
      byte[] message = new byte[random.nextInt(60)];
      for (int i = 0; i < message.length; i++) {
        message[i] = alphabet[random.nextInt(alphabet.length)];
      }
      try {
        assertThat(server().answer(message).isDone()).isFalse();
      } catch (ScramException expected) {
        assertThat(expected).hasMessageNotContaining("\0");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "r=NONCE,s=QSXCR+Q6sek8bf92,i=4096",
        "r=NONCEx,s=QSXCR+Q6sek8bf92,i=1",
        "r=NONCEx,s=QSXCR+Q6sek8bf92,i=2000000000",
        "r=NONCEx,s=QSXCR+Q6sek8bf92,i=many",
        "r=NONCEx,s=!,i=4096",
        "r=NONCEx,i=4096",
        "r=other,s=QSXCR+Q6sek8bf92,i=4096",
        "e=other-error"
      })
  void aClientRefusesServers(String message) {
    var client = client(ScramMechanism.SHA_256, "user", "p");
    String first = text(client.first());
    String nonce = first.substring(first.lastIndexOf("r=") + 2);

    assertThatThrownBy(() -> client.prove(bytes(message.replace("NONCE", nonce))))
        .isInstanceOf(ScramException.class);
  }

  @Test
  void aClientRefusesServersThatDoNotKnowThePassword() throws Exception {
    var client = client(ScramMechanism.SHA_256, "user", "p");
    assertThatThrownBy(() -> client.verify(bytes("v=AAAA"))).isInstanceOf(ScramException.class);
    client.prove(server().answer(client.first()).payload());

    assertThatThrownBy(() -> client.verify(bytes("v=AAAA"))).hasMessageContaining("wrong");
    assertThatThrownBy(() -> client.verify(bytes("e=invalid-proof")))
        .isInstanceOf(ScramException.class);
  }

  private static ScramCredential of(ScramMechanism mechanism, String password, byte[] salt) {
    return ScramCredential.withSalt(mechanism, mechanism.prepare("u", password), ITERATIONS, salt);
  }

  private static ScramServerConversation server() {
    var credential = ScramCredential.ofUnknown(ScramMechanism.SHA_256, "db.u", 4096, new byte[1]);
    return new ScramServerConversation(
        ScramMechanism.SHA_256, user -> List.of(credential), RANDOM.nextSecret(24), true);
  }

  private static ScramClientConversation client(
      ScramMechanism mechanism, String user, String password) {
    String prepared = mechanism.prepare(user, password);
    return new ScramClientConversation(
        mechanism,
        user,
        (salt, count) -> ScramKeys.derive(mechanism, prepared, salt, count),
        RANDOM.nextSecret(24));
  }

  private static boolean logsIn(
      ScramMechanism mechanism,
      String user,
      String password,
      List<ScramCredential> credentials,
      boolean skipsEmptyExchange)
      throws ScramException {
    ScramClientConversation client = client(mechanism, user, password);
    var server =
        new ScramServerConversation(
            mechanism,
            name -> {
              assertThat(name).isEqualTo(user);
              return credentials;
            },
            RANDOM.nextSecret(24),
            skipsEmptyExchange);
    byte[] proof = client.prove(server.answer(client.first()).payload());
    ScramServerConversation.Answer answer;
    try {
      answer = server.answer(proof);
    } catch (ScramException refused) {
      return false;
    }
    client.verify(answer.payload());
    assertThat(answer.isDone()).isEqualTo(skipsEmptyExchange);
    return skipsEmptyExchange || server.answer(new byte[0]).isDone();
  }

  private static String word(SplittableRandom random, String letters) {
    int[] points = letters.codePoints().toArray();
    int[] chosen = new int[1 + random.nextInt(12)];
    Arrays.setAll(chosen, i -> points[random.nextInt(points.length)]);
    return new String(chosen, 0, chosen.length);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] payload) {
    return new String(payload, StandardCharsets.UTF_8);
  }
}
