package dev.wisent.conformance.access;

import dev.wisent.conformance.access.AccessFiles.Shown;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/**
 * A client that connects, logs in and does something.
 *
 * @param name what fails if it fails
 * @param user null for none
 * @param password null for none
 * @param options further ones of the connection string, such as {@code authSource=shop}
 * @param isEncrypted whether it speaks TLS
 * @param shown its certificate
 * @param database of the commands
 * @param commands run in this order
 * @param expected what has to come of it
 */
record LoginCase(
    String name,
    String user,
    String password,
    List<String> options,
    boolean isEncrypted,
    Shown shown,
    String database,
    List<Document> commands,
    Expected expected) {
  private static final Document WHO = new Document("connectionStatus", 1);

  /** What has to come of an attempt. */
  sealed interface Expected {
    /** The commands succeed, and the connection is that of a user. */
    record LoggedIn(String user, String database) implements Expected {}

    /**
     * The server answers with an error.
     *
     * @param text what the message has before it repeats the command
     */
    record Refused(int code, String text) implements Expected {}

    /** There is no connection on which the server would answer. */
    record NoConnection() implements Expected {}

    /** The last reply has exactly these names of databases. */
    record Databases(List<String> names) implements Expected {}
  }

  LoginCase {
    options = List.copyOf(options);
    commands = List.copyOf(commands);
  }

  /** Without a login and without commands. */
  static LoginCase of(String name) {
    return new LoginCase(
        name, null, null, List.of(), true, Shown.NOTHING, "admin", List.of(WHO), null);
  }

  LoginCase as(String loginName, String secret, String... more) {
    return new LoginCase(
        name, loginName, secret, List.of(more), isEncrypted, shown, database, commands, expected);
  }

  LoginCase showing(Shown certificate) {
    return new LoginCase(
        name, user, password, options, isEncrypted, certificate, database, commands, expected);
  }

  LoginCase plain() {
    return new LoginCase(name, user, password, options, false, shown, database, commands, expected);
  }

  /** Runs commands of a database. */
  LoginCase running(String of, String... json) {
    List<Document> all = new ArrayList<>();
    for (String each : json) {
      all.add(Document.parse(each));
    }
    return new LoginCase(name, user, password, options, isEncrypted, shown, of, all, expected);
  }

  LoginCase isRefused(int code, String text) {
    return expecting(new Expected.Refused(code, text));
  }

  LoginCase getsNoConnection() {
    return expecting(new Expected.NoConnection());
  }

  LoginCase sees(String... databases) {
    return expecting(new Expected.Databases(List.of(databases)));
  }

  /** Expects that it comes in and may write, and ends with what the server knows of it. */
  LoginCase comesInAs(String loginName, String source) {
    LoginCase writing =
        running(
            "shop",
            "{insert: 'orders', documents: [{client: 1}]}",
            "{find: 'orders', filter: {}, limit: 1}",
            WHO.toJson());
    return writing.expecting(new Expected.LoggedIn(loginName, source));
  }

  private LoginCase expecting(Expected outcome) {
    return new LoginCase(
        name, user, password, options, isEncrypted, shown, database, commands, outcome);
  }

  /**
   * The connection string.
   *
   * @param files null to leave out the files of certificates, which not every driver takes
   */
  String uri(ClosedDeployment at, AccessFiles files) {
    List<String> all = new ArrayList<>(at.options());
    all.addAll(options);
    if (isEncrypted) {
      all.add("tls=true");
      if (files != null) {
        all.add("tlsCAFile=" + encoded(files.ca().toString()));
        files
            .file(shown)
            .ifPresent(file -> all.add("tlsCertificateKeyFile=" + encoded(file.toString())));
      }
    }
    // A refused connection is tried again until then.
    boolean isEnd = expected instanceof Expected.NoConnection;
    all.add("serverSelectionTimeoutMS=" + (isEnd ? 2_000 : 60_000));
    String login =
        user == null ? "" : encoded(user) + (password == null ? "" : ":" + encoded(password)) + "@";
    return "mongodb://" + login + at.hosts() + "/?" + String.join("&", all);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
