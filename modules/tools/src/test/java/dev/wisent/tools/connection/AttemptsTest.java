package dev.wisent.tools.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import org.junit.jupiter.api.Test;

class AttemptsTest {
  @Test
  void anElectionMayTakeLongerThanTheDriverWaits() {
    assertThat(Attempts.isTransient(new MongoTimeoutException("no primary"))).isTrue();
    assertThat(Attempts.isTransient(new MongoSocketException("closed", new ServerAddress())))
        .isTrue();
    assertThat(Attempts.isTransient(new MongoException(13, "not authorized"))).isFalse();
  }
}
