package dev.wisent.conformance.crash;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bson.BsonDocument;

/** Compares a restarted server with what the writers know. */
record CrashChecks(MongoClient client, Load load) {

  void run() {
    Namespaces namespaces = Namespaces.of(client);
    checkItems(namespaces);
    checkCounters(namespaces);
    checkClaims(namespaces);
    checkEvents(namespaces);
    checkCatalog(namespaces);
    checkReport(namespaces);
    new IndexChecks(namespaces.database()).run();
  }

  private void checkItems(Namespaces namespaces) {
    Map<Integer, Map<String, Item>> byWriter =
        all(namespaces.items()).stream()
            .map(Item::parse)
            .collect(groupingBy(Item::writer, toMap(Item::id, item -> item)));
    for (int writer = 0; writer < load.items().size(); writer++) {
      load.items().get(writer).model().reconcile(byWriter.getOrDefault(writer, Map.of()));
      byWriter.remove(writer);
    }
    require(byWriter.isEmpty(), "items of nobody: " + byWriter);
  }

  /**
   * A counter holds everything that was acknowledged, and of the increments that were under way any
   * of their sums.
   */
  private void checkCounters(Namespaces namespaces) {
    Map<String, Long> actual = new HashMap<>();
    for (BsonDocument document : all(namespaces.counters())) {
      actual.put(document.getString("_id").getValue(), document.getInt64("n").getValue());
    }
    Map<String, Long> acknowledged = new HashMap<>();
    Map<String, Set<Long>> possible = new HashMap<>();
    for (CounterTask task : load.counters()) {
      task.acknowledged().forEach((counter, n) -> acknowledged.merge(counter, n, Long::sum));
    }
    acknowledged.forEach((counter, n) -> possible.put(counter, new HashSet<>(Set.of(n))));
    for (CounterTask task : load.counters()) {
      task.underWay()
          .ifPresent(
              increment -> {
                Set<Long> sums =
                    possible.computeIfAbsent(
                        increment.counter(), name -> new HashSet<>(Set.of(0L)));
                sums.addAll(sums.stream().map(sum -> sum + increment.amount()).toList());
              });
    }
    require(possible.keySet().containsAll(actual.keySet()), "unknown counters: " + actual);
    possible.forEach(
        (counter, sums) ->
            require(
                sums.contains(actual.getOrDefault(counter, 0L)),
                "%s: acknowledged %s, possible %s, found %s"
                    .formatted(counter, acknowledged.get(counter), sums, actual.get(counter))));
    load.counters().forEach(task -> task.restart(Map.of()));
    load.counters().getFirst().restart(actual);
  }

  private void checkReport(Namespaces namespaces) {
    load.report()
        .reconcile(
            all(namespaces.report()).stream()
                .map(line -> line.getInt64("version").getValue())
                .toList());
    namespaces
        .database()
        .listCollectionNames()
        .forEach(name -> require(!name.startsWith("tmp"), "left behind: " + name));
  }

  private void checkClaims(Namespaces namespaces) {
    List<BsonDocument> documents = all(namespaces.claims());
    Map<Integer, Set<Long>> byWriter =
        documents.stream()
            .collect(
                groupingBy(
                    d -> d.getInt32("writer").getValue(),
                    mapping(d -> d.getInt64("claim").getValue(), toSet())));
    long distinct = documents.stream().map(d -> d.getInt64("claim")).distinct().count();
    require(distinct == documents.size(), "a claim was given twice");
    for (int writer = 0; writer < load.claims().size(); writer++) {
      load.claims().get(writer).reconcile(byWriter.getOrDefault(writer, Set.of()));
    }
  }

  private void checkEvents(Namespaces namespaces) {
    List<BsonDocument> documents = all(namespaces.events());
    require(
        documents.size() <= Namespaces.EVENTS_MAX, "more events than the cap: " + documents.size());
    boolean full = documents.size() == Namespaces.EVENTS_MAX;
    Map<Integer, List<Long>> byWriter =
        documents.stream()
            .collect(
                groupingBy(
                    d -> d.getInt32("writer").getValue(),
                    mapping(d -> d.getInt64("sequence").getValue(), toList())));
    for (int writer = 0; writer < load.events().size(); writer++) {
      load.events().get(writer).reconcile(byWriter.getOrDefault(writer, List.of()), full);
    }
  }

  private void checkCatalog(Namespaces namespaces) {
    Map<String, Set<String>> actual = new TreeMap<>();
    for (String name : namespaces.database().listCollectionNames()) {
      if (name.startsWith(CatalogTask.PREFIX)) {
        actual.put(
            name,
            namespaces
                .database()
                .getCollection(name)
                .listIndexes()
                .map(index -> index.getString("name"))
                .into(new TreeSet<>()));
      }
    }
    load.catalog().reconcile(actual);
  }

  private static List<BsonDocument> all(MongoCollection<BsonDocument> collection) {
    return collection.find().into(new ArrayList<>());
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
