package dev.wisent.server;

/** Which MongoDB the server behaves like, and which Wisent it is. */
public final class ServerVersion {
  /** What clients decide by. */
  public static final String COMPATIBLE_WITH = "8.0.16";

  public static final String FEATURE_COMPATIBILITY = "8.0";
  public static final int WIRE_VERSION_MAX = 25;
  public static final int WIRE_VERSION_MIN = 0;
  public static final String WISENT = "0.1.0";

  /** What stands where MongoDB names the commit it was built from. */
  public static final String GIT = "wisent-" + WISENT;

  private ServerVersion() {}
}
