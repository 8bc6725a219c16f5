package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.Wisent;
import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionSettings;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.dump.DumpTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS, logins, users and roles. */
class ClosedServerTest {
  private static final TestAuthority CA = TestAuthority.named("CN=ca");

  @TempDir private static Path directory;

  private static Wisent server;
  private static String[] tls;

  @TempDir private Path dumps;

  @BeforeAll
  static void start() throws Exception {
    Path ca = CA.write(directory.resolve("ca.pem"));
    Path client = CA.localhost("CN=client").write(directory.resolve("client.pem"));
    server =
        Wisent.start(
            ServerOptions.builder(directory.resolve("data"))
                .port(0)
                .access(new AccessOptions(true, Optional.empty(), ClusterAuthMode.KEY_FILE))
                .tls(
                    TlsOptions.builder(TlsOptions.Mode.REQUIRE)
                        .certificate(
                            CA.localhost("CN=server").write(directory.resolve("server.pem")), null)
                        .caFile(ca)
                        .build())
                .build());
    tls =
        new String[] {
          "--host=localhost:" + server.port(),
          "--ssl",
          "--sslCAFile=" + ca,
          "--sslPEMKeyFile=" + client
        };
    // The first user is created under the exception for clients on this machine.
    try (var open =
        Deployment.connect(
            ConnectionSettings.of(DumpTool.flags().parse(List.of(tls)), null, null))) {
      open.admin(BsonDocument.parse("{createUser: 'root', pwd: 'secret', roles: ['root']}"));
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static ToolHarness run(String tool, String... flags) throws ToolException {
    List<String> all = new ArrayList<>(List.of(tool));
    all.addAll(List.of(tls));
    all.addAll(Arrays.asList(flags));
    return new ToolHarness().run(all.toArray(String[]::new));
  }

  private static ToolHarness asRoot(String tool, String... flags) throws ToolException {
    List<String> all = new ArrayList<>(List.of("-u=root", "-psecret"));
    all.addAll(Arrays.asList(flags));
    all.add("--authenticationDatabase=admin");
    return run(tool, all.toArray(String[]::new));
  }

  private static void write(String json, String collection) throws ToolException {
    List<String> all = new ArrayList<>(List.of("import"));
    all.addAll(List.of(tls));
    all.addAll(List.of("-u=root", "-p=secret", "--authenticationDatabase=admin", "-d=shop", "-c"));
    all.add(collection);
    new ToolHarness().input(json).run(all.toArray(String[]::new));
  }

  @Test
  void flagsLogIn() throws ToolException, IOException {
    write("{\"_id\": 1}", "orders");
    assertThat(asRoot("export", "-d=shop", "-c=orders").output()).isEqualTo("{\"_id\": 1}\n");
    Path config = dumps.resolve("config.yaml");
    Files.writeString(config, "password: secret\n");
    assertThat(
            run(
                    "export",
                    "-d=shop",
                    "-c=orders",
                    "-u=root",
                    "--authenticationDatabase=admin",
                    "--config=" + config)
                .output())
        .isEqualTo("{\"_id\": 1}\n");
    assertThatThrownBy(
            () ->
                run(
                    "export",
                    "-d=shop",
                    "-c=orders",
                    "-uroot",
                    "-pwrong",
                    "--authenticationDatabase=admin"))
        .hasMessageContaining("Authentication failed");
    assertThatThrownBy(() -> run("export", "-d=shop", "-c=orders"))
        .hasMessageContaining("requires authentication");
    assertThatThrownBy(() -> run("export", "-d=shop", "-c=orders", "-uroot"))
        .hasMessageContaining("--username needs --password");
    assertThatThrownBy(
            () ->
                new ToolHarness()
                    .run("export", "-d=shop", "-c=orders", tls[0], "--ssl", "--sslCAFile=" + dumps))
        .hasMessageContaining(dumps.toString());
  }

  private static void assertCanRead(String user) throws ToolException {
    assertThat(
            run(
                    "export",
                    "-d=shop",
                    "-c=customers",
                    "-u=" + user,
                    "-p=x",
                    "--authenticationDatabase=shop")
                .output())
        .isEqualTo("{\"_id\": 1}\n");
  }

  @Test
  void usersAndRolesAreRestored() throws ToolException {
    write("{\"_id\": 1}", "customers");
    try (var deployment =
        Deployment.connect(
            ConnectionSettings.of(
                DumpTool.flags()
                    .parse(
                        List.of(
                            tls[0],
                            tls[1],
                            tls[2],
                            tls[3],
                            "-uroot",
                            "-psecret",
                            "--authenticationDatabase=admin")),
                null,
                null))) {
      var shop = deployment.database("shop");
      shop.runCommand(BsonDocument.parse("{createRole: 'clerk', privileges: [], roles: ['read']}"));
      shop.runCommand(BsonDocument.parse("{createUser: 'eve', pwd: 'x', roles: ['clerk']}"));
      asRoot("dump", "--db=shop", "--dumpDbUsersAndRoles", "--out=" + dumps);
      assertThat(dumps.resolve("shop/$admin.system.users.bson")).isNotEmptyFile();
      assertThat(dumps.resolve("shop/$admin.system.roles.bson")).isNotEmptyFile();
      shop.runCommand(BsonDocument.parse("{dropUser: 'eve'}"));
      shop.runCommand(BsonDocument.parse("{dropRole: 'clerk'}"));
      String before =
          asRoot("restore", "--db=shop", "--restoreDbUsersAndRoles", dumps.toString()).messages();
      assertThat(before).contains("users and roles restored");
      assertCanRead("eve");
      // Without --drop a user that exists stays as it is.
      shop.runCommand(BsonDocument.parse("{updateUser: 'eve', pwd: 'changed'}"));
      asRoot("restore", "--db=shop", "--restoreDbUsersAndRoles", dumps.toString());
      assertThatThrownBy(() -> assertCanRead("eve")).hasMessageContaining("Authentication failed");
      asRoot("restore", "--db=shop", "--restoreDbUsersAndRoles", "--drop", dumps.toString());
      assertCanRead("eve");
      Path all = dumps.resolve("all.archive");
      asRoot("dump", "--gzip", "--archive=" + all);
      shop.runCommand(BsonDocument.parse("{dropAllUsersFromDatabase: 1}"));
      asRoot("restore", "--gzip", "--archive=" + all);
      assertCanRead("eve");
      assertThat(deployment.database("admin").listCollectionNames().into(new HashSet<>()))
          .doesNotContainAnyElementsOf(Set.of("tempusers", "temproles"));
    }
  }

  @Test
  void itIsMovedByItsConnectionStringAlone() throws ToolException, IOException {
    write("{\"_id\": 1}", "moved");
    Path config = dumps.resolve("migrate.yaml");
    Files.writeString(
        config,
        "source: mongodb://root:secret@localhost:%d/?authSource=admin&tls=true&tlsCAFile=%s&tlsCertificateKeyFile=%s%n"
            .formatted(
                server.port(),
                tls[2].substring(tls[2].indexOf('=') + 1),
                tls[3].substring(tls[3].indexOf('=') + 1)));
    try (Wisent target = Wisent.start()) {
      String messages =
          new ToolHarness()
              .run("migrate", "--config=" + config, "--noFollow", "--uri=" + target.uri())
              .messages();
      assertThat(messages).contains("user(s) and", "the migration is complete");
    }
  }

  @Test
  void backupsAreForThoseWhoMayReadEverything() throws ToolException {
    try (var open =
        Deployment.connect(
            ConnectionSettings.of(
                DumpTool.flags()
                    .parse(
                        Arrays.asList(
                            tls[0],
                            tls[1],
                            tls[2],
                            tls[3],
                            "-u=root",
                            "-psecret",
                            "--authenticationDatabase=admin")),
                null,
                null))) {
      open.admin(BsonDocument.parse("{createUser: 'keeper', pwd: 'k', roles: ['backup']}"));
      open.admin(
          BsonDocument.parse(
              "{createUser: 'reader', pwd: 'r', roles: ['readAnyDatabase', 'hostManager']}"));
    }
    String[] flags = {"--authenticationDatabase=admin", "--out=" + dumps.resolve("backups")};
    assertThatThrownBy(() -> run("backup", "-u=reader", "-pr", flags[0], flags[1]))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("Unauthorized");
    assertThat(run("backup", "-u=keeper", "-pk", flags[0], flags[1]).messages())
        .contains("is complete");
  }
}
