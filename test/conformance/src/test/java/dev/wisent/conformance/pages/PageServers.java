package dev.wisent.conformance.pages;

import com.mongodb.ConnectionString;
import dev.wisent.Wisent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The servers that pages are about, by remarks such as {@code servers: localhost:27017 = set of 3,
 * old.example.net:27017 = server}. What is left of the sign is an address as the page has it; the
 * other members of a set have the next ports. Closing it ends all of them.
 */
final class PageServers implements AutoCloseable {
  private static final Pattern SERVER =
      Pattern.compile("([\\w.-]+):(\\d+) = (server|set|cluster)(?: of (\\d))?");
  private static final Pattern NO_PORT = Pattern.compile("\\blocalhost(?=/)");

  private final Map<String, Wisent> started = new LinkedHashMap<>();
  private final List<Wisent> used = new ArrayList<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  /** Has what a page asks for ready, and empty. */
  void use(String remark) {
    used.clear();
    ports.clear();
    if (remark.isEmpty()) {
      return;
    }
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (String each : remark.split(", *")) {
      Matcher server = SERVER.matcher(each);
      if (!server.matches()) {
        throw new AssertionError("not 'HOST:PORT = server|set of N|cluster of N': " + each);
      }
      String kind = server.group(3);
      int size = server.group(4) == null ? 1 : Integer.parseInt(server.group(4));
      String name = kind + size + "-" + counts.merge(kind + size, 1, Integer::sum);
      Wisent wisent = started.get(name);
      if (wisent == null) {
        wisent = start(kind, size);
        started.put(name, wisent);
      } else {
        wisent.reset();
      }
      used.add(wisent);
      int port = Integer.parseInt(server.group(2));
      for (String host : new ConnectionString(wisent.uri()).getHosts()) {
        int real = Integer.parseInt(host.substring(host.lastIndexOf(':') + 1));
        ports.put(server.group(1) + ":" + port++, real);
      }
    }
  }

  private static Wisent start(String kind, int size) {
    return switch (kind) {
      case "set" -> Wisent.replicaSet(size);
      case "cluster" -> Wisent.cluster(size);
      default -> Wisent.start();
    };
  }

  boolean isEmpty() {
    return used.isEmpty();
  }

  /** The port of the first server of the page; 0 without one. */
  int defaultPort() {
    return used.isEmpty() ? 0 : used.getFirst().port();
  }

  String defaultUri() {
    return used.getFirst().uri();
  }

  /** What a page has, with the addresses of the servers that are there. */
  String withRealPorts(String code) {
    String text = NO_PORT.matcher(code).replaceAll("localhost:27017");
    for (Map.Entry<String, Integer> each : ports.entrySet()) {
      String port = each.getKey().substring(each.getKey().indexOf(':') + 1);
      text =
          text.replaceAll(
              "\\b" + Pattern.quote(each.getKey()) + "\\b", "localhost:" + each.getValue());
      text = text.replaceAll("--port " + port + "\\b", "--port " + each.getValue());
    }
    return text;
  }

  /** What was printed, with the addresses of the page. */
  String withPagePorts(String output) {
    String text = output;
    for (Map.Entry<String, Integer> each : ports.entrySet()) {
      text =
          text.replaceAll(
              "\\b(localhost|127\\.0\\.0\\.1):" + each.getValue() + "\\b",
              Matcher.quoteReplacement(each.getKey()));
    }
    return text;
  }

  @Override
  public void close() {
    started.values().forEach(Wisent::close);
  }
}
