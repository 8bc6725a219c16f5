package dev.wisent.security.keyfile;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Keys of base64 characters. A file is one key, over any number of lines, or a list of keys in
 * YAML: while keys are being changed there are two.
 */
public final class KeyFile {
  private static final int LENGTH_MIN = 6;
  private static final int LENGTH_MAX = 1024;

  /** As in MongoDB: the old key and the new one. */
  private static final int KEYS_MAX = 2;

  private static final int FILE_BYTES_MAX = 64 * 1024;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private KeyFile() {}

  /** The keys, of which there is at least one; fails if the file is not as it must be. */
  public static List<String> read(Path file) {
    String text;
    try {
      checkPermissions(file);
      if (Files.size(file) > FILE_BYTES_MAX) {
        throw bad("security key in " + file + " is too long");
      }
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new CommandException(ErrorCode.INVALID_PATH, "error opening file: " + file);
    }
    List<String> keys = parse(text);
    if (keys.size() > KEYS_MAX) {
      throw bad(
          "Only two keys are supported in the security key file, "
              + keys.size()
              + " are in "
              + file);
    }
    keys.forEach(key -> check(key, file));
    return List.copyOf(keys);
  }

  private static void checkPermissions(Path file) throws IOException {
    if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
      return;
    }
    if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
      throw new CommandException(
          ErrorCode.INVALID_PATH, "permissions on " + file + " are too open");
    }
  }

  /** Lines that begin with a dash begin a key; without any, all lines are one key. */
  private static List<String> parse(String text) {
    var keys = new ArrayList<StringBuilder>();
    boolean isList = false;
    for (String line : text.split("[\\r\\n]+")) {
      String rest = line.strip();
      if (rest.isEmpty() || rest.startsWith("#") || rest.equals("---")) {
        continue;
      }
      if (rest.startsWith("- ")) {
        if (!isList && !keys.isEmpty()) {
          throw bad("the security key file is neither a key nor a list of keys");
        }
        isList = true;
        rest = unquoted(rest.substring(2).strip());
        keys.add(new StringBuilder());
      } else if (keys.isEmpty()) {
        keys.add(new StringBuilder());
      }
      keys.getLast().append(rest.replaceAll("\\s", ""));
    }
    if (keys.isEmpty()) {
      keys.add(new StringBuilder());
    }
    return keys.stream().map(StringBuilder::toString).toList();
  }

  private static String unquoted(String text) {
    boolean quoted =
        text.length() >= 2
            && (text.charAt(0) == '"' || text.charAt(0) == '\'')
            && text.charAt(0) == text.charAt(text.length() - 1);
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  private static void check(String key, Path file) {
    if (key.length() < LENGTH_MIN || key.length() > LENGTH_MAX) {
      throw bad(
          "security key in "
              + file
              + " has length "
              + key.length()
              + ", must be between "
              + LENGTH_MIN
              + " and "
              + LENGTH_MAX
              + " chars");
    }
    if (!key.chars().allMatch(KeyFile::isBase64)) {
      throw bad("invalid char in key file " + file);
    }
  }

  private static boolean isBase64(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '+'
        || c == '/'
        || c == '=';
  }

  private static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }
}
