package dev.wisent.tools.text;

import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The names in {@code --fields} or {@code --fieldFile}. */
public final class FieldNames {
  private FieldNames() {}

  /** Empty where neither is given. */
  public static List<String> of(Flags flags) throws ToolException {
    flags.exclude("fields", "fieldFile");
    if (flags.has("fieldFile")) {
      try {
        return Files.readAllLines(Path.of(flags.text("fieldFile").get())).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .toList();
      } catch (IOException e) {
        throw ToolException.badOption("cannot read the fields: " + e);
      }
    }
    return flags.has("fields") ? List.of(flags.text("fields").get().split(",", -1)) : List.of();
  }
}
