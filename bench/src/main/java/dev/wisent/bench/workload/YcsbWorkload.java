package dev.wisent.bench.workload;

import dev.wisent.bench.data.YcsbRecords;
import dev.wisent.bench.store.CollectionSpec;
import dev.wisent.bench.store.Durability;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.SplittableRandom;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * One of YCSB's core workloads, with YCSB's own choice of operations and keys.
 *
 * @param letter A to F
 * @param mix YCSB's properties for the shares of the operations
 */
record YcsbWorkload(String letter, String summary, List<String> mix) implements Workload {

  static List<Workload> all() {
    return List.of(
        new YcsbWorkload("A", "50 % read, 50 % update, zipfian", List.of("read=0.5", "update=0.5")),
        new YcsbWorkload(
            "B", "95 % read, 5 % update, zipfian", List.of("read=0.95", "update=0.05")),
        new YcsbWorkload("C", "100 % read, zipfian", List.of("read=1")),
        new YcsbWorkload("D", "95 % read, 5 % insert, latest", List.of("read=0.95", "insert=0.05")),
        new YcsbWorkload(
            "E", "95 % scan of 1 to 100, 5 % insert, zipfian", List.of("scan=0.95", "insert=0.05")),
        new YcsbWorkload(
            "F",
            "50 % read, 50 % read-modify-write, zipfian",
            List.of("read=0.5", "readmodifywrite=0.5")));
  }

  @Override
  public String name() {
    return "ycsb-" + letter.toLowerCase(Locale.ROOT);
  }

  @Override
  public Durability durability() {
    return letter.equals("C") ? Durability.READ_ONLY : Durability.ACKNOWLEDGED;
  }

  private boolean inserts() {
    return mix.stream().anyMatch(share -> share.startsWith("insert"));
  }

  /** Workloads that insert have a table each; they would find each other's keys taken. */
  private String table() {
    return inserts() ? "usertable_" + letter.toLowerCase(Locale.ROOT) : "usertable";
  }

  @Override
  public Prepared prepare(Subject subject) throws WorkloadException {
    // YCSB keeps its measurements in a static that must be configured before any workload exists.
    Measurements.setProperties(new Properties());
    Properties properties = properties(subject.settings());
    YcsbRecords records = new YcsbRecords(subject.settings().seed());
    CoreWorkload load = new CoreWorkload();
    load.init(properties);
    if (inserts()) {
      // YCSB counts the keys that it inserts from the loaded ones on, once more in each pass.
      subject.forget(table());
    }
    subject.require(
        new CollectionSpec(table(), List.of()),
        loader -> {
          YcsbKeys keys = new YcsbKeys(key -> loader.add(records.record(key)));
          for (long i = 0; i < subject.settings().records(); i++) {
            load.doInsert(keys, null);
          }
        });
    // One instance for all rounds, because it counts the keys that it has inserted.
    CoreWorkload workload = new CoreWorkload();
    workload.init(properties);
    return round ->
        subject.measure(
            subject.settings().threads(),
            durability(),
            round.limit(),
            (session, client) -> {
              SplittableRandom random = subject.random(name(), round.number(), client);
              YcsbClient db = new YcsbClient(session, records, random);
              return () -> {
                workload.doTransaction(db, null);
                return 1;
              };
            });
  }

  private Properties properties(Settings settings) {
    Properties properties = new Properties();
    properties.setProperty("table", table());
    properties.setProperty("recordcount", Long.toString(settings.records()));
    // YCSB widens the zipfian key space by the inserts it expects from this.
    properties.setProperty("operationcount", Long.toString(settings.records()));
    properties.setProperty("fieldcount", Integer.toString(YcsbRecords.FIELD_COUNT));
    properties.setProperty("fieldlength", Integer.toString(YcsbRecords.FIELD_CHARS));
    properties.setProperty("fieldnameprefix", YcsbRecords.FIELD_PREFIX);
    properties.setProperty("requestdistribution", letter.equals("D") ? "latest" : "zipfian");
    properties.setProperty("maxscanlength", "100");
    for (String operation : List.of("read", "update", "insert", "scan", "readmodifywrite")) {
      properties.setProperty(operation + "proportion", "0");
    }
    for (String share : mix) {
      String[] parts = share.split("=");
      properties.setProperty(parts[0] + "proportion", parts[1]);
    }
    return properties;
  }
}
