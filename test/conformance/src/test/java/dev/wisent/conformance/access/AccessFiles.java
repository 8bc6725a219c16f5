package dev.wisent.conformance.access;

import com.mongodb.MongoClientSettings;
import dev.wisent.security.certificate.ClientContext;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.certificate.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The certificates and the key of one deployment, as files. Immutable but for the key. */
final class AccessFiles {
  /** What a connection shows of itself. */
  enum Shown {
    NOTHING(null),
    APP("CN=app,OU=clients,O=Wisent"),
    /** Valid, but of no user. */
    STRANGER("CN=stranger,OU=clients,O=Wisent"),
    /** Of the user, but too old. */
    EXPIRED("CN=app,OU=clients,O=Wisent"),
    /** Of the user, says another authority. */
    FOREIGN("CN=app,OU=clients,O=Wisent"),
    MEMBER("CN=member,OU=members,O=Wisent"),
    /** Valid, of a member of another cluster. */
    OTHER_MEMBER("CN=member,OU=members,O=Other");

    private final String subject;

    Shown(String subject) {
      this.subject = subject;
    }

    String subject() {
      return subject;
    }
  }

  private final Path directory;
  private final TestAuthority authority = TestAuthority.named("CN=authority,O=Wisent");
  private final Map<Shown, TestCertificate> certificates = new EnumMap<>(Shown.class);

  AccessFiles(Path directory) {
    this.directory = directory;
    TestAuthority foreign = TestAuthority.named("CN=authority,O=Foreign");
    try {
      Files.createDirectories(directory);
      authority.write(ca());
      for (Shown shown : Shown.values()) {
        if (shown == Shown.NOTHING) {
          continue;
        }
        TestCertificate made =
            switch (shown) {
              case EXPIRED -> authority.issue(shown.subject(), Duration.ofDays(-1), "localhost");
              case FOREIGN -> foreign.localhost(shown.subject());
              default -> authority.localhost(shown.subject());
            };
        certificates.put(shown, made);
        made.write(file(shown).orElseThrow());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    writeKey("aKeyOfTheCluster");
  }

  Path ca() {
    return directory.resolve("ca.pem");
  }

  Optional<Path> file(Shown shown) {
    return shown == Shown.NOTHING
        ? Optional.empty()
        : Optional.of(directory.resolve(shown.name().toLowerCase(Locale.ROOT) + ".pem"));
  }

  Path key() {
    return directory.resolve("key");
  }

  /** Replaces the key file; processes that run have read it already. */
  void writeKey(String content) {
    try {
      Files.writeString(key(), content);
      Files.setPosixFilePermissions(key(), PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Flags of a server that encrypts everything. */
  String[] tlsFlags(Shown certificate) {
    return new String[] {
      "--tlsMode", "requireTLS",
      "--tlsCertificateKeyFile", file(certificate).orElseThrow().toString(),
      "--tlsCAFile", ca().toString()
    };
  }

  /** How the Java driver connects with one of the certificates. */
  MongoClientSettings.Builder tls(MongoClientSettings.Builder settings, Shown shown) {
    var context = ClientContext.of(certificates.get(shown), authority);
    return settings.applyToSslSettings(ssl -> ssl.enabled(true).context(context));
  }
}
