package dev.wisent.security.tls;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How connections are encrypted.
 *
 * @param certificate what this server shows to clients
 * @param clusterCertificate what it shows to members; empty for the same as to clients
 * @param caFile those that sign certificates, of members and of clients
 * @param clusterCaFile those that sign certificates of clients, if they are others
 * @param crlFile certificates that were revoked
 * @param connectionsWithoutCertificates whether clients may have none
 * @param invalidCertificates whether certificates that are not valid encrypt all the same; none of
 *     them is a login
 * @param invalidHostnames whether certificates of members may name other hosts
 */
public record TlsOptions(
    Mode mode,
    Optional<CertificateFile> certificate,
    Optional<CertificateFile> clusterCertificate,
    Optional<Path> caFile,
    Optional<Path> clusterCaFile,
    Optional<Path> crlFile,
    boolean connectionsWithoutCertificates,
    boolean invalidCertificates,
    boolean invalidHostnames,
    Set<Protocol> disabledProtocols) {
  public static final TlsOptions OFF = builder(Mode.DISABLED).build();

  /** Which connections are encrypted, by the names of {@code --tlsMode}. */
  public enum Mode {
    DISABLED("disabled"),
    /** Clients may; members do not. */
    ALLOW("allowTLS"),
    /** Clients may; members do. */
    PREFER("preferTLS"),
    /** All. */
    REQUIRE("requireTLS");

    private final String text;

    Mode(String text) {
      this.text = text;
    }

    public static Optional<Mode> of(String text) {
      return Arrays.stream(values()).filter(mode -> mode.text.equals(text)).findFirst();
    }

    /** Whether this server encrypts the connections that it makes. */
    public boolean encryptsOutgoing() {
      return this == PREFER || this == REQUIRE;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** A version of TLS, by the names of {@code --tlsDisabledProtocols}. */
  public enum Protocol {
    TLS1_0("TLSv1", false),
    TLS1_1("TLSv1.1", false),
    TLS1_2("TLSv1.2", true),
    TLS1_3("TLSv1.3", true);

    private final String javaName;
    private final boolean supported;

    Protocol(String javaName, boolean supported) {
      this.javaName = javaName;
      this.supported = supported;
    }

    /** As sessions call it. */
    public String javaName() {
      return javaName;
    }

    public static Optional<Protocol> of(String name) {
      return Arrays.stream(values()).filter(each -> each.name().equals(name)).findFirst();
    }
  }

  /** A PEM file with a certificate, its key and those that lead to its signer. */
  public record CertificateFile(Path path, Optional<String> password) {
    @Override
    public String toString() {
      return path.toString(); // without the password
    }
  }

  public TlsOptions {
    Set<Protocol> off = Set.copyOf(disabledProtocols);
    disabledProtocols = off;
    if (Arrays.stream(Protocol.values()).noneMatch(each -> each.supported && !off.contains(each))) {
      throw new IllegalArgumentException("all versions of TLS that there are were disabled");
    }
  }

  /** The versions that are spoken, as the JDK calls them. */
  public List<String> protocols() {
    return Arrays.stream(Protocol.values())
        .filter(each -> each.supported && !disabledProtocols.contains(each))
        .map(Protocol::javaName)
        .toList();
  }

  public boolean isOn() {
    return mode != Mode.DISABLED;
  }

  /** Whether clients that do not encrypt are refused. */
  public boolean isRequired() {
    return mode == Mode.REQUIRE;
  }

  public static Builder builder(Mode mode) {
    return new Builder(mode);
  }

  /** Starts from MongoDB's defaults. */
  public static final class Builder {
    private final Mode mode;
    private CertificateFile certificate;
    private CertificateFile clusterCertificate;
    private Path caFile;
    private Path clusterCaFile;
    private Path crlFile;
    private boolean connectionsWithoutCertificates;
    private boolean invalidCertificates;
    private boolean invalidHostnames;
    private Set<Protocol> disabledProtocols = EnumSet.noneOf(Protocol.class);

    private Builder(Mode mode) {
      this.mode = mode;
    }

    public Builder certificate(Path file, String passwordOrNull) {
      certificate = new CertificateFile(file, Optional.ofNullable(passwordOrNull));
      return this;
    }

    public Builder clusterCertificate(Path file, String passwordOrNull) {
      clusterCertificate = new CertificateFile(file, Optional.ofNullable(passwordOrNull));
      return this;
    }

    public Builder caFile(Path value) {
      caFile = value;
      return this;
    }

    public Builder clusterCaFile(Path value) {
      clusterCaFile = value;
      return this;
    }

    public Builder crlFile(Path value) {
      crlFile = value;
      return this;
    }

    public Builder connectionsWithoutCertificates(boolean value) {
      connectionsWithoutCertificates = value;
      return this;
    }

    public Builder invalidCertificates(boolean value) {
      invalidCertificates = value;
      return this;
    }

    public Builder invalidHostnames(boolean value) {
      invalidHostnames = value;
      return this;
    }

    public Builder disabledProtocols(Set<Protocol> value) {
      disabledProtocols = value;
      return this;
    }

    public TlsOptions build() {
      return new TlsOptions(
          mode,
          Optional.ofNullable(certificate),
          Optional.ofNullable(clusterCertificate),
          Optional.ofNullable(caFile),
          Optional.ofNullable(clusterCaFile),
          Optional.ofNullable(crlFile),
          connectionsWithoutCertificates,
          invalidCertificates,
          invalidHostnames,
          disabledProtocols);
    }
  }
}
