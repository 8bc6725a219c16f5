package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportImportTest {
  /** Each type of BSON, with the values that are easily lost. */
  private static final List<String> OF_ALL_TYPES =
      List.of(
          "{$numberDouble: '-0.0'}",
          "{$numberDouble: 'NaN'}",
          "{$numberDouble: '-Infinity'}",
          "{$numberDouble: '1.0'}",
          "'text \\u0000 \\u20ac \\ud83e\\uddac \\\"'",
          "{a: {b: []}}",
          "[1, [2, {}]]",
          "{$binary: {base64: 'AQID', subType: '00'}}",
          "{$binary: {base64: 'AQID', subType: '80'}}",
          "{$uuid: '00112233-4455-6677-8899-aabbccddeeff'}",
          "{$undefined: true}",
          "{$oid: '0123456789abcdef01234567'}",
          "true",
          "{$date: {$numberLong: '-1'}}",
          "{$date: {$numberLong: '9223372036854775807'}}",
          "null",
          "{$regularExpression: {pattern: 'a/b', options: 'im'}}",
          "{$dbPointer: {'$ref': 'c', '$id': {'$oid': '0123456789abcdef01234567'}}}",
          "{$code: 'f()'}",
          "{$symbol: 's'}",
          "{$code: 'f()', $scope: {x: 1}}",
          "{$numberInt: '-2147483648'}",
          "{$timestamp: {t: 4294967295, i: 4294967295}}",
          "{$numberLong: '9007199254740993'}",
          "{$numberDecimal: '1.10E+3'}",
          "{$numberDecimal: 'NaN'}",
          "{$minKey: 1}",
          "{$maxKey: 1}");

  private static Wisent server;
  private static MongoClient client;
  private static MongoDatabase database;

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    server = Wisent.start();
    client = MongoClients.create(server.uri());
    database = client.getDatabase("shop");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @AfterEach
  void clear() {
    database.drop();
  }

  private static MongoCollection<BsonDocument> collection(String name) {
    return database.getCollection(name, BsonDocument.class);
  }

  private static void insert(String name, String... documents) {
    for (String document : documents) {
      collection(name).insertOne(BsonDocument.parse(document));
    }
  }

  private static List<String> found(String name) {
    List<String> all = new ArrayList<>();
    collection(name)
        .find()
        .sort(BsonDocument.parse("{_id: 1}"))
        .forEach(document -> all.add(document.toJson().replace("\"", "'")));
    return all;
  }

  private static List<String> foundWithoutIds(String name) {
    List<String> all = new ArrayList<>();
    collection(name)
        .find()
        .projection(BsonDocument.parse("{_id: 0}"))
        .forEach(document -> all.add(document.toJson().replace("\"", "'")));
    return all;
  }

  private static ToolHarness export(String name, String... flags) throws ToolException {
    return run("export", name, new ToolHarness(), flags);
  }

  private static ToolHarness load(String name, String input, String... flags) throws ToolException {
    return run("import", name, new ToolHarness().input(input), flags);
  }

  private static ToolHarness run(String tool, String name, ToolHarness harness, String... flags)
      throws ToolException {
    List<String> all =
        new ArrayList<>(List.of(tool, "--uri", server.uri(), "-d", "shop", "-c", name));
    all.addAll(List.of(flags));
    return harness.run(all.toArray(String[]::new));
  }

  @Test
  void everyTypeComesBackFromCanonicalJson() throws ToolException {
    for (int i = 0; i < OF_ALL_TYPES.size(); i++) {
      insert("types", "{_id: " + i + ", v: " + OF_ALL_TYPES.get(i) + "}");
    }
    List<RawBsonDocument> before = raw("types");
    assertThat(before).hasSize(OF_ALL_TYPES.size());
    String lines = export("types", "--jsonFormat=canonical").output();
    assertThat(lines.lines()).hasSize(OF_ALL_TYPES.size());
    load("copy", lines);
    assertThat(raw("copy")).isEqualTo(before);
    load(
        "array",
        export("types", "--jsonFormat=canonical", "--jsonArray", "--pretty").output(),
        "--jsonArray");
    assertThat(raw("array")).isEqualTo(before);
  }

  @Test
  void everyTypeIsATextInCsv() throws ToolException {
    for (int i = 0; i < OF_ALL_TYPES.size(); i++) {
      insert("types", "{_id: " + i + ", v: " + OF_ALL_TYPES.get(i) + "}");
    }
    String text =
        export("types", "--type=csv", "--fields=v", "--noHeaderLine", "--sort={_id: 1}").output();
    assertThat(text)
        .isEqualTo(
            """
            -0
            NaN
            -Infinity
            1
            "text \u0000 \u20ac \ud83e\uddac \""\"
            "{""a"": {""b"": []}}"
            "[1, [2, {}]]"
            AQID
            AQID
            ABEiM0RVZneImaq7zN3u/w==
            "{""$undefined"": true}"
            ObjectId(0123456789abcdef01234567)
            true
            1969-12-31T23:59:59.999Z
            +292278994-08-17T07:12:55.807Z

            "{""$regularExpression"": {""pattern"": ""a/b"", ""options"": ""im""}}"
            "{""$ref"": ""c"", ""$id"": {""$oid"": ""0123456789abcdef01234567""}}"
            "{""$code"": ""f()""}"
            s
            "{""$code"": ""f()"", ""$scope"": {""x"": 1}}"
            -2147483648
            "{""$timestamp"": {""t"": 4294967295, ""i"": 4294967295}}"
            9007199254740993
            1.10E+3
            NaN
            "{""$minKey"": 1}"
            "{""$maxKey"": 1}"
            """);
  }

  private static List<RawBsonDocument> raw(String name) {
    return database
        .getCollection(name, RawBsonDocument.class)
        .find()
        .sort(BsonDocument.parse("{_id: 1}"))
        .into(new ArrayList<>());
  }

  @Test
  void everyTypeIsShownByBsondump() throws ToolException, IOException {
    for (int i = 0; i < OF_ALL_TYPES.size(); i++) {
      insert("types", "{_id: " + i + ", v: " + OF_ALL_TYPES.get(i) + "}");
    }
    byte[] bytes = run("dump", "types", new ToolHarness(), "--out=-").bytes();
    ToolHarness shown = new ToolHarness().input(bytes).run("bsondump", "--objcheck");
    assertThat(shown.output()).isEqualTo(export("types", "--jsonFormat=canonical").output());
    assertThat(shown.messages()).contains(OF_ALL_TYPES.size() + " objects found");
    Path file = directory.resolve("types.bson");
    Files.write(file, bytes);
    assertThat(new ToolHarness().run("bsondump", "--type=debug", file.toString()).output())
        .contains("--- new object ---\n\tsize : 23\n\t\t_id\n\t\t\ttype:   16 size: 9\n");
    bytes[0] = 99;
    assertThatThrownBy(() -> new ToolHarness().input(bytes).run("bsondump"))
        .hasMessageContaining("damaged");
  }

  @Test
  void rowsHaveValuesOfPaths() throws ToolException {
    insert(
        "orders",
        "{_id: 1, name: 'a, \"b\"', at: {$date: '2026-01-02T03:04:05.678Z'}, in: {list: [1.5, {x:"
            + " 2}]}}",
        "{_id: {$oid: '0123456789abcdef01234567'}, name: 'line\\nbreak', at: null}");
    assertThat(
            export(
                    "orders",
                    "--type=csv",
                    "-f",
                    "_id,name,at,in.list.0,in.list.1.x,in",
                    "--sort={_id: 1}")
                .output())
        .isEqualTo(
            """
            _id,name,at,in.list.0,in.list.1.x,in
            1,"a, ""b""\",2026-01-02T03:04:05.678Z,1.5,2,"{""list"": [1.5, {""x"": 2}]}"
            ObjectId(0123456789abcdef01234567),"line
            break",,,,
            """);
    assertThat(
            export(
                    "orders",
                    "--type=tsv",
                    "-f=in.list.0,at",
                    "--noHeaderLine",
                    "--limit=1",
                    "-q={_id: 1}")
                .output())
        .isEqualTo("1.5\t2026-01-02T03:04:05.678Z\n");
    assertThatThrownBy(() -> export("orders", "--type=tsv", "-f=name"))
        .hasMessageContaining("which TSV cannot have");
  }

  @Test
  void whatIsExportedIsChosen() throws ToolException {
    insert("n", "{_id: 1, a: 1, b: 2}", "{_id: 2, a: 2}", "{_id: 3, a: 3}");
    ToolHarness some =
        export("n", "--query={a: {$gt: 1}}", "--sort={a: -1}", "--skip=1", "-f", "a");
    assertThat(some.output()).isEqualTo("{\"_id\": 2, \"a\": 2}\n");
    assertThat(some.messages()).contains("exported 1 record\n");
    assertThatThrownBy(() -> export("none", "--assertExists"))
        .hasMessageContaining("no collection shop.none");
    assertThat(export("none", "--jsonArray").output()).isEqualTo("[]\n");
  }

  @Test
  void rowsGetTypesByThemselves() throws ToolException {
    load(
        "rows",
        """
        a.x,a.y,text
        1,3000000000,"two
        lines, ""quoted""\"
        1.50,,NaN
        1,2,3,more
        """,
        "--type=csv",
        "--headerline",
        "--ignoreBlanks");
    assertThat(foundWithoutIds("rows"))
        .containsExactlyInAnyOrder(
            "{'a': {'x': 1, 'y': 3000000000}, 'text': 'two\\nlines, \\'quoted\\''}",
            "{'a': {'x': 1.5}, 'text': {'$numberDouble': 'NaN'}}",
            "{'a': {'x': 1, 'y': 2}, 'text': 3, 'field3': 'more'}");
  }

  @Test
  void columnsHaveTypes() throws ToolException {
    load(
        "rows",
        "7\t7\t7\t1.10\tTRUE\tAQID\tMZXW6===\t0aff\t2026-03-04 05:06:07.891\t03/04/26 5:06 PM"
            + "\t04-Mar-2026 17:06:07\t2026-03-04T05:06:07+02:00\t8\n",
        "--type=tsv",
        "--columnsHaveTypes",
        "-f",
        "i.int32(),l.int64(),d.double(),n.decimal(),b.boolean(),b64.binary(base64),b32.binary(base32),hex.binary(hex),go.date(2006-01-02"
            + " 15:04:05.000),ms.date_ms(MM/dd/yy h:mm tt),o.date_oracle(DD-MON-YYYY"
            + " HH24:MI:SS),z.date_go(2006-01-02T15:04:05Z07:00),s.string()");
    assertThat(foundWithoutIds("rows").getFirst())
        .isEqualTo(
            "{'i': 7, 'l': 7, 'd': 7.0, 'n': {'$numberDecimal': '1.10'}, 'b': true,"
                + " 'b64': {'$binary': {'base64': 'AQID', 'subType': '00'}},"
                + " 'b32': {'$binary': {'base64': 'Zm9v', 'subType': '00'}},"
                + " 'hex': {'$binary': {'base64': 'Cv8=', 'subType': '00'}},"
                + " 'go': {'$date': '2026-03-04T05:06:07.891Z'},"
                + " 'ms': {'$date': '2026-03-04T17:06:00Z'},"
                + " 'o': {'$date': '2026-03-04T17:06:07Z'},"
                + " 'z': {'$date': '2026-03-04T03:06:07Z'}, 's': '8'}");
    assertThat(
            collection("rows").find(BsonDocument.parse("{l: {$type: 'long'}, i: {$type: 'int'}}")))
        .hasSize(1);
  }

  @Test
  void valuesThatAreNotOfTheirType() throws ToolException {
    String rows = "a.int32(),b.string()\n1,x\ntwo,y\n3,z\n";
    String[] flags = {"--type=csv", "--headerline", "--columnsHaveTypes", "--parseGrace"};
    assertThatThrownBy(() -> load("stop", rows, "--type=csv", "--headerline", "--columnsHaveTypes"))
        .hasMessageContaining("column a: 'two' is no 32-bit integer");
    assertThat(foundWithoutIds("stop")).containsExactly("{'a': 1, 'b': 'x'}");
    load("cast", rows, flags[0], flags[1], flags[2], flags[3], "autoCast");
    assertThat(foundWithoutIds("cast")).contains("{'a': 'two', 'b': 'y'}").hasSize(3);
    load("field", rows, flags[0], flags[1], flags[2], flags[3], "skipField");
    assertThat(foundWithoutIds("field")).contains("{'b': 'y'}").hasSize(3);
    assertThat(load("row", rows, flags[0], flags[1], flags[2], flags[3], "skipRow").messages())
        .contains("1 row(s) left out");
    assertThat(foundWithoutIds("row"))
        .containsExactlyInAnyOrder("{'a': 1, 'b': 'x'}", "{'a': 3, 'b': 'z'}");
  }

  @Test
  void arraysOfColumns() throws ToolException {
    load(
        "rows",
        "1,2,3,4\n",
        "--type=csv",
        "--useArrayIndexFields",
        "--fields=a.0,a.1.x,b.0.0,b.0.1");
    assertThat(foundWithoutIds("rows")).containsExactly("{'a': [1, {'x': 2}], 'b': [[3, 4]]}");
    assertThatThrownBy(() -> load("rows", "1,2\n", "--type=csv", "--fields=a,a.b"))
        .hasMessageContaining("contradict each other");
  }

  @Test
  void modes() throws ToolException {
    insert("c", "{_id: 1, k: 'a', old: 1}", "{_id: 2, k: 'b', old: 2}");
    String input = "{\"k\": \"a\", \"new\": 1} {\"k\": \"c\", \"_id\": 3}";
    load("c", input, "--mode=merge", "--upsertFields=k");
    assertThat(found("c"))
        .containsExactly(
            "{'_id': 1, 'k': 'a', 'old': 1, 'new': 1}",
            "{'_id': 2, 'k': 'b', 'old': 2}",
            "{'_id': 3, 'k': 'c'}");
    load("c", "{\"_id\": 2, \"k\": \"b\"}", "--mode=upsert");
    assertThat(found("c")).contains("{'_id': 2, 'k': 'b'}");
    assertThat(
            load("c", "{\"k\": \"a\"}{\"x\": 1}{\"k\": \"zz\"}", "--mode=merge", "--upsertFields=k")
                .messages())
        .contains("3 document(s) imported successfully. 0 document(s) failed");
    var deleting = new ToolHarness().input("{\"_id\": 1}\n{\"_id\": 77}");
    run("import", "c", deleting, "--mode=delete");
    assertThat(deleting.messages())
        .contains("1 document(s) deleted successfully. 0 document(s) failed");
    assertThat(found("c")).noneMatch(line -> line.contains("'_id': 1,"));
  }

  @Test
  void failuresAreCounted() throws ToolException {
    insert("c", "{_id: 2}");
    var tool = new ToolHarness().input("{\"_id\": 1}\n{\"_id\": 2}\n{\"_id\": 3}\n");
    assertThatThrownBy(() -> run("import", "c", tool)).hasMessageContaining("not all documents");
    assertThat(tool.messages())
        .contains("E11000", "2 document(s) imported successfully. 1 document(s) failed to import.");
    load("c", "{\"_id\": 9}", "--drop");
    assertThat(found("c")).containsExactly("{'_id': 9}");
    var stopping = new ToolHarness().input("{\"_id\": 9}\n{\"_id\": 10}\n");
    assertThatThrownBy(() -> run("import", "c", stopping, "--stopOnError"))
        .hasMessageContaining("E11000");
    assertThat(found("c")).containsExactly("{'_id': 9}");
  }

  @Test
  void brokenTextsAreRefusedWithTheirPlace() {
    assertThatThrownBy(() -> load("c", "{\"a\": 1}\n{\"a\": \n"))
        .hasMessageContaining("line 3: it ends in the middle of a document");
    assertThatThrownBy(() -> load("c", "{\"a\": 1}\n\n{\"a\": x}"))
        .hasMessageContaining("document 2, from line 3 on");
    assertThatThrownBy(() -> load("c", "[{}]")).hasMessageContaining("give --jsonArray");
    assertThatThrownBy(() -> load("c", "[{} {}]", "--jsonArray"))
        .hasMessageContaining("',' or ']'");
    assertThatThrownBy(() -> load("c", "\"a\nb", "--type=csv", "-f=x"))
        .hasMessageContaining("a quote is not closed");
    assertThatThrownBy(() -> load("c", "", "--type=csv"))
        .isInstanceOfSatisfying(ToolException.class, e -> assertThat(e.isOfOptions()).isTrue());
    assertThatThrownBy(() -> load("c", "", "--mode=replace"))
        .hasMessageContaining("does not know 'replace'");
    assertThatThrownBy(() -> load("c", "", "--numDecodingWorkers=3"))
        .hasMessageContaining("is not supported: one thread reads");
  }
}
