package dev.wisent.security.scram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScramCredentialTest {
  @ParameterizedTest
  @EnumSource(ScramMechanism.class)
  void isStoredAsMongoDbStoresIt(ScramMechanism mechanism) {
    var credential = ScramCredential.create(mechanism, "u", "p", 5000, RandomSource.system());
    var stored = new BsonBuilder();
    credential.append(stored);
    RawDocument document = stored.toDocument();

    assertThat(ScramCredential.find(document, mechanism)).contains(credential);
    assertThat(document.get(mechanism.toString()).asDocument().toBsonDocument().keySet())
        .containsExactly("iterationCount", "salt", "storedKey", "serverKey");
    assertThat(Base64.getDecoder().decode(credential.salt()))
        .hasSize(mechanism == ScramMechanism.SHA_1 ? 16 : 28);
    assertThat(credential.toString()).doesNotContain(credential.storedKey());
  }

  @Test
  void saltsDiffer() {
    var mechanism = ScramMechanism.SHA_1;
    assertThat(ScramCredential.create(mechanism, "u", "p", 1, RandomSource.system()).salt())
        .isNotEqualTo(ScramCredential.create(mechanism, "u", "p", 1, RandomSource.system()).salt());
  }

  @Test
  void anotherMechanismIsNotFound() {
    assertThat(ScramCredential.find(RawDocument.EMPTY, ScramMechanism.SHA_1)).isEmpty();
    assertThat(ScramCredential.find(RawDocument.parse("{'SCRAM-SHA-1': 1}"), ScramMechanism.SHA_1))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{iterationCount: 'x', salt: 'AAAA', storedKey: %, serverKey: %}",
        "{iterationCount: 0, salt: 'AAAA', storedKey: %, serverKey: %}",
        "{iterationCount: 9999999999, salt: 'AAAA', storedKey: %, serverKey: %}",
        "{iterationCount: 10, salt: '', storedKey: %, serverKey: %}",
        "{iterationCount: 10, salt: '?', storedKey: %, serverKey: %}",
        "{iterationCount: 10, salt: 'AAAA', storedKey: 'AAAA', serverKey: %}",
        "{iterationCount: 10, salt: 'AAAA', storedKey: %, serverKey: 1}",
        "{iterationCount: 10, salt: 'AAAA', storedKey: %}"
      })
  void damagedOnesAreRefused(String json) {
    RawDocument stored = RawDocument.parse(json.replace("%", "'AAAAAAAAAAAAAAAAAAAAAAAAAAA='"));

    assertThatThrownBy(() -> ScramCredential.parse(ScramMechanism.SHA_1, stored))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
