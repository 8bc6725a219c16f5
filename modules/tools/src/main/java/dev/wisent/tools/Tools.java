package dev.wisent.tools;

import dev.wisent.tools.backup.BackupTool;
import dev.wisent.tools.bsondump.BsondumpTool;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionSettings;
import dev.wisent.tools.dump.DumpTool;
import dev.wisent.tools.export.ExportTool;
import dev.wisent.tools.files.FilesTool;
import dev.wisent.tools.importing.ImportTool;
import dev.wisent.tools.live.StatTool;
import dev.wisent.tools.live.TopTool;
import dev.wisent.tools.migrate.MigrateTool;
import dev.wisent.tools.restore.RestoreTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tools by their names. */
public enum Tools {
  DUMP("dump", "write databases into files, as mongodump does", DumpTool.flags(), DumpTool::run),
  RESTORE(
      "restore",
      "bring a dump into a server, as mongorestore does",
      RestoreTool.flags(),
      RestoreTool::run),
  BACKUP("backup", "copy a server as files, while it is used", BackupTool.flags(), BackupTool::run),
  EXPORT(
      "export",
      "write a collection as JSON, CSV or TSV, as mongoexport does",
      ExportTool.flags(),
      ExportTool::run),
  IMPORT(
      "import",
      "read JSON, CSV or TSV into a collection, as mongoimport does",
      ImportTool.flags(),
      ImportTool::run),
  BSONDUMP("bsondump", "show a .bson file as JSON", BsondumpTool.flags(), BsondumpTool::run),
  STAT("stat", "show what servers do, as mongostat does", StatTool.flags(), StatTool::run),
  TOP("top", "show the busiest collections, as mongotop does", TopTool.flags(), TopTool::run),
  FILES("files", "keep files in GridFS, as mongofiles does", FilesTool.flags(), FilesTool::run),
  MIGRATE(
      "migrate",
      "move a deployment of MongoDB or Wisent to another, while it is used",
      MigrateTool.flags(),
      MigrateTool::run);

  /** What a tool does with its flags. */
  @FunctionalInterface
  private interface Run {
    void run(Flags flags, Surroundings surroundings) throws ToolException;
  }

  private final String command;
  private final String purpose;
  private final FlagTable flags;
  private final Run run;

  Tools(String command, String purpose, FlagTable flags, Run run) {
    this.command = command;
    this.purpose = purpose;
    this.flags = flags;
    this.run = run;
  }

  public static Optional<Tools> find(String command) {
    for (Tools each : values()) {
      if (each.command.equals(command)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** As it is typed after {@code wisent}. */
  public String command() {
    return command;
  }

  /** For the help. */
  public String purpose() {
    return purpose;
  }

  public String help() {
    return flags.help();
  }

  /** Runs until the work is done. */
  public void run(List<String> arguments, Surroundings surroundings) throws ToolException {
    Flags parsed = ConnectionSettings.withConfigFile(flags.parse(new ArrayList<>(arguments)));
    run.run(parsed, surroundings);
    surroundings.checkOutput();
  }
}
