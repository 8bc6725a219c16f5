package dev.wisent.tools.connection;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.WriteConcern;
import dev.wisent.security.tls.ClientTls;
import dev.wisent.security.tls.TlsException;
import dev.wisent.security.tls.TlsOptions.CertificateFile;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.io.Reader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Makes the driver's settings of flags. */
public final class ConnectionSettings {
  private static final String PORT_DEFAULT = "27017";
  private static final int SELECTION_SECONDS = 15;
  private static final Set<String> CONFIG_KEYS =
      Set.of("password", "uri", "source", "sslPEMKeyPassword");

  /** Options of URIs that the Java driver does not know, and that mean files. */
  private static final Set<String> TLS_FILES =
      Set.of(
          "tlscafile",
          "sslcertificateauthorityfile",
          "tlscertificatekeyfile",
          "tlscertificatekeyfilepassword",
          "tlscrlfile",
          "tlsallowinvalidcertificates");

  private final Flags flags;
  private final Surroundings surroundings;

  private ConnectionSettings(Flags flags, Surroundings surroundings) {
    this.flags = flags;
    this.surroundings = surroundings;
  }

  /** Adds the values of the file that {@code --config} names. */
  public static Flags withConfigFile(Flags flags) throws ToolException {
    Optional<String> file = flags.text("config");
    if (file.isEmpty()) {
      return flags;
    }
    Map<String, String> values = new HashMap<>();
    try (Reader reader = Files.newBufferedReader(Path.of(file.get()))) {
      Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
      if (!(content instanceof Map<?, ?> map)) {
        throw ToolException.badOption(file.get() + " has no key: value lines");
      }
      for (Map.Entry<?, ?> each : map.entrySet()) {
        if (!CONFIG_KEYS.contains(String.valueOf(each.getKey()))) {
          throw ToolException.badOption(
              file.get() + ": unknown key '" + each.getKey() + "'; there are " + CONFIG_KEYS);
        }
        values.put(each.getKey().toString(), String.valueOf(each.getValue()));
      }
    } catch (IOException | YAMLException e) {
      throw ToolException.badOption("cannot read " + file.get() + ": " + e.getMessage());
    }
    return flags.orElse(values);
  }

  /**
   * The settings of a driver.
   *
   * @param uri a connection string that is not in a flag, or null
   */
  public static MongoClientSettings of(Flags flags, String uri, Surroundings surroundings)
      throws ToolException {
    return new ConnectionSettings(flags, surroundings)
        .settings(uri == null ? flags.text("uri").orElse(null) : uri);
  }

  private MongoClientSettings settings(String uri) throws ToolException {
    if (uri != null && (flags.has("host") || flags.has("port"))) {
      throw ToolException.badOption("--host and --port are in the URI already");
    }
    String given = uri == null ? uriOfHost() : uri;
    Map<String, String> tlsOfUri = new HashMap<>();
    ConnectionString string;
    try {
      string = new ConnectionString(withoutTlsFiles(given, tlsOfUri));
    } catch (IllegalArgumentException e) {
      throw ToolException.badOption("--uri: " + e.getMessage());
    }
    MongoClientSettings.Builder builder =
        MongoClientSettings.builder()
            .applyConnectionString(string)
            .applicationName("wisent " + flags.tool());
    if (string.getWriteConcern() == null) {
      builder.writeConcern(WriteConcern.MAJORITY);
    }
    if (string.getServerSelectionTimeout() == null) {
      builder.applyToClusterSettings(
          cluster -> cluster.serverSelectionTimeout(SELECTION_SECONDS, TimeUnit.SECONDS));
    }
    login(builder, string);
    tls(builder, string, tlsOfUri);
    return builder.build();
  }

  private String uriOfHost() throws ToolException {
    String host = flags.text("host").orElse("localhost");
    int slash = host.indexOf('/');
    String set = slash < 0 ? "" : host.substring(0, slash);
    String port = flags.text("port").orElse("");
    if (!port.matches("\\d{0,5}")) {
      throw ToolException.badOption("--port is a number, not '" + port + "'");
    }
    var hosts = new StringBuilder();
    String[] each = host.substring(slash + 1).split(",");
    for (String one : each) {
      boolean hasPort = one.matches(".*:\\d+") || one.contains("%2F");
      if (hasPort && !port.isEmpty() && !one.endsWith(":" + port)) {
        throw ToolException.badOption("--host has a port already, which --port contradicts");
      }
      hosts.append(hosts.isEmpty() ? "" : ",").append(one);
      hosts.append(hasPort ? "" : ":" + (port.isEmpty() ? PORT_DEFAULT : port));
    }
    return "mongodb://"
        + hosts
        + (set.isEmpty()
            ? each.length == 1 ? "/?directConnection=true" : "/"
            : "/?replicaSet=" + set);
  }

  /** The connection string without what the driver would only warn of. */
  private static String withoutTlsFiles(String uri, Map<String, String> found) {
    int question = uri.indexOf('?');
    if (question < 0) {
      return uri;
    }
    var rest = new StringBuilder();
    for (String option : uri.substring(question + 1).split("[&;]")) {
      int equals = option.indexOf('=');
      String name = (equals < 0 ? option : option.substring(0, equals)).toLowerCase(Locale.ROOT);
      if (TLS_FILES.contains(name) && equals > 0) {
        found.put(name, URLDecoder.decode(option.substring(equals + 1), StandardCharsets.UTF_8));
      } else {
        rest.append(rest.isEmpty() ? "" : "&").append(option);
      }
    }
    return uri.substring(0, question) + (rest.isEmpty() ? "" : "?" + rest);
  }

  private void login(MongoClientSettings.Builder builder, ConnectionString string)
      throws ToolException {
    String mechanism = flags.text("authenticationMechanism").orElse("");
    Optional<String> user =
        flags.text("username").or(() -> Optional.ofNullable(string.getUsername()));
    boolean byCertificate = mechanism.equals("MONGODB-X509");
    if (user.isEmpty() && !byCertificate) {
      if (flags.has("password") && !flags.has("config")) {
        throw ToolException.badOption("--password needs --username");
      }
      return;
    }
    if (string.getCredential() != null && !flags.has("username") && mechanism.isEmpty()) {
      return; // all of it is in the URI
    }
    String source =
        flags
            .text("authenticationDatabase")
            .or(
                () ->
                    string.getCredential() == null
                        ? flags.text("db")
                        : Optional.of(string.getCredential().getSource()))
            .orElse("admin");
    builder.credential(
        switch (mechanism) {
          case "" -> MongoCredential.createCredential(user.get(), source, password(string));
          case "SCRAM-SHA-1" ->
              MongoCredential.createScramSha1Credential(user.get(), source, password(string));
          case "SCRAM-SHA-256" ->
              MongoCredential.createScramSha256Credential(user.get(), source, password(string));
          case "PLAIN" ->
              MongoCredential.createPlainCredential(user.get(), "$external", password(string));
          case "MONGODB-X509" ->
              user.map(MongoCredential::createMongoX509Credential)
                  .orElseGet(MongoCredential::createMongoX509Credential);
          default ->
              throw ToolException.badOption(
                  "--authenticationMechanism " + mechanism + " is not supported; see --help");
        });
  }

  private char[] password(ConnectionString string) throws ToolException {
    Optional<String> given = flags.text("password");
    if (given.isPresent()) {
      return given.get().toCharArray();
    }
    if (string.getPassword() != null) {
      return string.getPassword();
    }
    char[] typed = surroundings.password() == null ? null : surroundings.password().get();
    if (typed == null) {
      throw ToolException.badOption("--username needs --password where there is no terminal");
    }
    return typed;
  }

  private void tls(
      MongoClientSettings.Builder builder, ConnectionString string, Map<String, String> ofUri)
      throws ToolException {
    boolean on =
        flags.on("ssl", "tls") || Boolean.TRUE.equals(string.getSslEnabled()) || !ofUri.isEmpty();
    Optional<String> key =
        flags
            .text("sslPEMKeyFile", "tlsCertificateKeyFile")
            .or(() -> Optional.ofNullable(ofUri.get("tlscertificatekeyfile")));
    Optional<String> ca =
        flags
            .text("sslCAFile", "tlsCAFile")
            .or(() -> Optional.ofNullable(ofUri.get("tlscafile")))
            .or(() -> Optional.ofNullable(ofUri.get("sslcertificateauthorityfile")));
    Optional<String> crl =
        flags
            .text("sslCRLFile", "tlsCRLFile")
            .or(() -> Optional.ofNullable(ofUri.get("tlscrlfile")));
    if (!on) {
      if (key.isPresent() || ca.isPresent() || crl.isPresent()) {
        throw ToolException.badOption("certificates are given without --ssl or tls=true");
      }
      return;
    }
    Optional<String> keyPassword =
        flags
            .text("sslPEMKeyPassword", "tlsCertificateKeyFilePassword")
            .or(() -> Optional.ofNullable(ofUri.get("tlscertificatekeyfilepassword")));
    boolean insecure =
        flags.on("tlsInsecure") || Boolean.TRUE.equals(string.getSslInvalidHostnameAllowed());
    boolean invalid =
        flags.on("sslAllowInvalidCertificates", "tlsAllowInvalidCertificates")
            || flags.on("tlsInsecure")
            || "true".equals(ofUri.get("tlsallowinvalidcertificates"));
    try {
      SSLContext context =
          ClientTls.context(
              key.map(file -> new CertificateFile(Path.of(file), keyPassword)),
              ca.map(Path::of),
              crl.map(Path::of),
              invalid);
      builder.applyToSslSettings(
          ssl ->
              ssl.enabled(true)
                  .context(context)
                  .invalidHostNameAllowed(
                      insecure
                          || invalid
                          || flags.on("sslAllowInvalidHostnames", "tlsAllowInvalidHostnames")));
    } catch (TlsException e) {
      throw ToolException.badOption(e.getMessage());
    }
  }
}
