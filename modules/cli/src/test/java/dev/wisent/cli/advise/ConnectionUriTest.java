package dev.wisent.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.RandomSource;
import dev.wisent.security.tls.ClientTls;
import dev.wisent.security.tls.TlsOptions.CertificateFile;
import dev.wisent.server.authentication.UserLogin;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.InternalAuthentication;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUriTest {
  private static ConnectionUri parse(String uri) throws AdviseException {
    return ConnectionUri.parse(uri, RandomSource.system());
  }

  @Test
  void namesHosts() throws AdviseException {
    ConnectionUri uri = parse("mongodb://a:1,b/?replicaSet=rs0&appName=x");
    assertThat(uri.hosts()).containsExactly(new HostAndPort("a", 1), new HostAndPort("b", 27017));
    assertThat(uri.tls()).isEmpty();
    assertThat(uri.login()).isSameAs(InternalAuthentication.NONE);
    assertThat(parse("mongodb://a").hosts()).containsExactly(new HostAndPort("a", 27017));
  }

  @Test
  void readsHowToEncrypt() throws AdviseException {
    assertThat(parse("mongodb://a/?TLS=true").tls())
        .contains(new ClientTls.Options(Optional.empty(), Optional.empty(), false, false));
    String all =
        "mongodb://a/?ssl=true&tlsCAFile=ca.pem&tlsCertificateKeyFile=%2Fc.pem"
            + "&tlsCertificateKeyFilePassword=p%26w&tlsAllowInvalidHostnames=true";
    assertThat(parse(all).tls())
        .contains(
            new ClientTls.Options(
                Optional.of(new CertificateFile(Path.of("/c.pem"), Optional.of("p&w"))),
                Optional.of(Path.of("ca.pem")),
                false,
                true));
    assertThat(parse("mongodb://a/?tls=true&tlsInsecure=true").tls())
        .contains(new ClientTls.Options(Optional.empty(), Optional.empty(), true, true));
    assertThat(parse("mongodb://a/?tls=false").tls()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mongodb://u:p%40%2B+@a:1,b",
        "mongodb://u:p@a/shop?authMechanism=SCRAM-SHA-1",
        "mongodb://u:p@a/?authMechanism=SCRAM-SHA-256&authSource=shop",
        "mongodb://a/?authMechanism=MONGODB-X509&tls=true",
        "mongodb://CN%3Da@a/?authMechanism=MONGODB-X509&tls=true&authSource=$external",
      })
  void readsHowToLogIn(String uri) throws AdviseException {
    assertThat(parse(uri).login()).isInstanceOf(UserLogin.class);
    assertThat(parse(uri).hosts()).first().extracting(HostAndPort::host).isEqualTo("a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mongodb+srv://a | must begin with mongodb://",
        "a:1 | must begin with mongodb://",
        "mongodb:// | is no host",
        "mongodb://a:1:2 | is no host",
        "mongodb://a:x | is no host",
        "mongodb://u@a | needs a user and a password",
        "mongodb://u:%zz@a | percent sign",
        "mongodb://a/?tls=perhaps | tls is true or false",
        "mongodb://a/?tls=true&ssl=false | two names",
        "mongodb://a/?tls=true&tls=false | has two values",
        "mongodb://a/?tlsCAFile=f | tlsCAFile needs tls=true",
        "mongodb://a/?tls=true&tlsInsecure=true&tlsAllowInvalidHostnames=true | excludes",
        "mongodb://a/?tls=true&tlsCertificateKeyFilePassword=p | needs tlsCertificateKeyFile",
        "mongodb://a/?authMechanism=MONGODB-X509 | needs tls=true",
        "mongodb://u:p@a/?authMechanism=PLAIN | authMechanism=PLAIN is not supported",
        "mongodb://a/?authMechanism=SCRAM-SHA-1 | needs a user",
        "mongodb://a/?readPreference=secondary | readPreference",
        "mongodb://a/?tls | needs a value",
      })
  void refusesWhatItCannotDo(String uri, String message) {
    assertThatThrownBy(() -> parse(uri))
        .isInstanceOfSatisfying(AdviseException.class, e -> assertThat(e.isOfOptions()).isTrue())
        .hasMessageStartingWith("--uri: ")
        .hasMessageContaining(message);
  }

  @Test
  void namesAFileThatIsNotThere() throws AdviseException {
    ConnectionUri uri = parse("mongodb://a/?tls=true&tlsCAFile=absent.pem");
    assertThatThrownBy(() -> uri.clientOptions("x"))
        .isInstanceOf(AdviseException.class)
        .hasMessageContaining("absent.pem");
  }
}
