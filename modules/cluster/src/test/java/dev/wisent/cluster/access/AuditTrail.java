package dev.wisent.cluster.access;

import dev.wisent.security.audit.AuditOptions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;

/** The audit logs of servers with a key file: each has one, which is called after its role. */
final class AuditTrail {
  private final Path directory;
  private final Path keyFile;
  private final AtomicInteger servers = new AtomicInteger();

  AuditTrail(Path directory) {
    this.directory = directory;
    this.keyFile = directory.resolve("key");
    try {
      Files.writeString(keyFile, "onekeyforall");
      Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An event, and the role of the server that has it. */
  record Event(String server, BsonDocument document) {
    String users() {
      return document.getArray("users").toString();
    }
  }

  void configure(ServerOptions.Builder options) {
    String role = options.build().clusterRole().name();
    Path file = directory.resolve(role + "-" + servers.getAndIncrement() + ".audit");
    options
        .cacheBytes(32 << 20)
        .audit(AuditOptions.toFile(file, Optional.empty()))
        .access(new AccessOptions(false, Optional.of(keyFile), ClusterAuthMode.KEY_FILE));
  }

  /** Those of all servers that have a text. */
  List<Event> events(String action, String text) {
    var found = new ArrayList<Event>();
    try (var files = Files.newDirectoryStream(directory, "*.audit")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        for (String line : Files.readAllLines(file)) {
          if (line.contains("\"atype\": \"" + action + "\"") && line.contains(text)) {
            found.add(
                new Event(name.substring(0, name.lastIndexOf('-')), BsonDocument.parse(line)));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }
}
