package dev.wisent.conformance.access;

import dev.wisent.conformance.access.AccessFiles.Shown;
import java.util.ArrayList;
import java.util.List;

/** What clients try, in an order in which no run of failures makes the server wait. */
final class LoginCases {
  static final String PASSWORD = "p@ss:w/rd é";

  private static final int UNAUTHORIZED = 13;
  private static final int AUTHENTICATION_FAILED = 18;
  private static final String FAILED = "Authentication failed.";
  private static final String X509 = "authMechanism=MONGODB-X509";
  private static final String EXTERNAL = "authSource=$external";
  private static final String SHOP = "authSource=shop";
  private static final String SHA_1 = "authMechanism=SCRAM-SHA-1";
  private static final String SHA_256 = "authMechanism=SCRAM-SHA-256";
  private static final String HIDDEN = "{find: 'hidden', filter: {}}";
  private static final String MISSING = "{find: 'missing', filter: {}}";
  private static final String DENIED = "not authorized on other to execute command";
  private static final String NO_LOGIN = "Command find requires authentication";

  private LoginCases() {}

  /** The ways in, and the mistakes that are made most. */
  static List<LoginCase> few() {
    return List.of(
        named("SCRAM-SHA-256").as("app", PASSWORD, SHOP, SHA_256).comesInAs("app", "shop"),
        named("wrong password")
            .as("app", "wrong", SHOP, SHA_256)
            .isRefused(AUTHENTICATION_FAILED, FAILED),
        named("SCRAM-SHA-1, with a certificate")
            .as("app", PASSWORD, SHOP, SHA_1)
            .showing(Shown.APP)
            .comesInAs("app", "shop"),
        named("unknown user")
            .as("unknown", PASSWORD, SHOP, SHA_256)
            .isRefused(AUTHENTICATION_FAILED, FAILED),
        named("MONGODB-X509")
            .as(null, null, X509, EXTERNAL)
            .showing(Shown.APP)
            .comesInAs(Shown.APP.subject(), "$external"),
        named("certificate of no user")
            .as(null, null, X509, EXTERNAL)
            .showing(Shown.STRANGER)
            .isRefused(AUTHENTICATION_FAILED, FAILED),
        named("the default mechanism").as("app", PASSWORD, SHOP).comesInAs("app", "shop"),
        named("missing privilege, collection exists")
            .as("app", PASSWORD, SHOP)
            .running("other", HIDDEN)
            .isRefused(UNAUTHORIZED, DENIED),
        named("missing privilege, no such collection")
            .as("app", PASSWORD, SHOP)
            .running("other", MISSING)
            .isRefused(UNAUTHORIZED, DENIED),
        named("no login, collection exists")
            .running("other", HIDDEN)
            .isRefused(UNAUTHORIZED, NO_LOGIN),
        named("no login, no such collection")
            .running("other", MISSING)
            .isRefused(UNAUTHORIZED, NO_LOGIN),
        named("expired certificate")
            .as(null, null, X509, EXTERNAL)
            .showing(Shown.EXPIRED)
            .getsNoConnection(),
        named("certificate of a foreign authority")
            .as(null, null, X509, EXTERNAL)
            .showing(Shown.FOREIGN)
            .getsNoConnection(),
        named("no encryption").as("app", PASSWORD, SHOP).plain().getsNoConnection());
  }

  /** Those and the rarer ones. */
  static List<LoginCase> all() {
    List<LoginCase> all = new ArrayList<>(few());
    all.addAll(ofUsers());
    all.addAll(ofPrivileges());
    return all;
  }

  /** For servers that want a certificate of every client. */
  static List<LoginCase> withCertificates() {
    List<LoginCase> all = new ArrayList<>();
    for (LoginCase each : all()) {
      boolean isOfNone = each.shown() == Shown.NOTHING && each.isEncrypted();
      boolean isLessOfOne = isOfNone && each.options().contains(X509);
      all.add(
          isLessOfOne ? each.getsNoConnection() : isOfNone ? each.showing(Shown.STRANGER) : each);
    }
    all.add(named("no certificate").as("app", PASSWORD, SHOP).getsNoConnection());
    return all;
  }

  private static List<LoginCase> ofUsers() {
    return List.of(
        named("user of SCRAM-SHA-256 alone")
            .as("modern", PASSWORD, SHOP)
            .comesInAs("modern", "shop"),
        named("without the credential of SCRAM-SHA-1")
            .as("modern", PASSWORD, SHOP, SHA_1)
            .isRefused(AUTHENTICATION_FAILED, FAILED),
        named("user of SCRAM-SHA-1 alone").as("old", PASSWORD, SHOP).comesInAs("old", "shop"),
        named("without the credential of SCRAM-SHA-256")
            .as("old", PASSWORD, SHOP, SHA_256)
            .isRefused(AUTHENTICATION_FAILED, FAILED),
        named("SCRAM-SHA-256, with a certificate")
            .as("app", PASSWORD, SHOP, SHA_256)
            .showing(Shown.STRANGER)
            .comesInAs("app", "shop"),
        named("user of another database")
            .as("app", PASSWORD, "authSource=other")
            .isRefused(AUTHENTICATION_FAILED, FAILED),
        named("MONGODB-X509 with a name")
            .as(Shown.APP.subject(), null, X509, EXTERNAL)
            .showing(Shown.APP)
            .comesInAs(Shown.APP.subject(), "$external"),
        named("the name of another certificate")
            .as(Shown.APP.subject(), null, X509, EXTERNAL)
            .showing(Shown.STRANGER)
            .isRefused(AUTHENTICATION_FAILED, FAILED),
        named("SCRAM-SHA-1").as("app", PASSWORD, SHOP, SHA_1).comesInAs("app", "shop"),
        named("MONGODB-X509 without a certificate")
            .as(null, null, X509, EXTERNAL)
            .isRefused(AUTHENTICATION_FAILED, FAILED));
  }

  private static List<LoginCase> ofPrivileges() {
    return List.of(
        named("databases of a user")
            .as("app", PASSWORD, SHOP)
            .running("admin", "{listDatabases: 1, nameOnly: true}")
            .sees("shop"),
        named("users, seen by one that may not")
            .as("app", PASSWORD, SHOP)
            .running("shop", "{usersInfo: 'old'}")
            .isRefused(UNAUTHORIZED, "not authorized on shop to execute command"),
        named("missing users, seen by one that may not")
            .as("app", PASSWORD, SHOP)
            .running("shop", "{usersInfo: 'unknown'}")
            .isRefused(UNAUTHORIZED, "not authorized on shop to execute command"),
        named("a user that makes another one")
            .as(null, null, X509, EXTERNAL)
            .showing(Shown.APP)
            .running("shop", "{createUser: 'evil', pwd: 'x', roles: ['dbOwner']}")
            .isRefused(UNAUTHORIZED, "not authorized on shop to execute command"),
        named("results for a collection of another database")
            .as("app", PASSWORD, SHOP)
            .running(
                "shop",
                "{aggregate: 'orders', cursor: {},"
                    + " pipeline: [{$merge: {into: {db: 'other', coll: 'hidden'}}}]}")
            .isRefused(UNAUTHORIZED, "not authorized on shop to execute command"),
        named("the collection of users")
            .as("app", PASSWORD, SHOP)
            .running("admin", "{find: 'system.users', filter: {}}")
            .isRefused(UNAUTHORIZED, "not authorized on admin to execute command"),
        named("no login, the list of databases")
            .running("admin", "{listDatabases: 1}")
            .isRefused(UNAUTHORIZED, "Command listDatabases requires authentication"));
  }

  private static LoginCase named(String name) {
    return LoginCase.of(name);
  }
}
