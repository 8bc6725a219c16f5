package dev.wisent.tools.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Names of collections as names of files: what is not plain is escaped as in a URL's path. */
public final class DumpFileNames {
  public static final String DATA = ".bson";
  public static final String METADATA = ".metadata.json";
  public static final String GZIP = ".gz";

  /** Of files that are being written: a dump that has one was interrupted. */
  public static final String PART = ".part";

  /** In the directory of a dump from its first file to its last. */
  public static final String INCOMPLETE = "incomplete" + PART;

  public static final String OPLOG = "oplog.bson";

  /** Users and roles of one database, in its directory. */
  public static final String USERS_OF_DATABASE = "$admin.system.users";

  public static final String ROLES_OF_DATABASE = "$admin.system.roles";

  private static final String PLAIN = "-_.~$&+=:@";
  private static final int ESCAPED_MAX = 238;
  private static final int PREFIX = 208;

  private DumpFileNames() {}

  /** A long name is cut, and its hash follows; the metadata has the whole one. */
  public static String escape(String collection) {
    var escaped = new StringBuilder();
    for (byte b : collection.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          c < 0x80
              && ((c >= 'a' && c <= 'z')
                  || (c >= 'A' && c <= 'Z')
                  || (c >= '0' && c <= '9')
                  || PLAIN.indexOf(c) >= 0);
      if (plain) {
        escaped.append(c);
      } else {
        escaped.append('%').append("%02X".formatted((int) c));
      }
    }
    if (escaped.length() <= ESCAPED_MAX) {
      return escaped.toString();
    }
    return escaped.substring(0, PREFIX) + "%24" + hash(collection);
  }

  private static String hash(String text) {
    try {
      byte[] sha1 =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(sha1);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  public static String unescape(String file) {
    var bytes = new ByteArrayOutputStream();
    byte[] text = file.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '%' && i + 2 < text.length && isHex(text[i + 1]) && isHex(text[i + 2])) {
        bytes.write(Character.digit(text[i + 1], 16) << 4 | Character.digit(text[i + 2], 16));
        i += 2;
      } else {
        bytes.write(text[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static boolean isHex(byte b) {
    return Character.digit(b, 16) >= 0;
  }
}
