package dev.wisent.bench.target;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * PostgreSQL's programs on this machine, and the user to run them as.
 *
 * @param user set when we are root, as whom PostgreSQL refuses to run
 */
record PostgresInstallation(Path binDirectory, Optional<String> user) {
  private static final List<String> UNPRIVILEGED_USERS = List.of("postgres", "nobody");
  private static final int INITDB_TIMEOUT_SECONDS = 60;

  /** Looks in the given directory only, or else in the usual places. */
  static PostgresInstallation find(Optional<Path> given)
      throws IOException, TargetUnavailableException {
    List<Path> places = given.map(List::of).orElse(usualPlaces());
    for (Path place : places) {
      if (Files.isExecutable(place.resolve("postgres"))
          && Files.isExecutable(place.resolve("initdb"))) {
        return new PostgresInstallation(place, unprivilegedUser());
      }
    }
    throw new TargetUnavailableException("postgres and initdb are not installed");
  }

  private static List<Path> usualPlaces() throws IOException {
    List<Path> places = new ArrayList<>();
    places.add(Path.of("/usr/local/bin"));
    for (String entry : System.getenv().getOrDefault("PATH", "").split(":")) {
      if (!entry.isEmpty()) {
        places.add(Path.of(entry));
      }
    }
    Path debian = Path.of("/usr/lib/postgresql");
    if (Files.isDirectory(debian)) {
      try (DirectoryStream<Path> versions = Files.newDirectoryStream(debian, "[0-9]*")) {
        List<Path> found = new ArrayList<>();
        versions.forEach(version -> found.add(version.resolve("bin")));
        // The longer number is the newer version: 9 before 15.
        found.sort(
            Comparator.comparing((Path path) -> path.getParent().getFileName().toString().length())
                .thenComparing(Comparator.naturalOrder())
                .reversed());
        places.addAll(found);
      }
    }
    return places;
  }

  private static Optional<String> unprivilegedUser() throws IOException {
    if (!"root".equals(System.getProperty("user.name"))) {
      return Optional.empty();
    }
    for (String user : UNPRIVILEGED_USERS) {
      try {
        principal(user);
        return Optional.of(user);
      } catch (UserPrincipalNotFoundException next) {
        // Try the next name.
      }
    }
    throw new IOException(
        "PostgreSQL refuses to run as root, and none of the users exists: " + UNPRIVILEGED_USERS);
  }

  private static UserPrincipal principal(String user) throws IOException {
    return Path.of("/").getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
  }

  /** The name of the database's superuser. */
  String databaseUser() {
    return user.orElse(System.getProperty("user.name"));
  }

  /** Makes an empty database cluster. */
  void initialise(Path dataDirectory) throws IOException, InterruptedException {
    if (user.isPresent()) {
      Files.setOwner(dataDirectory, principal(user.get()));
    }
    List<String> command =
        command(
            "initdb",
            List.of(
                "--pgdata=" + dataDirectory,
                "--username=" + databaseUser(),
                "--auth=trust",
                "--encoding=UTF8",
                // Byte order, as the other targets compare strings, and the cheapest.
                "--locale=C"));
    Path log = dataDirectory.resolveSibling("initdb.log");
    Process initdb =
        new ProcessBuilder(command)
            .directory(dataDirectory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!initdb.waitFor(INITDB_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      initdb.destroyForcibly();
      throw new IOException("initdb did not end in " + INITDB_TIMEOUT_SECONDS + " s");
    }
    if (initdb.exitValue() != 0) {
      throw new IOException("initdb failed: " + Files.readString(log).strip());
    }
  }

  /** A command line that runs the program as the right user, in the process we start. */
  List<String> command(String program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (user.isPresent()) {
      // It replaces itself with the program, so that the pid we know is PostgreSQL's.
      command.add("setpriv");
      command.add("--reuid=" + user.get());
      command.add("--regid=" + groupId(user.get()));
      command.add("--clear-groups");
      command.add("--");
    }
    command.add(binDirectory.resolve(program).toString());
    command.addAll(arguments);
    return command;
  }

  private static String groupId(String user) throws IOException {
    for (String line : Files.readAllLines(Path.of("/etc/passwd"))) {
      String[] fields = line.split(":");
      if (fields.length > 3 && fields[0].equals(user)) {
        return fields[3];
      }
    }
    throw new IOException("no group found for user " + user);
  }
}
