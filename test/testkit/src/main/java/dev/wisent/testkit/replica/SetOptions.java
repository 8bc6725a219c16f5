package dev.wisent.testkit.replica;

import java.util.List;
import java.util.function.IntFunction;
import org.bson.Document;

/**
 * How a replica set is started.
 *
 * @param members how many
 * @param arguments further command-line arguments of each member
 * @param jvmFlags further JVM flags of each member
 * @param memberConfig further fields of a member's entry in the configuration, by its {@code _id}
 * @param settings the {@code settings} of the configuration
 */
public record SetOptions(
    int members,
    List<String> arguments,
    List<String> jvmFlags,
    IntFunction<Document> memberConfig,
    Document settings) {

  // Several JVMs that live for a minute: compiling everything well would cost more than it brings.
  private static final List<String> SHORT_LIVED =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx384m");

  public static SetOptions of(int members) {
    return new SetOptions(members, List.of(), SHORT_LIVED, id -> new Document(), new Document());
  }

  public SetOptions withArguments(String... more) {
    return new SetOptions(members, List.of(more), jvmFlags, memberConfig, settings);
  }

  public SetOptions withJvmFlags(String... flags) {
    return new SetOptions(members, arguments, List.of(flags), memberConfig, settings);
  }

  public SetOptions withMemberConfig(IntFunction<Document> config) {
    return new SetOptions(members, arguments, jvmFlags, config, settings);
  }

  public SetOptions withSettings(Document document) {
    return new SetOptions(members, arguments, jvmFlags, memberConfig, document);
  }
}
