package dev.wisent.bench.access;

import com.mongodb.MongoCredential;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * A user that logs in by SCRAM-SHA-256. What is derived from the password is kept, as drivers do: a
 * client pays for it once, not for each connection.
 */
public final class Login {
  private static final int KEY_BITS = 256;

  private final String user;
  private final String database;
  private final char[] password;
  private final Map<String, byte[]> derived = new ConcurrentHashMap<>();

  public Login(String user, String database, char[] password) {
    this.user = user;
    this.database = database;
    this.password = password.clone();
  }

  String user() {
    return user;
  }

  /** The database that the user was created in. */
  public String database() {
    return database;
  }

  MongoCredential credential() {
    return MongoCredential.createScramSha256Credential(user, database, password);
  }

  /** Creates the user, who may do everything. */
  public BsonDocument createCommand() {
    return new BsonDocument("createUser", new BsonString(user))
        .append("pwd", new BsonString(new String(password)))
        .append("roles", BsonDocument.parse("{a: ['root']}").get("a"));
  }

  byte[] saltedPassword(String salt, int iterations) {
    return derived.computeIfAbsent(
        salt + "," + iterations,
        _ -> {
          byte[] bytes = Base64.getDecoder().decode(salt.getBytes(StandardCharsets.US_ASCII));
          var spec = new PBEKeySpec(password, bytes, iterations, KEY_BITS);
          try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(spec)
                .getEncoded();
          } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
