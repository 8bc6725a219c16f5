package dev.wisent.testkit.replica;

import dev.wisent.testkit.ProcessOptions;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.bson.Document;

/**
 * How a replica set is started.
 *
 * @param members how many
 * @param arguments further command-line arguments of each member
 * @param jvmFlags further JVM flags of each member
 * @param memberConfig further fields of a member's entry in the configuration, by its {@code _id}
 * @param settings the {@code settings} of the configuration
 * @param process what is changed of each process in the end
 */
public record SetOptions(
    int members,
    List<String> arguments,
    List<String> jvmFlags,
    IntFunction<Document> memberConfig,
    Document settings,
    UnaryOperator<ProcessOptions> process) {

  // Several JVMs that live for a minute: compiling everything well would cost more than it brings.
  private static final List<String> SHORT_LIVED =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx384m");

  public static SetOptions of(int members) {
    return new SetOptions(
        members,
        List.of(),
        SHORT_LIVED,
        id -> new Document(),
        new Document(),
        UnaryOperator.identity());
  }

  public SetOptions withArguments(String... more) {
    return new SetOptions(members, List.of(more), jvmFlags, memberConfig, settings, process);
  }

  public SetOptions withJvmFlags(String... flags) {
    return new SetOptions(members, arguments, List.of(flags), memberConfig, settings, process);
  }

  public SetOptions withMemberConfig(IntFunction<Document> config) {
    return new SetOptions(members, arguments, jvmFlags, config, settings, process);
  }

  public SetOptions withSettings(Document document) {
    return new SetOptions(members, arguments, jvmFlags, memberConfig, document, process);
  }

  /** With processes that differ, such as in the certificates of clients. */
  public SetOptions withProcess(UnaryOperator<ProcessOptions> change) {
    return new SetOptions(members, arguments, jvmFlags, memberConfig, settings, change);
  }
}
