package dev.wisent.conformance.access;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.conformance.access.AccessFiles.Shown;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import dev.wisent.testkit.TestServer;
import dev.wisent.testkit.network.MemberHost;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import dev.wisent.testkit.replica.ShardedProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.Document;

/**
 * Server processes that want TLS and logins, with users.
 *
 * @param servers closed with this
 * @param files their certificates
 * @param logs of the processes that clients talk to
 */
record ClosedDeployment(TestServer servers, AccessFiles files, List<Path> logs)
    implements AutoCloseable {
  private static final String ROOT = "root";
  private static final String ROOT_PASSWORD = "secret";
  private static final String HANDSHAKE_FAILED = "the handshake of TLS has failed";
  private static final String WITHOUT_CERTIFICATES = "--tlsAllowConnectionsWithoutCertificates";

  // JVMs that live for seconds on few processors.
  private static final String[] SHORT_LIVED = {
    "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"
  };

  /** A single server, which lets in clients without a certificate. */
  static ClosedDeployment node(Path directory) {
    return node(directory, "--auth", WITHOUT_CERTIFICATES);
  }

  /** A single server that every client has to show a certificate. */
  static ClosedDeployment strictNode(Path directory) {
    return node(directory, "--auth");
  }

  private static ClosedDeployment node(Path directory, String... flags) {
    var files = new AccessFiles(directory.resolve("files"));
    ProcessOptions options =
        encrypted(files, Shown.MEMBER, flags)
            .apply(ProcessOptions.in(directory).withJvmFlags(SHORT_LIVED));
    var node = ServerProcess.start(options);
    return new ClosedDeployment(node, files, List.of(options.logFile())).withUsers();
  }

  /** A set of three whose members have a key. */
  static ClosedDeployment set(Path directory) {
    return set(directory, new AccessFiles(directory.resolve("files")));
  }

  /** A set of three whose members have the key of these files. */
  static ClosedDeployment set(Path directory, AccessFiles files) {
    return set(
            directory,
            files,
            encrypted(
                files, Shown.MEMBER, "--keyFile", files.key().toString(), WITHOUT_CERTIFICATES))
        .withUsers();
  }

  /** A set of three whose members log in by their certificates. */
  static ClosedDeployment setByCertificates(Path directory) {
    var files = new AccessFiles(directory.resolve("files"));
    return set(directory, files, byCertificates(files)).withUsers();
  }

  private static ClosedDeployment set(
      Path directory, AccessFiles files, UnaryOperator<ProcessOptions> process) {
    // On other addresses than those of this machine no first user could be made.
    UnaryOperator<ProcessOptions> local =
        options -> process.apply(options.on(MemberHost.LOOPBACK)).withJvmFlags(SHORT_LIVED);
    var set = ReplicaSetProcesses.start(directory, SetOptions.of(3).withProcess(local));
    return new ClosedDeployment(
        set, files, set.members().stream().map(member -> member.options().logFile()).toList());
  }

  /** A config server, a shard and a router that have a key. */
  static ClosedDeployment cluster(Path directory) {
    var files = new AccessFiles(directory.resolve("files"));
    return cluster(
        directory,
        files,
        encrypted(files, Shown.MEMBER, "--keyFile", files.key().toString(), WITHOUT_CERTIFICATES));
  }

  /** A config server, a shard and a router that log in by their certificates. */
  static ClosedDeployment clusterByCertificates(Path directory) {
    var files = new AccessFiles(directory.resolve("files"));
    return cluster(directory, files, byCertificates(files));
  }

  private static ClosedDeployment cluster(
      Path directory, AccessFiles files, UnaryOperator<ProcessOptions> process) {
    var cluster = ShardedProcesses.startSmall(directory, process);
    Path log = cluster.routers().getFirst().options().logFile();
    return new ClosedDeployment(cluster, files, List.of(log)).withUsers();
  }

  private static UnaryOperator<ProcessOptions> byCertificates(AccessFiles files) {
    return encrypted(files, Shown.MEMBER, "--clusterAuthMode", "x509");
  }

  /** Processes with a certificate, and the testkit's connections to them. */
  static UnaryOperator<ProcessOptions> encrypted(
      AccessFiles files, Shown certificate, String... flags) {
    return options ->
        options
            .withArguments(files.tlsFlags(certificate))
            .withArguments(flags)
            .withClients(settings -> files.tls(settings, Shown.STRANGER));
  }

  /** Host names with ports. */
  String hosts() {
    return String.join(",", new ConnectionString(servers.uri()).getHosts());
  }

  /** What connection strings need besides. */
  List<String> options() {
    String set = new ConnectionString(servers.uri()).getRequiredReplicaSetName();
    return set == null ? List.of() : List.of("replicaSet=" + set);
  }

  /** How many handshakes of clients have failed until now. */
  long failedHandshakes() {
    long count = 0;
    for (Path log : logs) {
      try (var lines = Files.lines(log)) {
        count += lines.filter(line -> line.contains(HANDSHAKE_FAILED)).count();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return count;
  }

  private ClosedDeployment withUsers() {
    try {
      try (MongoClient local = client(null, Shown.STRANGER)) {
        createUser(local.getDatabase("admin"), ROOT, ROOT_PASSWORD, "'root'", "");
      }
      try (MongoClient root = root()) {
        MongoDatabase shop = root.getDatabase("shop");
        String role = "'readWrite'";
        createUser(shop, "app", LoginCases.PASSWORD, role, "");
        createUser(shop, "modern", LoginCases.PASSWORD, role, ", mechanisms: ['SCRAM-SHA-256']");
        createUser(shop, "old", LoginCases.PASSWORD, role, ", mechanisms: ['SCRAM-SHA-1']");
        createUser(
            root.getDatabase("$external"),
            Shown.APP.subject(),
            null,
            "{role: 'readWrite', db: 'shop'}",
            "");
        shop.getCollection("orders").insertOne(new Document("_id", 1));
        root.getDatabase("other").getCollection("hidden").insertOne(new Document("_id", 1));
      }
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
    return this;
  }

  private static void createUser(
      MongoDatabase database, String name, String password, String role, String more) {
    Document command = Document.parse("{createUser: '', roles: [" + role + "]" + more + "}");
    command.put("createUser", name);
    if (password != null) {
      command.put("pwd", password);
    }
    database.runCommand(command);
  }

  /** A client of the administrator. */
  MongoClient root() {
    return client(
        MongoCredential.createCredential(ROOT, "admin", ROOT_PASSWORD.toCharArray()),
        Shown.STRANGER);
  }

  /**
   * A client with a certificate.
   *
   * @param credential null for no login
   */
  MongoClient client(MongoCredential credential, Shown shown) {
    MongoClientSettings.Builder settings =
        files.tls(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(servers.uri())),
            shown);
    if (credential != null) {
      settings.credential(credential);
    }
    return MongoClients.create(settings.build());
  }

  @Override
  public void close() {
    servers.close();
  }
}
