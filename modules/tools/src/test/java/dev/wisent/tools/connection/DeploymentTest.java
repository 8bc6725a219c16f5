package dev.wisent.tools.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeploymentTest {
  private static final String VIEW = "Timed out. Client view of cluster state is ";

  @Test
  void tellsTheInnermostCauseOfEachServer() {
    String two =
        "{type=REPLICA_SET, servers=[{address=a:1, type=UNKNOWN, state=CONNECTING, exception="
            + "{com.mongodb.MongoSocketOpenException: Exception opening socket}, caused by "
            + "{java.net.ConnectException: Connection refused}}, {address=b:2, type=UNKNOWN, "
            + "state=CONNECTING, exception={com.mongodb.MongoException: no}}]";
    assertThat(Deployment.unreachable(VIEW + two))
        .isEqualTo(
            "Timed out. a:1: java.net.ConnectException: Connection refused; "
                + "b:2: com.mongodb.MongoException: no");
  }

  @Test
  void tellsOfServersThatHaveNotAnswered() {
    String one = "{type=UNKNOWN, servers=[{address=[::1]:3, type=UNKNOWN, state=CONNECTING}]";
    assertThat(Deployment.unreachable(VIEW + one)).isEqualTo("Timed out. [::1]:3 has not answered");
  }

  @Test
  void leavesOtherMessagesAsTheyAre() {
    assertThat(Deployment.unreachable("Timed out.")).isEqualTo("Timed out.");
  }
}
