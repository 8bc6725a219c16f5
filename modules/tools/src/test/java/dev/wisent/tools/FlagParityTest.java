package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each flag of MongoDB's database tools 100 is there, or is refused with a reason. */
class FlagParityTest {
  private static final List<String> GENERAL =
      List.of("help", "version", "config", "verbose", "quiet");

  private static final List<String> CONNECTION =
      List.of(
          "uri",
          "host",
          "port",
          "ssl",
          "sslCAFile",
          "sslPEMKeyFile",
          "sslPEMKeyPassword",
          "sslCRLFile",
          "sslFIPSMode",
          "tlsInsecure",
          "username",
          "password",
          "authenticationDatabase",
          "authenticationMechanism",
          "awsSessionToken",
          "gssapiServiceName",
          "gssapiHostName",
          "compressors",
          "dialTimeout",
          "socketTimeout",
          "TCPKeepAliveSeconds",
          "numThreads");

  private static final Map<String, List<String>> OF_TOOLS =
      Map.of(
          "dump",
          List.of(
              "db",
              "collection",
              "query",
              "queryFile",
              "readPreference",
              "forceTableScan",
              "gzip",
              "out",
              "archive",
              "oplog",
              "dumpDbUsersAndRoles",
              "excludeCollection",
              "excludeCollectionsWithPrefix",
              "numParallelCollections",
              "viewsAsCollections"),
          "restore",
          List.of(
              "db",
              "collection",
              "nsExclude",
              "nsInclude",
              "nsFrom",
              "nsTo",
              "excludeCollection",
              "excludeCollectionsWithPrefix",
              "objcheck",
              "oplogReplay",
              "oplogLimit",
              "oplogFile",
              "archive",
              "restoreDbUsersAndRoles",
              "dir",
              "gzip",
              "drop",
              "dryRun",
              "writeConcern",
              "noIndexRestore",
              "convertLegacyIndexes",
              "noOptionsRestore",
              "keepIndexVersion",
              "maintainInsertionOrder",
              "numParallelCollections",
              "numInsertionWorkersPerCollection",
              "stopOnError",
              "bypassDocumentValidation",
              "preserveUUID",
              "tempUsersColl",
              "tempRolesColl",
              "batchSize",
              "fixDottedHashIndex"),
          "export",
          List.of(
              "db",
              "collection",
              "fields",
              "fieldFile",
              "type",
              "out",
              "jsonArray",
              "pretty",
              "noHeaderLine",
              "jsonFormat",
              "query",
              "queryFile",
              "slaveOk",
              "readPreference",
              "forceTableScan",
              "skip",
              "limit",
              "sort",
              "assertExists",
              "allowDiskUse",
              "csv"),
          "import",
          List.of(
              "db",
              "collection",
              "fields",
              "fieldFile",
              "file",
              "headerline",
              "jsonArray",
              "parseGrace",
              "type",
              "columnsHaveTypes",
              "legacy",
              "useArrayIndexFields",
              "drop",
              "ignoreBlanks",
              "maintainInsertionOrder",
              "numInsertionWorkers",
              "stopOnError",
              "mode",
              "upsertFields",
              "writeConcern",
              "bypassDocumentValidation",
              "upsert",
              "numDecodingWorkers",
              "batchSize"),
          "stat",
          List.of(
              "humanReadable",
              "noheaders",
              "rowcount",
              "discover",
              "http",
              "all",
              "json",
              "useDeprecatedJsonKeys",
              "interactive"),
          "top",
          List.of("locks", "rowcount", "json"),
          "files",
          List.of(
              "db",
              "local",
              "type",
              "replace",
              "prefix",
              "writeConcern",
              "regexOptions",
              "readPreference"));

  private static final Map<String, String> LETTERS =
      Map.of(
          "dump", "vhupdcqoj",
          "restore", "vhupdcj",
          "export", "vhupdcfoqk",
          "import", "vhupdcfj",
          "stat", "vhupoOni",
          "top", "vhupn",
          "files", "vhupdltr");

  private static List<String> unknown(String tool, List<String> flags) {
    List<String> unknown = new ArrayList<>();
    for (String flag : flags) {
      try {
        new ToolHarness().run(tool, flag, "x", "--there-is-no-such-flag");
      } catch (ToolException e) {
        if (e.getMessage().equals("unknown flag '" + flag + "'")) {
          unknown.add(flag);
        }
      }
    }
    return unknown;
  }

  @Test
  void everyFlagIsKnownOrRefusedWithAReason() {
    OF_TOOLS.forEach(
        (tool, flags) -> {
          List<String> all = new ArrayList<>(GENERAL);
          all.addAll(CONNECTION);
          all.addAll(flags);
          assertThat(unknown(tool, all.stream().map(flag -> "--" + flag).toList())).isEmpty();
        });
    assertThat(
            unknown(
                "bsondump",
                List.of("--type", "--objcheck", "--pretty", "--bsonFile", "--outFile", "-v")))
        .isEmpty();
  }

  @Test
  void everyLetterIsKnownOrRefusedWithAReason() {
    LETTERS.forEach(
        (tool, letters) ->
            assertThat(unknown(tool, letters.chars().mapToObj(c -> "-" + (char) c).toList()))
                .as(tool)
                .isEmpty());
  }
}
