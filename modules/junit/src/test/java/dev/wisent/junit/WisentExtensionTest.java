package dev.wisent.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class WisentExtensionTest {
  @BeforeEach
  void forget() {
    SampleClasses.SEEN.clear();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        SampleClasses.EmptyEachTime.class,
        SampleClasses.FilledOnce.class,
        SampleClasses.OneInstance.class,
        SampleClasses.Outer.class,
        SampleClasses.OnThreeMembers.class,
        SampleClasses.OnTwoShards.class,
        SampleClasses.WithFailPoints.class
      })
  void itGivesWhatItSays(Class<?> sample) {
    assertGreen(run(sample));
  }

  @Test
  void theNextTestFindsNothingOfOneThatFailed() {
    run(SampleClasses.OneFails.class)
        .testEvents()
        .assertStatistics(counts -> counts.started(2).succeeded(1).failed(1));
  }

  @Test
  void classesShareServers() {
    assertGreen(run(SampleClasses.EmptyEachTime.class, SampleClasses.OneInstance.class));
    assertThat(SampleClasses.SEEN).hasSize(1);
  }

  @Test
  void serversThatATestHasClosedAreReplaced() {
    assertGreen(run(SampleClasses.ClosesTheServers.class, SampleClasses.ClosesTheServers.class));
    assertGreen(run(SampleClasses.ClosesTheServers.class, SampleClasses.EmptyEachTime.class));
  }

  @Test
  void aClassCanHaveServersOfItsOwn() {
    assertGreen(run(SampleClasses.EmptyEachTime.class, SampleClasses.ServersOfItsOwn.class));
    assertThat(SampleClasses.SEEN).hasSize(2);
  }

  @Test
  void classesThatRunAtTheSameTimeDoNotMeet() {
    assertGreen(runConcurrently(SampleClasses.First.class, SampleClasses.Second.class));
    assertThat(SampleClasses.SEEN).hasSize(2);
  }

  @Test
  void methodsOfAClassAreAlone() {
    assertGreen(runConcurrently(SampleClasses.ManyMethods.class));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MembersOfANode | members is for topology SET, and this one is NODE",
        "TooManyMembers | a set has 1 to 7 voting members, not 9",
        "NoParameter | parameter 'enableTestCommands' is not name=value",
        "UnknownParameter | noSuchParameter"
      })
  void whatCannotBeGivenIsRefused(String sample, String expected) throws Exception {
    run(Class.forName(SampleClasses.class.getName() + "$" + sample))
        .containerEvents()
        .assertThatEvents()
        .haveExactly(1, event(finishedWithFailure(message(text -> text.contains(expected)))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WrongField | int is not String, Wisent or com.mongodb.client.MongoClient",
        "BareString | No ParameterResolver registered"
      })
  void whatIsNotKnownIsNotInjected(String sample, String expected) throws Exception {
    run(Class.forName(SampleClasses.class.getName() + "$" + sample))
        .testEvents()
        .assertThatEvents()
        .haveExactly(1, event(finishedWithFailure(message(text -> text.contains(expected)))));
  }

  private static void assertGreen(EngineExecutionResults results) {
    assertThat(results.allEvents().failed().stream()).isEmpty();
    assertThat(results.testEvents().succeeded().count()).isPositive();
  }

  private static EngineExecutionResults run(Class<?>... samples) {
    return EngineTestKit.engine("junit-jupiter").selectors(selectors(samples)).execute();
  }

  private static EngineExecutionResults runConcurrently(Class<?>... samples) {
    return EngineTestKit.engine("junit-jupiter")
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
        .selectors(selectors(samples))
        .execute();
  }

  private static DiscoverySelector[] selectors(Class<?>... samples) {
    return Stream.of(samples).map(sample -> selectClass(sample)).toArray(DiscoverySelector[]::new);
  }
}
