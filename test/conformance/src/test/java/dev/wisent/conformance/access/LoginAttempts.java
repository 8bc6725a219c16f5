package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.conformance.access.LoginCase.Expected;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.SoftAssertions;
import org.opentest4j.TestAbortedException;

/** All clients at one deployment, at the same time: they wait for connections most of it. */
final class LoginAttempts implements AutoCloseable {
  /** Words by which an error would tell what there is. */
  private static final String LEAK = "(?is).*(not find|not found|exist|no such).*";

  private final ClosedDeployment deployment;
  private final List<LoginCase> cases;
  private final Map<ClientProgram, CompletableFuture<List<LoginOutcome>>> running =
      new EnumMap<>(ClientProgram.class);

  private LoginAttempts(ClosedDeployment deployment, List<LoginCase> cases) {
    this.deployment = deployment;
    this.cases = cases;
  }

  /**
   * Starts all clients.
   *
   * @param deployment closed with this
   */
  static LoginAttempts start(ClosedDeployment deployment, List<LoginCase> cases, Path scratch) {
    var attempts = new LoginAttempts(deployment, cases);
    for (ClientProgram program : ClientProgram.values()) {
      attempts.running.put(
          program,
          CompletableFuture.supplyAsync(
              () -> program.attempt(cases, deployment, scratch.resolve(program.name())),
              task -> Thread.ofPlatform().daemon().name(program.name()).start(task)));
    }
    return attempts;
  }

  /** Waits for a client and checks what it has seen; skips the test where it is missing. */
  void check(ClientProgram program) {
    List<LoginOutcome> outcomes = outcomes(program);
    assertThat(outcomes).as("one outcome for each case").hasSameSizeAs(cases);
    var soft = new SoftAssertions();
    for (int i = 0; i < cases.size(); i++) {
      check(cases.get(i), outcomes.get(i), soft);
    }
    soft.assertAll();
    checkAnswersAreAlike(outcomes);
  }

  /** What is refused for one reason has one answer, whether users and collections exist or not. */
  private void checkAnswersAreAlike(List<LoginOutcome> outcomes) {
    Map<Expected.Refused, String> answers = new HashMap<>();
    for (int i = 0; i < cases.size(); i++) {
      if (cases.get(i).expected() instanceof Expected.Refused refused) {
        // Commands are repeated as the client has sent them.
        String answer = outcomes.get(i).message().replaceAll("(?s)\\{.*}", "{}");
        String before = answers.putIfAbsent(refused, answer);
        assertThat(answer).as(cases.get(i).name()).isEqualTo(before == null ? answer : before);
      }
    }
  }

  private List<LoginOutcome> outcomes(ClientProgram program) {
    try {
      return running.get(program).join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case TestAbortedException skipped -> throw skipped;
        case AssertionError failed -> throw failed;
        default -> throw e;
      }
    }
  }

  private static void check(LoginCase one, LoginOutcome outcome, SoftAssertions soft) {
    String what = one.name() + ": " + outcome;
    switch (one.expected()) {
      case Expected.LoggedIn(String user, String database) -> {
        soft.assertThat(outcome.reply()).as(what).isNotNull();
        if (outcome.reply() != null) {
          soft.assertThat(outcome.users()).as(what).containsExactly(user + "@" + database);
        }
      }
      case Expected.Databases(List<String> names) -> {
        soft.assertThat(outcome.reply()).as(what).isNotNull();
        if (outcome.reply() != null) {
          soft.assertThat(outcome.databases()).as(what).containsExactlyElementsOf(names);
        }
      }
      case Expected.Refused(int code, String text) -> {
        soft.assertThat(outcome.error()).as(what).isEqualTo(code);
        soft.assertThat(outcome.message()).as(what).contains(text).doesNotMatch(LEAK);
      }
      case Expected.NoConnection() -> {
        soft.assertThat(outcome.reply()).as(what).isNull();
        soft.assertThat(outcome.error()).as(what).isNull();
        soft.assertThat(outcome.message()).as(what).isNotBlank();
      }
    }
  }

  /** Connections with bad certificates were refused for these, and not for being slow. */
  void checkHandshakes() {
    long clients = 0;
    for (ClientProgram program : ClientProgram.values()) {
      try {
        outcomes(program);
        clients++;
      } catch (TestAbortedException missing) {
        // Has tried nothing.
      }
    }
    long bad =
        cases.stream()
            .filter(each -> each.expected() instanceof Expected.NoConnection && each.isEncrypted())
            .count();
    assertThat(deployment.failedHandshakes()).isGreaterThanOrEqualTo(bad * clients);
  }

  @Override
  public void close() {
    running.values().forEach(each -> each.handle((done, failed) -> true).join());
    deployment.close();
  }
}
