package dev.wisent.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.user.User;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.memory.OperationMemory;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalhostExceptionTest {
  private final Users users = new Users();
  private final LocalhostException exception = new LocalhostException(users, true);

  private static final class Users implements UserDirectory {
    private boolean some;
    private boolean unreadable;

    @Override
    public Optional<User> find(UserName name) {
      return Optional.empty();
    }

    @Override
    public boolean hasUsers() {
      if (unreadable) {
        throw new CommandException(ErrorCode.HOST_UNREACHABLE, "no config server");
      }
      return some;
    }

    @Override
    public void invalidate() {}

    @Override
    public long failedReads() {
      return 0;
    }
  }

  private static ClientConnection client(String address) {
    var memory = new OperationMemory(MessageMemory.ofHeap(Clock.system()));
    return new ClientConnection(1, address, "127.0.0.1:1", memory);
  }

  private boolean applies(String address) {
    return exception.granted(client(address)) != GrantedPrivileges.NONE;
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:5, true",
    "127.1.2.3:5, true",
    "[::1]:5, true",
    "[0:0:0:0:0:0:0:1]:5, true",
    "10.0.0.1:5, false",
    "[::2]:5, false",
    "localhost:5, false",
    "x, false"
  })
  void isForThisMachine(String address, boolean expected) {
    assertThat(applies(address)).isEqualTo(expected);
  }

  @Test
  void endsWithTheFirstUserForGood() {
    assertThat(applies("127.0.0.1:5")).isTrue();
    users.some = true;
    assertThat(applies("127.0.0.1:5")).isFalse();
    users.some = false;
    assertThat(applies("127.0.0.1:5")).isFalse();
  }

  @Test
  void isClosedWhileUsersCannotBeRead() {
    users.unreadable = true;
    assertThat(applies("127.0.0.1:5")).isFalse();
    users.unreadable = false;
    assertThat(applies("127.0.0.1:5")).isTrue();
  }

  @Test
  void canBeSwitchedOff() {
    assertThat(new LocalhostException(users, false).granted(client("127.0.0.1:5")))
        .isSameAs(GrantedPrivileges.NONE);
  }
}
