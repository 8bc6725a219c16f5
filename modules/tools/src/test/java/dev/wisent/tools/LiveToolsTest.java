package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.util.Date;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Rows of figures, from all servers of a cluster. */
class LiveToolsTest {
  @Test
  void allServersOfACluster() throws ToolException {
    try (Wisent cluster = Wisent.cluster(1);
        MongoClient client = MongoClients.create(cluster.uri())) {
      client
          .getDatabase("config")
          .getCollection("mongos")
          .insertOne(new Document("_id", "127.0.0.1:1").append("ping", new Date(0)));
      String[] lines =
          new ToolHarness()
              .run("stat", "--uri", cluster.uri(), "--discover", "--rowcount=1")
              .output()
              .split("\n");
      assertThat(lines[0].strip().split(" +"))
          .containsExactly(
              "host", "insert", "query", "update", "delete", "getmore", "command", "dirty", "used",
              "flushes", "vsize", "res", "qrw", "arw", "net_in", "net_out", "conn", "set", "repl",
              "time");
      assertThat(lines)
          .hasSize(4); // names, the router, a config server, a shard; no router that has ended
      assertThat(lines).filteredOn(line -> line.contains(" RTR ")).isNotEmpty();
      assertThat(lines).filteredOn(line -> line.matches(".* shard0 +PRI .*")).hasSize(1);
      assertThat(lines).filteredOn(line -> line.matches(".* config +PRI .*")).hasSize(1);
      client.getDatabase("a").getCollection("b").insertOne(new Document());
      var top = new ToolHarness();
      top.run("top", "--uri", cluster.uri(), "--rowcount=1");
      assertThat(top.output()).contains("ns ", " total ", " read ", " write ");
    }
  }

  /** The second table is drawn over the first one, name by name. */
  private static void assertInPlace(String uri, String tool, String name) throws ToolException {
    String output = new ToolHarness().run(tool, "--uri=" + uri, "-n2", "-i").output();
    String[] screens = output.split("\u001b\\[H");
    assertThat(screens).hasSize(3);
    assertThat(screens[0]).isEmpty();
    assertThat(screens[1].stripLeading()).startsWith("\u001b[J").contains(name);
    assertThat(screens[2]).contains(name).contains("\u001b[K\n").endsWith("\u001b[J");
    assertThatThrownBy(() -> new ToolHarness().run(tool, "--uri=" + uri, "-i", "--json"))
        .hasMessageContaining("exclude each other");
  }

  @Test
  void oneServer() throws ToolException {
    try (Wisent node = Wisent.start();
        MongoClient client = MongoClients.create(node.uri())) {
      client.getDatabase("a").getCollection("b").insertOne(new Document());
      String rows =
          new ToolHarness().run("stat", "--uri", node.uri(), "-n", "1", "--json").output();
      Document row = Document.parse(rows);
      assertThat(row).hasSize(1);
      Document figures = (Document) row.values().iterator().next();
      assertThat(figures)
          .containsKeys("insert", "arw", "net_out", "time")
          .doesNotContainKey("host");
      assertThat(figures.getString("insert")).isEqualTo("*0");
      assertThat(figures.getString("used")).endsWith("%");
      Document totals =
          Document.parse(
              new ToolHarness().run("top", "--uri", node.uri(), "-n1", "--json").output());
      assertThat(totals.get("totals", Document.class)).containsKey("a.b");
      assertThatThrownBy(() -> new ToolHarness().run("stat", "--uri", node.uri(), "often"))
          .hasMessageContaining("no number of seconds");
      assertThat(
              new ToolHarness()
                  .run(
                      "stat",
                      "--uri=" + node.uri(),
                      "-n1",
                      "-o",
                      "host,insert=ins,opcounters.command.rate()=c,opcounters.insert.diff(),process,none.such")
                  .output()
                  .lines()
                  .map(line -> line.strip().replaceAll(" +", " ")))
          .first()
          .isEqualTo("host ins c opcounters.insert.diff() process none.such");
      String[] added =
          new ToolHarness()
              .run("stat", "--uri=" + node.uri(), "-n1", "-O=connections.current=open,host")
              .output()
              .split("\n");
      assertThat(added[0]).startsWith("insert ").matches(".* time open +host");
      assertThat(added[1]).matches(".* [1-9]\\d* 127.0.0.1:\\d+");
      assertThatThrownBy(
              () -> new ToolHarness().run("stat", "--uri=" + node.uri(), "-o", "a.sum()"))
          .hasMessageContaining("-o takes NAME");
      assertInPlace(node.uri(), "stat", "insert ");
      assertInPlace(node.uri(), "top", "ns ");
      var interrupted = new ToolHarness();
      interrupted.interruption().request();
      assertThat(interrupted.run("stat", "--uri", node.uri()).output()).isEmpty();
    }
  }
}
