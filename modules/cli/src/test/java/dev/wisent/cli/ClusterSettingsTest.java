package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterSettingsTest {

  private static ClusterSettings parse(String... flags) throws StartException {
    return ClusterSettings.parse(List.of(flags));
  }

  private static String refusal(String... flags) {
    return assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> parse(flags))
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_OPTIONS))
        .actual()
        .getMessage();
  }

  @Test
  void hasDefaults() throws StartException {
    var defaults =
        new ClusterSettings(0, 3, 0, 0, 27017, Path.of("data/cluster"), "rs0", List.of());
    assertThat(parse()).isEqualTo(defaults);
    assertThat(parse("--shards", "0")).isEqualTo(defaults);
  }

  @Test
  void takesValuesEitherWay() throws StartException {
    assertThat(parse("--shards=0", "--members", "5", "--port=4000", "--dbpath=d", "--replSet=x"))
        .isEqualTo(new ClusterSettings(0, 5, 0, 0, 4000, Path.of("d"), "x", List.of()));
  }

  @Test
  void takesParametersForAllMembers() throws StartException {
    assertThat(parse("--setParameter", "a=1", "--setParameter=b=2").parameters())
        .containsExactly("a=1", "b=2");
  }

  @Test
  void aShardedClusterHasConfigServersAndRouters() throws StartException {
    Path directory = Path.of("data/cluster");
    assertThat(parse("--shards", "2"))
        .isEqualTo(new ClusterSettings(2, 1, 1, 1, 27017, directory, "rs0", List.of()));
    assertThat(parse("--shards", "2", "--members", "3", "--routers", "2").processes())
        .isEqualTo(11);
    assertThat(parse("--shards", "2", "--members", "3", "--config", "1").processes()).isEqualTo(8);
  }

  @Test
  void configServersMayBeAShard() throws StartException {
    assertThat(parse("--configShard", "--shards", "1").configShard()).isTrue();
    assertThat(parse("--shards", "1").configShard()).isFalse();
    assertThat(refusal("--configShard")).contains("needs --shards");
  }

  @Test
  void chunksHaveASizeAndADemoFillsThem() throws StartException {
    ClusterSettings settings = parse("--demo", "--shards", "2", "--chunkSize=1");
    assertThat(settings.chunkMegabytes()).isEqualTo(1);
    assertThat(settings.demo()).isTrue();
    assertThat(parse("--shards", "2").chunkMegabytes()).isZero();
    assertThat(parse("--shards", "2").demo()).isFalse();
    assertThat(refusal("--shards", "2", "--chunkSize", "0")).contains("from 1 to 1024");
    assertThat(refusal("--chunkSize", "1")).contains("needs --shards");
    assertThat(refusal("--demo")).contains("needs --shards");
  }

  @Test
  void passesKeysAndCertificatesOnToAllProcesses() throws StartException {
    assertThat(parse("--keyFile", "k", "--shards=2").security().flags())
        .containsExactly("--keyFile", "k");
    String[] tls = {"--tlsMode", "requireTLS", "--tlsCertificateKeyFile", "c", "--tlsCAFile", "a"};
    assertThat(parse(tls).security().flags()).containsExactly(tls);
    assertThat(parse(tls).security().requiresTls()).isTrue();
    assertThat(parse().security().flags()).isEmpty();
    assertThat(refusal("--tlsMode", "requireTLS")).contains("--tlsCertificateKeyFile");
    assertThat(refusal("--tlsCAFile", "a")).contains("need to enable TLS");
    assertThat(refusal("--transitionToAuth")).contains("must be used with --keyFile");
    assertThat(refusal("--tlsClusterFile", "f")).contains("need to enable TLS");
    assertThat(refusal("--auth")).contains("security.keyFile is required");
    assertThat(refusal("--clusterAuthMode", "x509")).contains("need to enable TLS");
    assertThat(refusal("--auditDestination", "console")).contains("does not pass on");
  }

  @Test
  void passesOnWhateverServersKnowOfAccessAndEncryption() throws StartException {
    String line =
        "--keyFile k --clusterAuthMode sendX509 --transitionToAuth=true --tlsMode preferTLS"
            + " --tlsCertificateKeyFile c --tlsCertificateKeyFilePassword p --tlsClusterFile m"
            + " --tlsClusterPassword q --tlsCAFile a --tlsClusterCAFile b --tlsCRLFile r"
            + " --tlsAllowConnectionsWithoutCertificates=true --tlsAllowInvalidCertificates=true"
            + " --tlsAllowInvalidHostnames=false --tlsDisabledProtocols TLS1_2"
            + " --redactClientLogData=true";
    ClusterSecurity security = parse(line.split(" ")).security();
    assertThat(security.flags()).containsExactly(line.split(" "));
    assertThat(security.requiresLogins()).isFalse();
    assertThat(ServerCommand.parse(Program.SERVER, security.flags()).security().tls().isOn())
        .isTrue();
    assertThat(parse("--auth", "--keyFile", "k", "--port=1").security().flags())
        .containsExactly("--auth=true", "--keyFile", "k");
    assertThat(parse("--keyFile", "k").security().requiresLogins()).isTrue();
    assertThat(refusal("--auth=perhaps", "--keyFile", "k")).contains("true or false");
    assertThat(ClusterSettings.USAGE)
        .contains("--clusterAuthMode MODE", "--tlsCRLFile FILE", "--transitionToAuth");
  }

  /** A new flag of servers is either passed on or known to be none of a cluster's. */
  @Test
  void noFlagOfSecurityIsForgotten() {
    assertThat(ServerFlag.values())
        .filteredOn(flag -> flag.displayName().matches("--(tls|cluster|auth|key|transition).*"))
        .allMatch(flag -> ClusterSecurity.has(flag.displayName()));
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThat(refusal("--shards", "0", "--members", "8")).contains("from 1 to 7, not 8");
    assertThat(refusal("--shards", "0", "--members", "0")).contains("from 1 to 7");
    assertThat(refusal("--shards", "0", "--port", "65535")).contains("--port must be from 1");
    assertThat(refusal("--shards", "none")).contains("must be a number");
    assertThat(refusal("--shards")).contains("needs a value");
    assertThat(refusal("--shards", "0", "--routers", "1")).contains("--routers needs --shards");
    assertThat(refusal("--config", "1")).contains("--config needs --shards");
    assertThat(refusal("--shards", "1", "--replSet", "x")).contains("--replSet is for --shards 0");
    assertThat(refusal("--shards", "2", "--port", "65533")).contains("--port must be from 1");
    assertThat(refusal("--proxies", "1")).contains("unknown flag '--proxies'");
  }
}
