package dev.wisent.server.access;

import dev.wisent.security.scram.ScramMechanism;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The parameters of logins. Thread-safe. */
public final class LoginSettings {
  public static final String X509 = "MONGODB-X509";
  public static final String MECHANISMS_PARAMETER = "authenticationMechanisms";
  public static final String BYPASS_PARAMETER = "enableLocalhostAuthBypass";
  public static final int ITERATIONS_MIN = 5000;

  private static final List<String> SUPPORTED = List.of(X509, "SCRAM-SHA-1", "SCRAM-SHA-256");

  private final List<String> mechanisms;
  private final boolean localhostBypass;
  private volatile int sha1Iterations = 10_000;
  private volatile int sha256Iterations = 15_000;

  private LoginSettings(List<String> mechanisms, boolean localhostBypass) {
    this.mechanisms = mechanisms;
    this.localhostBypass = localhostBypass;
  }

  public static LoginSettings defaults() {
    return of(Map.of());
  }

  /**
   * Fails with {@link IllegalArgumentException} for a mechanism that there is not.
   *
   * @param parameters those of the start
   */
  public static LoginSettings of(Map<String, String> parameters) {
    String bypass = parameters.getOrDefault(BYPASS_PARAMETER, "true");
    String names = parameters.get(MECHANISMS_PARAMETER);
    List<String> mechanisms =
        names == null
            ? SUPPORTED
            : Arrays.stream(names.split(",")).map(String::strip).distinct().sorted().toList();
    for (String name : mechanisms) {
      if (!SUPPORTED.contains(name)) {
        throw new IllegalArgumentException(
            "Bad value for --setParameter: "
                + MECHANISMS_PARAMETER
                + ": "
                + name
                + " is not supported");
      }
    }
    return new LoginSettings(mechanisms, bypass.equals("true") || bypass.equals("1"));
  }

  /** The names of those by which users may log in. */
  public List<String> mechanisms() {
    return mechanisms;
  }

  public boolean localhostBypass() {
    return localhostBypass;
  }

  /** How often new passwords are hashed. */
  public int iterations(ScramMechanism mechanism) {
    return switch (mechanism) {
      case SHA_1 -> sha1Iterations;
      case SHA_256 -> sha256Iterations;
    };
  }

  /** {@code scramIterationCount}, for new credentials of SCRAM-SHA-1. */
  public int sha1Iterations() {
    return sha1Iterations;
  }

  public void sha1Iterations(int count) {
    sha1Iterations = count;
  }

  /** {@code scramSHA256IterationCount}. */
  public int sha256Iterations() {
    return sha256Iterations;
  }

  public void sha256Iterations(int count) {
    sha256Iterations = count;
  }
}
