package dev.wisent.server.user;

import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.security.UserName;
import dev.wisent.security.scram.ScramCredential;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.server.access.LoginSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes what is stored of passwords: for each mechanism a credential, never the password. */
final class UserCredentials {
  private final RandomSource random;
  private final LoginSettings settings;

  UserCredentials(RandomSource random, LoginSettings settings) {
    this.random = random;
    this.settings = settings;
  }

  /** Of a password; all mechanisms of this server if none is named. */
  RawDocument of(UserName user, UserOptions options) {
    String password = options.password().orElseThrow();
    if (password.isEmpty()) {
      throw UserOptions.bad("Password cannot be empty");
    }
    List<ScramMechanism> mechanisms =
        options
            .mechanisms()
            .map(this::known)
            .orElseGet(() -> Arrays.stream(ScramMechanism.values()).filter(this::isOn).toList());
    if (!options.digestPassword() && mechanisms.contains(ScramMechanism.SHA_256)) {
      throw UserOptions.bad("Use of SCRAM-SHA-256 requires undigested passwords");
    }
    var out = new BsonBuilder();
    // In the order in which MongoDB stores them.
    for (ScramMechanism each : List.of(ScramMechanism.SHA_1, ScramMechanism.SHA_256)) {
      if (mechanisms.contains(each)) {
        credential(each, user, password, options.digestPassword()).append(out);
      }
    }
    return out.toDocument();
  }

  private ScramCredential credential(
      ScramMechanism mechanism, UserName user, String password, boolean digest) {
    int count = settings.iterations(mechanism);
    return digest
        ? ScramCredential.create(mechanism, user.user(), password, count, random)
        : ScramCredential.ofPrepared(mechanism, password, count, random);
  }

  private List<ScramMechanism> known(List<String> names) {
    var mechanisms = new ArrayList<ScramMechanism>();
    for (String name : names) {
      ScramMechanism mechanism =
          ScramMechanism.byName(name)
              .orElseThrow(() -> UserOptions.bad("Unknown auth mechanism '" + name + "'"));
      if (!isOn(mechanism)) {
        throw UserOptions.bad(name + " not supported in authMechanisms");
      }
      mechanisms.add(mechanism);
    }
    return mechanisms;
  }

  private boolean isOn(ScramMechanism mechanism) {
    return settings.mechanisms().contains(mechanism.toString());
  }

  /** Those of a user without a password here, who logs in by a certificate. */
  static RawDocument external() {
    return new BsonBuilder().appendBoolean("external", true).toDocument();
  }

  /** What is left of credentials when only some mechanisms may be used. */
  static RawDocument trimmed(RawDocument credentials, List<String> mechanisms) {
    var out = new BsonBuilder();
    for (String name : mechanisms) {
      if (credentials.get(name) == null) {
        throw UserOptions.bad("mechanisms field must be a subset of previously set mechanisms");
      }
    }
    if (mechanisms.stream().noneMatch(name -> ScramMechanism.byName(name).isPresent())) {
      throw UserOptions.bad(
          "mechanisms field must contain at least one previously set known mechanism");
    }
    for (ElementCursor each = credentials.elements(); each.next(); ) {
      if (mechanisms.contains(each.name()) || ScramMechanism.byName(each.name()).isEmpty()) {
        out.appendElement(each);
      }
    }
    return out.toDocument();
  }
}
