package dev.wisent.tools.backup;

import java.util.regex.Pattern;

/**
 * The names that are in backups. They come from servers and manifests and become paths, so only
 * their exact forms are accepted.
 */
final class BackupNames {
  /** What the name of a table file ends in, in the store and in the backup directory. */
  static final String TABLE = ".sst";

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern IDENTITY = Pattern.compile("[0-9a-f]{40}");
  private static final Pattern STEP = Pattern.compile("[A-Za-z0-9._-]+");

  private BackupNames() {}

  /** Whether a file has its place below a data directory, with {@code /} between directories. */
  static boolean isInside(String name) {
    for (String step : name.split("/", -1)) {
      if (!STEP.matcher(step).matches() || step.equals(".") || step.equals("..")) {
        return false;
      }
    }
    return true;
  }

  static boolean isSha256(String text) {
    return SHA256.matcher(text).matches();
  }

  /** Whether a server gives such an identity to a table file. */
  static boolean isIdentity(String text) {
    return IDENTITY.matcher(text).matches();
  }

  /** The name in the backup directory of a table file. */
  static String stored(String identity) {
    return identity + TABLE;
  }

  /** Whether the backup directory has files of such names. */
  static boolean isStored(String name) {
    return name.endsWith(TABLE)
        ? isIdentity(name.substring(0, name.length() - TABLE.length()))
        : isSha256(name);
  }
}
