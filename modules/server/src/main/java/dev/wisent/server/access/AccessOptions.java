package dev.wisent.server.access;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Whether clients have to log in, and how members of a cluster do so.
 *
 * @param authorization whether clients need privileges; a key file requires that too
 * @param keyFile the keys that members have in common
 * @param clusterAuthMode by what members log in
 * @param transition whether clients and members that do not log in may do everything as yet
 */
public record AccessOptions(
    boolean authorization,
    Optional<Path> keyFile,
    ClusterAuthMode clusterAuthMode,
    boolean transition) {
  public static final AccessOptions OPEN =
      new AccessOptions(false, Optional.empty(), ClusterAuthMode.KEY_FILE);

  public AccessOptions(
      boolean authorization, Optional<Path> keyFile, ClusterAuthMode clusterAuthMode) {
    this(authorization, keyFile, clusterAuthMode, false);
  }

  /** By what members of a cluster log in, by the names of {@code --clusterAuthMode}. */
  public enum ClusterAuthMode {
    KEY_FILE("keyFile"),
    SEND_KEY_FILE("sendKeyFile"),
    SEND_X509("sendX509"),
    X509("x509");

    private final String text;

    ClusterAuthMode(String text) {
      this.text = text;
    }

    public static Optional<ClusterAuthMode> of(String text) {
      return Arrays.stream(values()).filter(mode -> mode.text.equals(text)).findFirst();
    }

    /** Whether certificates are accepted for logins of members. */
    public boolean acceptsX509() {
      return this != KEY_FILE;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
