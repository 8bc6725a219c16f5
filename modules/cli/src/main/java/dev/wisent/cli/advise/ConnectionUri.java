package dev.wisent.cli.advise;

import dev.wisent.base.CommandException;
import dev.wisent.base.RandomSource;
import dev.wisent.security.UserName;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.security.tls.ClientTls;
import dev.wisent.security.tls.TlsException;
import dev.wisent.server.authentication.UserLogin;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.InternalAuthentication;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.TransportSecurity;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A connection string: hosts, and how drivers would encrypt and log in.
 *
 * @param login {@link InternalAuthentication#NONE} without a user
 */
record ConnectionUri(
    List<HostAndPort> hosts, Optional<ClientTls.Options> tls, InternalAuthentication login) {
  private static final String SCHEME = "mongodb://";
  private static final String X509 = "MONGODB-X509";

  ConnectionUri {
    hosts = List.copyOf(hosts);
  }

  static ConnectionUri parse(String uri, RandomSource random) throws AdviseException {
    if (!uri.startsWith(SCHEME)) {
      throw bad("must begin with mongodb://");
    }
    String rest = uri.substring(SCHEME.length());
    int question = rest.indexOf('?');
    String before = question < 0 ? rest : rest.substring(0, question);
    UriOptions options = UriOptions.parse(question < 0 ? "" : rest.substring(question + 1));
    int at = before.lastIndexOf('@');
    String place = before.substring(at + 1);
    int slash = place.indexOf('/');
    String database = slash < 0 ? "" : decoded(place.substring(slash + 1));
    Optional<ClientTls.Options> tls = options.tls();
    return new ConnectionUri(
        hosts(slash < 0 ? place : place.substring(0, slash)),
        tls,
        login(at < 0 ? "" : before.substring(0, at), database, options, tls.isPresent(), random));
  }

  private static List<HostAndPort> hosts(String list) throws AdviseException {
    var hosts = new ArrayList<HostAndPort>();
    for (String each : list.split(",", -1)) {
      try {
        hosts.add(HostAndPort.parse(each));
      } catch (CommandException e) {
        throw bad("'" + each + "' is no host");
      }
    }
    return hosts;
  }

  private static InternalAuthentication login(
      String userInfo, String database, UriOptions options, boolean encrypted, RandomSource random)
      throws AdviseException {
    int colon = userInfo.indexOf(':');
    String user = decoded(colon < 0 ? userInfo : userInfo.substring(0, colon));
    Optional<String> mechanism = options.text("authMechanism");
    if (mechanism.filter(X509::equals).isPresent()) {
      if (!encrypted || colon >= 0) {
        throw bad(X509 + " needs tls=true, and no password");
      }
      if (options.text("authSource").filter(name -> !name.equals(UserName.EXTERNAL)).isPresent()) {
        throw bad("the authSource of " + X509 + " is " + UserName.EXTERNAL);
      }
      return UserLogin.byCertificate(user);
    }
    Optional<ScramMechanism> scram = mechanism.flatMap(ScramMechanism::byName);
    if (mechanism.isPresent() && scram.isEmpty()) {
      throw bad("authMechanism=" + mechanism.get() + " is not supported");
    }
    if (userInfo.isEmpty()) {
      if (mechanism.isPresent()) {
        throw bad("authMechanism=" + mechanism.get() + " needs a user");
      }
      return InternalAuthentication.NONE;
    }
    if (user.isEmpty() || colon < 0) {
      throw bad("a login needs a user and a password");
    }
    String source = options.text("authSource").orElse(database.isEmpty() ? "admin" : database);
    return UserLogin.byPassword(
        new UserName(user, source), decoded(userInfo.substring(colon + 1)), scram, random);
  }

  /** Without the percent signs that hide characters of the syntax. */
  static String decoded(String text) throws AdviseException {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw bad("a percent sign is not followed by two hexadecimal digits");
    }
  }

  static AdviseException bad(String problem) {
    return AdviseException.badOption("--uri: " + problem);
  }

  /** How its servers are called. */
  NodeClientOptions clientOptions(String name) throws AdviseException {
    NodeClientOptions options = NodeClientOptions.plain(name).withAuthentication(login);
    if (tls.isEmpty()) {
      return options;
    }
    ClientTls client;
    try {
      client = ClientTls.load(tls.get());
    } catch (TlsException e) {
      throw bad(e.getMessage());
    }
    TransportSecurity security =
        (connected, host) -> client.secure(connected, host.plainHost(), host.port());
    return options.withSecurity(security);
  }
}
