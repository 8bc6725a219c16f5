package dev.wisent.replication.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.MemberState;
import dev.wisent.storage.MutationBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The members that a test has started, and what tests do to them. */
final class TestMembers implements AutoCloseable {
  private static final String FAST = ", settings: {heartbeatIntervalMillis: 50}}";

  private final Path directory;
  private final Map<UUID, FakeLog> logs = new ConcurrentHashMap<>();
  private final List<TestMember> members = new ArrayList<>();

  TestMembers(Path directory) {
    this.directory = directory;
  }

  TestMember start() {
    return start("rs");
  }

  TestMember start(String setName) {
    return start("m" + members.size(), setName);
  }

  /** Starts one on a directory that has a store. */
  TestMember startIn(String name) {
    return start(name, "rs");
  }

  private TestMember start(String name, String setName) {
    var member = new TestMember(directory.resolve(name), setName, logs);
    members.add(member);
    return member;
  }

  /** A set of new members; the first one leads. */
  List<TestMember> initiated(int count) {
    var started = new ArrayList<TestMember>();
    var entries = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      started.add(start());
      entries.add(entry(i, started.get(i)));
    }
    started.getFirst().initiate(config(1, entries));
    for (TestMember member : started) {
      await(member, member == started.getFirst() ? MemberState.PRIMARY : MemberState.SECONDARY);
    }
    return started;
  }

  static String config(int version, List<String> entries) {
    return "{_id: 'rs', version: "
        + version
        + ", members: ["
        + String.join(",", entries)
        + "]"
        + FAST;
  }

  static String entry(int id, TestMember member) {
    return entry(id, member, "");
  }

  static String entry(int id, TestMember member, String more) {
    return "{_id: " + id + ", host: '" + member.host() + "'" + more + "}";
  }

  static void await(TestMember member, MemberState state) {
    await(() -> member.member.state() == state, () -> state + ", is " + member.member.state());
  }

  static void await(BooleanSupplier condition, Supplier<String> what) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not reached: " + what.get());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  static void assertRefused(ErrorCode code, String message, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  static void write(TestMember member) {
    byte[] note = RawDocument.parse("{op: 'n', ns: '', o: {}}").toByteArray();
    member.raft.log().submit(new MutationBuilder().oplogEntry(note).build());
  }

  static void reconfigure(TestMember member, String config, boolean force) {
    member.member.reconfigure(RawDocument.parse(config), force, TestMember.operation());
  }

  void close(TestMember member) {
    member.close();
    members.remove(member);
  }

  @Override
  public void close() {
    members.forEach(TestMember::close);
  }
}
