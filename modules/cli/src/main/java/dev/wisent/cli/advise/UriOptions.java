package dev.wisent.cli.advise;

import dev.wisent.security.tls.ClientTls;
import dev.wisent.security.tls.TlsOptions.CertificateFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The options of a connection string. Their names may be written in any case. */
final class UriOptions {
  private static final String INSECURE = "tlsInsecure";
  private static final String INVALID_CERTIFICATES = "tlsAllowInvalidCertificates";
  private static final String INVALID_HOSTNAMES = "tlsAllowInvalidHostnames";
  private static final String CERTIFICATE = "tlsCertificateKeyFile";
  private static final String PASSWORD = "tlsCertificateKeyFilePassword";

  private static final List<String> OF_TLS =
      List.of(
          "tlsCAFile", CERTIFICATE, PASSWORD, INVALID_CERTIFICATES, INVALID_HOSTNAMES, INSECURE);

  private static final List<String> OTHERS = List.of("tls", "ssl", "authMechanism", "authSource");

  /** They make no difference to a program that reads from the primary for a moment. */
  private static final List<String> WITHOUT_EFFECT =
      List.of(
          "appName",
          "connectTimeoutMS",
          "directConnection",
          "heartbeatFrequencyMS",
          "journal",
          "maxIdleTimeMS",
          "maxPoolSize",
          "minPoolSize",
          "replicaSet",
          "retryReads",
          "retryWrites",
          "serverSelectionTimeoutMS",
          "socketTimeoutMS",
          "w",
          "wTimeoutMS");

  private final Map<String, String> values;

  private UriOptions(Map<String, String> values) {
    this.values = values;
  }

  static UriOptions parse(String text) throws AdviseException {
    Map<String, String> values = new HashMap<>();
    for (String pair : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      if (!isKnown(name)) {
        throw ConnectionUri.bad("the option '" + name + "' is not supported");
      }
      if (equals < 0 || equals + 1 == pair.length()) {
        throw ConnectionUri.bad("the option '" + name + "' needs a value");
      }
      String value = ConnectionUri.decoded(pair.substring(equals + 1));
      String before = values.put(name.toLowerCase(Locale.ROOT), value);
      if (before != null && !before.equals(value)) {
        throw ConnectionUri.bad("the option '" + name + "' has two values");
      }
    }
    return new UriOptions(values);
  }

  private static boolean isKnown(String name) {
    return OF_TLS.stream().anyMatch(name::equalsIgnoreCase)
        || OTHERS.stream().anyMatch(name::equalsIgnoreCase)
        || WITHOUT_EFFECT.stream().anyMatch(name::equalsIgnoreCase);
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name.toLowerCase(Locale.ROOT)));
  }

  private boolean on(String name) throws AdviseException {
    Optional<String> value = text(name);
    if (value.isPresent() && !value.get().equals("true") && !value.get().equals("false")) {
      throw ConnectionUri.bad(name + " is true or false, not '" + value.get() + "'");
    }
    return value.filter("true"::equals).isPresent();
  }

  /** How connections are encrypted; empty if they are not. */
  Optional<ClientTls.Options> tls() throws AdviseException {
    if (text("tls").isPresent() && text("ssl").isPresent() && on("tls") != on("ssl")) {
      throw ConnectionUri.bad("tls and ssl are two names of one option");
    }
    if (!on("tls") && !on("ssl")) {
      for (String name : OF_TLS) {
        if (text(name).isPresent()) {
          throw ConnectionUri.bad(name + " needs tls=true");
        }
      }
      return Optional.empty();
    }
    boolean insecure = on(INSECURE);
    if (text(INSECURE).isPresent()
        && (text(INVALID_CERTIFICATES).isPresent() || text(INVALID_HOSTNAMES).isPresent())) {
      throw ConnectionUri.bad(
          INSECURE + " excludes " + INVALID_CERTIFICATES + " and " + INVALID_HOSTNAMES);
    }
    if (text(PASSWORD).isPresent() && text(CERTIFICATE).isEmpty()) {
      throw ConnectionUri.bad(PASSWORD + " needs " + CERTIFICATE);
    }
    return Optional.of(
        new ClientTls.Options(
            text(CERTIFICATE).map(file -> new CertificateFile(Path.of(file), text(PASSWORD))),
            text("tlsCAFile").map(Path::of),
            insecure || on(INVALID_CERTIFICATES),
            insecure || on(INVALID_HOSTNAMES)));
  }
}
