package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.log.LogFormat;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.profile.ProfilingOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerCommandTest {
  @TempDir private Path directory;

  private static ServerSettings parse(String... arguments) throws StartException {
    return ServerCommand.parse(Program.SERVER, List.of(arguments));
  }

  private ServerSettings parseWithFile(String yaml, String... more) throws Exception {
    Path file = directory.resolve("wisent.conf");
    Files.writeString(file, yaml);
    String[] arguments = new String[more.length + 2];
    arguments[0] = "--config";
    arguments[1] = file.toString();
    System.arraycopy(more, 0, arguments, 2, more.length);
    return parse(arguments);
  }

  @Test
  void defaultsAreMongodsExceptForTheDataDirectory() throws Exception {
    ServerSettings settings = parse();

    assertThat(settings.dbPath()).isEqualTo(Path.of("data"));
    assertThat(settings.port()).isEqualTo(27017);
    assertThat(settings.bindAddresses()).containsExactly("localhost");
    assertThat(settings.cacheBytes()).isEmpty();
    assertThat(settings.journalIntervalMillis()).isEmpty();
    assertThat(settings.connectionsMax()).isEmpty();
    assertThat(settings.parameters()).isEmpty();
    assertThat(settings.noTableScan()).isFalse();
    assertThat(settings.scripting()).isTrue();
    assertThat(settings.log().path()).isEmpty();
  }

  @Test
  void theLogIsJsonOrText() throws Exception {
    assertThat(parse().log().format()).isEmpty();
    assertThat(parse("--logFormat", "json").log().format()).contains(LogFormat.JSON);
    assertThat(parseWithFile("systemLog: {logFormat: text}").log().format())
        .contains(LogFormat.TEXT);
    assertThatThrownBy(() -> parse("--logFormat", "xml"))
        .hasMessage("--logFormat must be json or text, not 'xml'");
  }

  @Test
  void readsEveryFlag() throws Exception {
    ServerSettings settings =
        parse(
            "--dbpath=/d",
            "--port",
            "27018",
            "--bind_ip",
            "127.0.0.1, db.example.org,*",
            "--maxConns",
            "100",
            "--logpath",
            "l",
            "--logappend",
            "-vv",
            "--quiet",
            "--cacheSizeGB",
            "0.5",
            "--journalCommitInterval",
            "30",
            "--setParameter",
            "a=1",
            "--setParameter",
            "b=x=y",
            "--notablescan",
            "--noscripting",
            "--noauth",
            "--pidfilepath",
            "p");

    assertThat(settings.dbPath()).isEqualTo(Path.of("/d"));
    assertThat(settings.port()).isEqualTo(27018);
    assertThat(settings.bindAddresses()).containsExactly("127.0.0.1", "db.example.org", "0.0.0.0");
    assertThat(settings.connectionsMax()).contains(100);
    assertThat(settings.log().path()).contains(Path.of("l"));
    assertThat(settings.log().append()).isTrue();
    assertThat(settings.log().verbosity()).isEqualTo(2);
    assertThat(settings.log().quiet()).isTrue();
    assertThat(settings.cacheBytes()).contains(1L << 29);
    assertThat(settings.journalIntervalMillis()).contains(30);
    assertThat(settings.parameters()).containsEntry("a", "1").containsEntry("b", "x=y");
    assertThat(settings.noTableScan()).isTrue();
    assertThat(settings.scripting()).isFalse();
    assertThat(settings.pidFile()).contains(Path.of("p"));
    assertThat(settings.arguments()).startsWith("--dbpath=/d", "--port", "27018");
  }

  @Test
  void namesAReplicaSet() throws Exception {
    ServerSettings settings = parse("--replSet", "rs0", "--raftPort", "4711");
    assertThat(settings.replicaSet()).contains("rs0");
    assertThat(settings.raftPort()).contains(4711);
    assertThat(parse().replicaSet()).isEmpty();
    assertThatThrownBy(() -> parse("--raftPort", "4711")).hasMessageContaining("--replSet");
    assertThatThrownBy(() -> parse("--replSet", "")).hasMessageContaining("--replSet");
  }

  @Test
  void limitsTheOplog() throws Exception {
    assertThat(parse("--replSet", "rs0", "--oplogSize", "100").oplogMegabytes()).contains(100);
    assertThat(parseWithFile("replication: {oplogSizeMB: 50}").oplogMegabytes()).contains(50);
    assertThat(parse("--replSet", "rs0").oplogMegabytes()).isEmpty();
  }

  @Test
  void bindsToAllAddresses() throws Exception {
    assertThat(parse("--bind_ip_all").bindAddresses()).containsExactly("0.0.0.0");
    assertThat(parse("--bind_ip_all", "--ipv6").bindAddresses()).containsExactly("::");
  }

  @Test
  void namesAreBoundAtTheirIpv6AddressesOnRequest() throws Exception {
    assertThat(parse("--bind_ip", "localhost").ipv6()).isFalse();
    assertThat(parse("--bind_ip", "localhost", "--ipv6").ipv6()).isTrue();
  }

  @Test
  void theRoleInAClusterChoosesThePort() throws Exception {
    assertThat(parse("--replSet", "s").port()).isEqualTo(27017);
    assertThat(parse("--replSet", "s", "--shardsvr").port()).isEqualTo(27018);
    assertThat(parse("--replSet", "s", "--configsvr").port()).isEqualTo(27019);
    assertThat(parse("--replSet", "s", "--configsvr", "--port", "5").port()).isEqualTo(5);
    assertThat(parse("--replSet", "s", "--shardsvr").clusterRole())
        .isEqualTo(ClusterRole.SHARD_SERVER);
    assertThatThrownBy(() -> parse("--configsvr"))
        .hasMessage("--configsvr needs --replSet: it is a replica set's member");
    assertThatThrownBy(() -> parse("--replSet", "s", "--configsvr", "--shardsvr"))
        .hasMessage("--shardsvr and --configsvr exclude each other");
  }

  @Test
  void aRouterNeedsTheConfigServersOfOneSet() throws Exception {
    assertThat(router("--configdb", "cfg/a:1,b:2").configDb()).contains("cfg/a:1,b:2");
    assertThatThrownBy(() -> router()).hasMessageStartingWith("--configdb is needed");
    for (String mirrored : List.of("a:1,b:2,c:3", "/a:1", "cfg/")) {
      assertThatThrownBy(() -> router("--configdb", mirrored))
          .hasMessageContaining("names a replica set")
          .hasMessageContaining("mirrored config servers are not supported");
    }
  }

  private static ServerSettings router(String... arguments) throws StartException {
    return ServerCommand.parse(Program.ROUTER, List.of(arguments));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--oplogMinRetentionHours",
        "--archiveMovedChunks",
        "--sslMode",
        "--sslPEMKeyFile",
        "--tlsCertificateSelector",
        "--tlsFIPSMode",
        "--ldapServers",
        "--nojournal",
        "--storageEngine"
      })
  void refusesWhatItCannotKeep(String flag) {
    assertThatThrownBy(() -> parse(flag, "x")).hasMessageStartingWith(flag + " is not supported: ");
    assertThatThrownBy(() -> parse("--port", "1", flag + "=x"))
        .hasMessageStartingWith(flag + " is not supported: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--nosuchflag                  | unknown flag '--nosuchflag'",
        "--port x                      | --port must be a number",
        "--port                        | --port needs a value",
        "--port 65536                  | --port must be from 0 to 65535",
        "--port -1                     | --port must be from 0 to 65535",
        "--maxConns 4                  | --maxConns must be from 5",
        "--journalCommitInterval 0     | --journalCommitInterval must be from 1 to 500",
        "--cacheSizeGB 0.1             | --cacheSizeGB must be from 0.25",
        "--cacheSizeGB lots            | --cacheSizeGB must be a number",
        "--bind_ip a --bind_ip_all     | exclude each other",
        "--bind_ip a,                  | empty address",
        "--bind_ip /tmp/x.sock         | TCP only",
        "--logappend                   | needs --logpath",
        "--fork                        | --fork has to be used with --logpath",
        "--profile 3                   | --profile must be from 0 to 2",
        "--slowms x                    | --slowms must be a number",
        "--slowOpSampleRate 1.5        | --slowOpSampleRate must be from 0 to 1",
        "--setParameter lonely         | needs NAME=VALUE",
        "--quiet=maybe                 | true or false",
        "stray                         | unknown flag 'stray'"
      })
  void refusesNonsenseWithAReason(String flags, String expected) {
    assertThatThrownBy(() -> parse(flags.split(" ")))
        .isInstanceOfSatisfying(
            StartException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_OPTIONS))
        .hasMessageContaining(expected);
  }

  @Test
  void readsMongodsConfigurationFile() throws Exception {
    ServerSettings settings =
        parseWithFile(
            """
            storage:
              dbPath: /srv/data
              journal:
                enabled: true
                commitIntervalMs: 50
              wiredTiger:
                engineConfig:
                  cacheSizeGB: 1.5
            systemLog:
              destination: file
              path: /srv/log
              logAppend: true
              verbosity: 3
              quiet: false
            net:
              port: 27019
              bindIp: 127.0.0.1,10.0.0.1
              maxIncomingConnections: 200
            processManagement:
              fork: false
              pidFilePath: /srv/pid
            security:
              authorization: disabled
              javascriptEnabled: false
            setParameter:
              enableTestCommands: 1
              name: value
            """);

    assertThat(settings.dbPath()).isEqualTo(Path.of("/srv/data"));
    assertThat(settings.journalIntervalMillis()).contains(50);
    assertThat(settings.cacheBytes()).contains(3L << 29);
    assertThat(settings.log())
        .isEqualTo(
            new ServerSettings.LogSettings(
                Optional.of(Path.of("/srv/log")), true, 3, false, Optional.empty()));
    assertThat(settings.port()).isEqualTo(27019);
    assertThat(settings.bindAddresses()).containsExactly("127.0.0.1", "10.0.0.1");
    assertThat(settings.connectionsMax()).contains(200);
    assertThat(settings.pidFile()).contains(Path.of("/srv/pid"));
    assertThat(settings.parameters())
        .containsEntry("enableTestCommands", "1")
        .containsEntry("name", "value");
  }

  /** As the packages of MongoDB 8.0 for Debian and of 4.2 for Red Hat install it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        # mongod.conf
        storage:
          dbPath: /var/lib/mongodb
        #  engine:
        #  wiredTiger:
        systemLog:
          destination: file
          logAppend: true
          path: /var/log/mongodb/mongod.log
        net:
          port: 27017
          bindIp: 127.0.0.1
        processManagement:
          timeZoneInfo: /usr/share/zoneinfo
        #security:
        #operationProfiling:
        #replication:
        """,
        """
        systemLog:
          destination: file
          logAppend: true
          path: /var/log/mongodb/mongod.log
        storage:
          dbPath: /var/lib/mongodb
          journal:
            enabled: true
        processManagement:
          fork: true
          pidFilePath: /var/run/mongodb/mongod.pid
          timeZoneInfo: /usr/share/zoneinfo
        net:
          port: 27017
          bindIp: 127.0.0.1
        """
      })
  void readsTheFilesOfPackages(String yaml) throws Exception {
    ServerSettings settings = parseWithFile(yaml);

    assertThat(settings.dbPath()).isEqualTo(Path.of("/var/lib/mongodb"));
    assertThat(settings.log().path()).contains(Path.of("/var/log/mongodb/mongod.log"));
    assertThat(settings.fork() == ServerSettings.Fork.PARENT).isEqualTo(yaml.contains("fork:"));
    assertThat(settings.ignored())
        .extracting(IgnoredOptions.Ignored::name)
        .containsExactly("processManagement.timeZoneInfo");
  }

  @Test
  void whatIsAboutTheInsideOfMongodIsIgnoredAndTold() throws Exception {
    ServerSettings settings =
        parseWithFile(
            """
            storage:
              engine: wiredTiger
              directoryPerDB: true
              syncPeriodSecs: 60
              wiredTiger:
                engineConfig: {cacheSizeGB: 1, journalCompressor: snappy}
                collectionConfig: {blockCompressor: zstd}
                indexConfig: {prefixCompression: true}
            net: {unixDomainSocket: {enabled: false}, compression: {compressors: snappy}}
            systemLog: {logRotate: rename}
            replication: {enableMajorityReadConcern: true}
            """,
            "--timeZoneInfo",
            "/usr/share/zoneinfo",
            "--directoryperdb",
            "--storageEngine=wiredTiger",
            "--port",
            "27018");

    assertThat(settings.port()).isEqualTo(27018);
    assertThat(settings.cacheBytes()).contains(1L << 30);
    assertThat(settings.ignored())
        .extracting(IgnoredOptions.Ignored::name)
        .containsExactlyInAnyOrder(
            "storage.engine",
            "storage.directoryPerDB",
            "storage.syncPeriodSecs",
            "storage.wiredTiger.engineConfig.journalCompressor",
            "storage.wiredTiger.collectionConfig.blockCompressor",
            "storage.wiredTiger.indexConfig.prefixCompression",
            "net.unixDomainSocket.enabled",
            "net.compression.compressors",
            "systemLog.logRotate",
            "replication.enableMajorityReadConcern",
            "--timeZoneInfo",
            "--directoryperdb",
            "--storageEngine");
  }

  @Test
  void readsWhatIsProfiled() throws Exception {
    assertThat(parse().profiling()).isEqualTo(ProfilingOptions.DEFAULTS);
    assertThat(parse("--profile", "1", "--slowms=20", "--slowOpSampleRate", "0.5").profiling())
        .isEqualTo(new ProfilingOptions(1, 20, 0.5, Optional.empty()));
    assertThat(
            parseWithFile(
                    """
                    operationProfiling:
                      mode: all
                      slowOpThresholdMs: 20
                      slowOpSampleRate: 0.5
                      filter: '{ op: "query", millis: { $gt: 2000 } }'
                    """)
                .profiling())
        .isEqualTo(
            new ProfilingOptions(
                2, 20, 0.5, Optional.of("{ op: \"query\", millis: { $gt: 2000 } }")));
    assertThat(parseWithFile("operationProfiling: {mode: off}").profiling().level()).isZero();
    assertThat(parseWithFile("operationProfiling: {mode: slowOp}").profiling().level())
        .isEqualTo(1);
  }

  @Test
  void readsHowMuchComponentsLog() throws Exception {
    ServerSettings settings =
        parseWithFile(
            """
            systemLog:
              component:
                command: {verbosity: 1}
                replication: {verbosity: 2, election: {verbosity: 3}}
            """);
    assertThat(settings.parameters())
        .containsEntry(
            "logComponentVerbosity",
            "{\"command\": {\"verbosity\": 1}, \"replication\": {\"verbosity\": 2, \"election\":"
                + " {\"verbosity\": 3}}}");
  }

  @Test
  void flagsTakePrecedenceOverTheFile() throws Exception {
    ServerSettings settings =
        parseWithFile(
            "net: {port: 1111}\nsetParameter: {a: 1, b: 1}\n",
            "--port",
            "2222",
            "--setParameter",
            "b=2");

    assertThat(settings.port()).isEqualTo(2222);
    assertThat(settings.parameters()).containsEntry("a", "1").containsEntry("b", "2");
  }

  @Test
  void anEmptyFileIsFine() throws Exception {
    assertThat(parseWithFile("# nothing\n").port()).isEqualTo(27017);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "net: {prot: 1}                      | unknown setting 'net.prot'",
        "replication: {oplogSizeMB: x}       | --oplogSize must be a number",
        "sharding: {clusterRole: shardsvr}   | --shardsvr needs --replSet",
        "sharding: {clusterRole: mongos}     | expects shardsvr or configsvr",
        "sharding: {archiveMovedChunks: true} | 'sharding.archiveMovedChunks' is not supported",
        "security: {sasl: {hostName: x}}     | 'security.sasl.hostName' is not supported",
        "security: {enableEncryption: true}  | 'security.enableEncryption' is not supported",
        "net: {ssl: {PEMKeyFile: x}}         | renamed: use --tlsCertificateKeyFile",
        "security: {authorization: maybe}    | expects enabled or disabled",
        "net: {tls: {mode: requireTLS}}      | need --tlsCertificateKeyFile",
        "net: {tls: {certificateSelector: x}}| 'net.tls.certificateSelector' is not supported",
        "processManagement: {fork: true}     | --fork has to be used with --logpath",
        "storage: {engine: inMemory}         | 'storage.engine' is not supported",
        "operationProfiling: {mode: some}    | expects off, slowOp or all",
        "operationProfiling: {slowOpSampleRate: 2} | --slowOpSampleRate must be from 0 to 1",
        "replication: {enableMajorityReadConcern: false} | is not supported",
        "storage: {journal: {enabled: false}}| 'storage.journal.enabled' is not supported",
        "systemLog: {destination: syslog}    | 'systemLog.destination' is not supported",
        "systemLog: {logAppend: 3}           | expects true or false",
        "systemLog: {verbosity: 9}           | expects a number from 0 to 5",
        "net: {port: [1]}                    | 'net.port' expects a value",
        "net: {port: 99999}                  | --port must be",
        "setParameter: 3                     | names and values",
        "just text                           | expected sections",
        "net: {port: 1, port: 2}             | duplicate key",
        "net: ]                              | wisent.conf",
        "!!javax.script.ScriptEngineManager {} | wisent.conf"
      })
  void refusesBadFilesWithAReason(String yaml, String expected) {
    assertThatThrownBy(() -> parseWithFile(yaml))
        .isInstanceOfSatisfying(
            StartException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_OPTIONS))
        .hasMessageContaining(expected);
  }

  @Test
  void refusesAFileThatIsNotThere() {
    assertThatThrownBy(() -> parse("--config", directory.resolve("none").toString()))
        .hasMessageContaining("no such configuration file");
  }
}
