package dev.wisent.bench.access;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import java.util.Optional;

/**
 * A connection string and what does not fit into one.
 *
 * @param encryption empty to leave that to the connection string
 * @param login empty to leave that to the connection string
 */
public record MongoAccess(String uri, Optional<Encryption> encryption, Optional<Login> login) {
  public static MongoAccess of(String uri) {
    return new MongoAccess(uri, Optional.empty(), Optional.empty());
  }

  public MongoAccess withoutLogin() {
    return new MongoAccess(uri, encryption, Optional.empty());
  }

  public MongoClientSettings.Builder settings() {
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder().applyConnectionString(new ConnectionString(uri));
    encryption.ifPresent(
        tls -> settings.applyToSslSettings(ssl -> ssl.enabled(true).context(tls.shared())));
    login.ifPresent(user -> settings.credential(user.credential()));
    return settings;
  }
}
