package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The options of {@code validate}. Each check is a full one in a snapshot, which is what {@code
 * full} asks for and {@code background} allows; only {@code metadata} leaves something out.
 *
 * @param metadata whether only definitions are looked at, and no documents
 */
record ValidateOptions(boolean metadata) {
  /** Options that exclude each other, in the order in which MongoDB looks at them. */
  private static final List<List<String>> EXCLUSIVE =
      List.of(
          List.of("background", "full"),
          List.of("background", "enforceFastCount"),
          List.of("background", "repair"),
          List.of("enforceFastCount", "repair"),
          List.of("checkBSONConformance", "repair"));

  static ValidateOptions parse(CommandRequest request) {
    Set<String> given = new HashSet<>();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "full",
            "background",
            "metadata",
            "checkBSONConformance",
            "enforceFastCount",
            "repair",
            "fixMultikey" -> {
          if (reader.bool()) {
            given.add(reader.name());
          }
        }
        // Of old versions: the documents are always read.
        case "scandata" -> reader.bool();
        default -> reader.unknown();
      }
    }
    check(given);
    return new ValidateOptions(given.contains("metadata"));
  }

  private static void check(Set<String> given) {
    for (List<String> pair : EXCLUSIVE) {
      if (given.containsAll(pair)) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "Running the validate command with both { %s: true } and { %s: true } is not supported."
                .formatted(pair.getFirst(), pair.getLast()));
      }
    }
    if (given.contains("metadata") && given.size() > 1) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Running the validate command with { metadata: true } is not supported with any other"
              + " options");
    }
    for (String change : List.of("repair", "fixMultikey")) {
      if (given.contains(change)) {
        throw new CommandException(
            ErrorCode.NOT_IMPLEMENTED, "validate: " + change + " is not supported yet");
      }
    }
  }
}
